//! What keeps the daemon from running.

use std::path::PathBuf;

use crate::runtime_dir::RuntimeDirError;
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
    /// The folder for sockets and locks cannot be used.
    #[error(transparent)]
    RuntimeDir(#[from] RuntimeDirError),
    /// The store is from a newer Tallylight, or cannot be used for another reason that will not pass.
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
    /// The event loop could not be started.
    #[error("cannot start the event loop: {0}")]
    Loop(std::io::Error),
}
