//! What can go wrong with the store.

use std::path::PathBuf;

/// Why the store could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no store yet.
    #[error("there is no store yet")]
    Missing,
    /// Another process held the store for longer than the deadline.
    #[error("the store is busy")]
    Busy,
    /// The store, its folder or its file system can only be read.
    #[error("the store cannot be written: {0}")]
    ReadOnly(String),
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The file is not a database, or a damaged one.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
    /// A newer Tallylight has written it.
    #[error("the store has version {found}, this Tallylight knows {known}; use the newer one")]
    Newer {
        /// Its version.
        found: u32,
        /// The newest version this build knows.
        known: u32,
    },
    /// A file could not be used.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A record could not be read or written.
    #[error("a record of the store does not read back: {0}")]
    Record(String),
    /// Anything else that SQLite says.
    #[error("the store failed: {0}")]
    Sqlite(String),
}
