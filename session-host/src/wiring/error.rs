//! What can go wrong with wiring.

use std::path::PathBuf;

use super::global::RecordError;

/// Why an agent could not be wired or started.
#[derive(Debug, thiserror::Error)]
pub enum WiringError {
    /// This build has no such extension.
    #[error("{0:?} is not an agent that this Tallylight can wire")]
    UnknownAgent(String),
    /// The agent's program is not on the path.
    #[error("{0}: command not found")]
    NotFound(String),
    /// The agent's program is there and cannot be run.
    #[error("{path}: not executable", path = .0.display())]
    NotExecutable(PathBuf),
    /// A path that cannot be written into a file of settings.
    #[error("{path} is not UTF-8", path = .0.display())]
    OddPath(PathBuf),
    /// A file could not be used.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The person may have said that it is not to be wired, and that cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// An extension's payload is broken; a test keeps that from being released.
    #[error("the extension's {0} does not read")]
    Payload(String),
}
