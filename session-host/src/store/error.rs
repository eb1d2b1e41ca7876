//! What can go wrong with the store.

use std::path::{Path, PathBuf};

use rusqlite::ffi::ErrorCode;

/// Why the store could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no store yet.
    #[error("there is no store yet")]
    Missing,
    /// Another process held the store for longer than the deadline.
    #[error("the store is held by another process")]
    Busy,
    /// The store, its folder or its file system can only be read, or not even that.
    #[error("the store cannot be written: {0}")]
    Refused(String),
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The file is not a database, or a damaged one.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
    /// The file was moved away or replaced while it was open.
    #[error("the store was replaced by another one")]
    Replaced,
    /// A newer Tallylight has written it.
    #[error("the store has version {found} and this Tallylight knows {known}; use the newer one")]
    Newer {
        /// Its version.
        found: usize,
        /// The newest version that this build knows.
        known: usize,
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
    Record(#[from] serde_json::Error),
    /// Anything else that SQLite says.
    #[error("the store failed: {0}")]
    Failed(String),
}

impl StoreError {
    /// An error of a file of the store. Whoever may not write it is told so in the same words as by SQLite.
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        use std::io::ErrorKind;
        match source.kind() {
            ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::NotADirectory => Self::Refused(format!("{}: {source}", path.display())),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::Io {
                path: path.to_owned(),
                source,
            },
        }
    }
}

/// `SQLITE_READONLY_DBMOVED`: the file is no longer the one at its path.
const DB_MOVED: i32 = 1032;
/// `SQLITE_IOERR_SHMSIZE`: the shared index cannot grow, as on a full disk.
const SHM_SIZE: i32 = 4874;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let Some(sqlite) = error.sqlite_error() else {
            return Self::Failed(error.to_string());
        };
        match (sqlite.code, sqlite.extended_code) {
            (_, DB_MOVED) => Self::Replaced,
            (_, SHM_SIZE) | (ErrorCode::DiskFull, _) => Self::Full,
            (ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, _) => Self::Busy,
            (ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied, _) => {
                Self::Refused(error.to_string())
            }
            (ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase, _) => {
                Self::Corrupt(error.to_string())
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}
