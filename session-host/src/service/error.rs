//! What keeps the daemon from running.

use std::path::PathBuf;

use crate::store::StoreError;

/// Why the daemon does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// There is one already.
    #[error("a daemon is already running{}", pid.map(|pid| format!(" (pid {pid})")).unwrap_or_default())]
    AlreadyRunning {
        /// Its process id, when it could be read.
        pid: Option<u32>,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file or socket cannot be used.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or socket.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}
