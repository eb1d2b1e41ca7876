//! Finds the user's tmux servers, without configuration (case B6).

use std::path::PathBuf;

use session_core::ServerView;
use session_host::env::Env;

use crate::error::TmuxError;

/// A socket, and what was found behind it.
#[derive(Debug)]
pub struct Found {
    /// The socket.
    pub socket: PathBuf,
    /// The server, or why it is not reachable: a socket that nobody listens on is not "no agents".
    pub server: Result<ServerView, TmuxError>,
}

/// All sockets of the user's tmux servers, and what is behind each; blocking.
#[must_use]
pub fn servers(env: &Env) -> Vec<Found> {
    let _ = env;
    Vec::new()
}
