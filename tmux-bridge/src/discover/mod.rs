//! Finds the user's tmux servers, without configuration (case B6).
//!
//! A server's socket is in the user's own folder of sockets (`default`, and the names given with `-L`), or it was
//! named with `-S` by somebody: then the process table tells, or a signal's `TMUX`. Servers are never counted by
//! process name, and a socket that nobody listens on is "not reachable", never "no agents".

mod candidates;
mod socket;
mod watch;
mod world;

use std::path::PathBuf;
use std::time::Duration;

use session_core::ServerView;
use session_host::env::Env;

pub(crate) use candidates::{candidates, sockets};
pub(crate) use socket::{is_served, is_trusted, listener};
pub(crate) use watch::SocketWatch;
pub(crate) use world::World;

use crate::command::Tmux;
use crate::error::TmuxError;
use crate::look::{Depth, look};

/// How long a person who asks waits for a server that hangs.
const PATIENCE: Duration = Duration::from_millis(750);

/// A socket, and what was found behind it.
#[derive(Debug)]
pub struct Found {
    /// The socket.
    pub socket: PathBuf,
    /// The server's process, as far as the system tells: also that of one that does not answer.
    pub pid: Option<u32>,
    /// The server, or why it is not reachable: a socket that nobody listens on is not "no agents".
    pub server: Result<ServerView, TmuxError>,
}

/// All sockets of the user's tmux servers, and what is behind each; blocking.
#[must_use]
pub fn servers(env: &Env) -> Vec<Found> {
    let world = World::of(env);
    let found = |socket: PathBuf| {
        let tmux = Tmux::at(&socket, env);
        let server = look(&tmux, Depth::Full, PATIENCE).map(|look| look.view);
        let pid = match &server {
            Ok(view) => Some(view.server.pid),
            Err(_) => listener(&socket),
        };
        Found {
            socket,
            pid,
            server,
        }
    };
    // One server that hangs must not make the others wait.
    let all: Vec<Found> = std::thread::scope(|scope| {
        let asked: Vec<_> = candidates(env, &world)
            .into_iter()
            .map(|socket| scope.spawn(move || found(socket)))
            .collect();
        asked
            .into_iter()
            .filter_map(|asked| asked.join().ok())
            .collect()
    });
    let is_ours = |found: &Found| found.pid.is_none_or(|pid| world.holds(pid));
    let mut ours: Vec<Found> = all.into_iter().filter(is_ours).collect();
    ours.sort_by(|one, other| one.socket.cmp(&other.socket));
    ours
}
