//! What can go wrong between us and a tmux server.

use std::path::PathBuf;
use std::time::Duration;

/// A tmux command that did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum TmuxError {
    /// There is no tmux program.
    #[error("cannot find the tmux program; install tmux 3.2 or newer, or put it on PATH")]
    NotInstalled,
    /// The tmux program did not start.
    #[error("cannot start tmux: {0}")]
    Spawn(std::io::Error),
    /// Nobody listens on the socket: the file is a leftover, or there is none.
    #[error("the tmux server on {} is not reachable: {why}", socket.display())]
    NotReachable {
        /// The socket.
        socket: PathBuf,
        /// What tmux said, without the socket.
        why: String,
    },
    /// The server took too long: it may be stopped or very busy.
    #[error("the tmux server on {} did not answer within {} ms", socket.display(), limit.as_millis())]
    Deadline {
        /// The socket.
        socket: PathBuf,
        /// How long was waited.
        limit: Duration,
    },
    /// tmux understood and said no.
    #[error("tmux refused: {0}")]
    Refused(String),
    /// tmux answered in a form we do not know.
    #[error("tmux gave an answer that cannot be read: {0}")]
    Answer(String),
    /// A command of ours would have had an empty target, which tmux reads as "whatever is current".
    #[error("refused to send tmux a command with an empty target")]
    EmptyTarget,
}

impl TmuxError {
    /// What is the matter, where the server it is about is known already.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::NotReachable { why, .. } => format!("not reachable: {why}"),
            Self::Deadline { limit, .. } => {
                format!("did not answer within {} ms", limit.as_millis())
            }
            other => other.to_string(),
        }
    }

    /// Whether it proves that nobody serves the socket now.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        matches!(self, Self::NotReachable { .. })
    }
}
