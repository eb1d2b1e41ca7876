//! A line that cannot be used.

/// Why a line cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// It is of a later version than this reader knows.
    #[error("version {0} of the protocol is newer than this program")]
    Newer(u32),
    /// It is longer than any line that is meant.
    #[error("{0} bytes are too long for a line")]
    Long(usize),
    /// It is not a line of the protocol.
    #[error("not a line of the protocol: {0}")]
    Form(#[from] serde_json::Error),
}
