//! What can go wrong between us and a zellij session.

use std::path::PathBuf;
use std::time::Duration;

/// A zellij command that did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ZellijError {
    /// There is no zellij program.
    #[error("cannot find the zellij program; put zellij {floor} or newer on PATH", floor = crate::Version::FLOOR)]
    NotInstalled,
    /// The zellij program did not start.
    #[error("cannot start zellij: {0}")]
    Spawn(std::io::Error),
    /// The session is not there, or is there no more.
    #[error("no zellij session named {name:?} is running")]
    NoSession {
        /// The name that was asked for.
        name: String,
    },
    /// The session took too long: a plugin of it may wait for a permission.
    #[error("the zellij session {name:?} did not answer within {} ms", limit.as_millis())]
    Deadline {
        /// The session.
        name: String,
        /// How long was waited.
        limit: Duration,
    },
    /// zellij understood and said no.
    #[error("zellij refused: {0}")]
    Refused(String),
    /// zellij took the order to show a pane, and no screen has changed.
    #[error(
        "zellij took the order and shows {pane} to nobody: it moves the terminal that was used last; press a key in it, \
         and try again"
    )]
    NotShown {
        /// The pane, as zellij writes it.
        pane: String,
    },
    /// zellij answered in a form we do not know.
    #[error("zellij gave an answer that cannot be read: {0}")]
    Answer(String),
    /// A file of zellij's cannot be read.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}
