//! Why something is not written.

use std::path::PathBuf;

/// Why a file is left alone.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// There is no home folder.
    #[error("HOME is not set to an absolute path")]
    NoHome,
    /// The plugin's path cannot stand in zellij's files.
    #[error(
        "the path {0:?} cannot be written into zellij's files; set XDG_DATA_HOME to one of plain text"
    )]
    Path(PathBuf),
    /// The file is not what zellij itself would read.
    #[error("{path}: it cannot be read as KDL, so it is left alone: {why}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Something else is where ours would go.
    #[error("{path}: {what}, so it is left alone", path = path.display())]
    Taken {
        /// The file.
        path: PathBuf,
        /// What is there.
        what: String,
    },
    /// A session is starting, and would write the file at the same time.
    #[error("a zellij session is just starting; try again in a few seconds")]
    Starting,
    /// Only the system's configuration is there, and a file of the person's would hide it.
    #[error("zellij reads {path}; make a configuration of your own first: zellij setup --dump-config", path = .0.display())]
    SystemOnly(PathBuf),
    /// Somebody else changes the file all the time.
    #[error("{path}: somebody else keeps changing the file", path = .0.display())]
    Busy(PathBuf),
    /// A file cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}
