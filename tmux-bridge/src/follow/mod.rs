//! Follows a server without attaching to it (facts §4).
//!
//! The follower is a client that looks, prints what it sees, and then waits in `wait-for <channel>`. It belongs to no
//! mux session, is not listed, resizes nothing, and costs nothing while it waits. The [wake hooks](crate::hooks)
//! signal the channel; the client then ends, and the next one looks.
//!
//! Looking and waiting are one command sequence, so that nothing can happen between the two. It must be so: a signal
//! that comes while nobody waits is kept by tmux, but a second one takes it back (`cmd_wait_for_signal` of every
//! version removes a channel that is woken and has no waiters). Signals between two clients are therefore lost as
//! often as not, and need not be kept: the next client sees what they were about.
//!
//! Where hooks are not wanted the client runs in control mode, and what it is notified of means "look". From tmux 3.4
//! on it then needs a [guard](crate::hold), since it would outlive us and keep the server alive (facts §4.1).

mod client;
mod control;
mod leftover;
mod pause;

use std::ffi::OsString;

use tokio::time::{Instant, sleep_until};

use client::{Client, Word};
pub use control::{ControlReader, Notice};
pub(crate) use leftover::end_leftovers;
use pause::Pause;

use crate::command::Tmux;
use crate::error::TmuxError;
use crate::hooks::channel;
use crate::look::Look;
use crate::run::DEADLINE;
use crate::version::Version;

/// How the client waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Its end is the message; for servers with our hooks.
    Plain,
    /// It is notified, and ends with us.
    Control,
    /// It is notified, and ends with the guard that this command runs.
    Guarded(Vec<OsString>),
}

impl Form {
    /// The form for a server of this version; `hold` is the command of the guard.
    pub(crate) fn of(wake_hooks: bool, version: &str, hold: &[OsString]) -> Self {
        if wake_hooks {
            return Self::Plain;
        }
        match version.parse() {
            Ok(version) if Version::control_client_reads_stdin(version) => Self::Control,
            // Without a guard, none that would outlive us: the plain form then only sees the server end.
            _ if hold.is_empty() => Self::Plain,
            _ => Self::Guarded(hold.to_vec()),
        }
    }
}

/// What the follower has to say.
#[derive(Debug)]
pub(crate) enum Woken {
    /// Something may have changed, and this is how it is now.
    Looked(Look),
    /// Something may have changed, or the client ended for a reason of its own: look.
    Changed,
    /// The client could not look.
    Failed(TmuxError),
}

/// The follower of one server.
#[derive(Debug)]
pub(crate) struct Follower {
    tmux: Tmux,
    channel: String,
    form: Form,
    client: Option<Client>,
    pause: Pause,
}

impl Follower {
    pub(crate) fn new(tmux: &Tmux, server_pid: u32, form: Form) -> Self {
        Self {
            tmux: tmux.clone(),
            channel: channel(server_pid),
            form,
            client: None,
            pause: Pause::new(Instant::now()),
        }
    }

    /// Waits for the next word. May be dropped at any point and called again.
    pub(crate) async fn woken(&mut self) -> Woken {
        loop {
            // Changes come in bursts: the first is told at once, the rest of them after a pause.
            sleep_until(self.pause.until()).await;
            let client = match &mut self.client {
                Some(client) => client,
                none => match Client::start(&self.tmux, &self.channel, &self.form) {
                    Ok(client) => none.insert(client),
                    Err(err) => {
                        tracing::warn!(%err, "cannot start a follower");
                        self.pause.lost(Instant::now(), Instant::now());
                        return Woken::Changed;
                    }
                },
            };
            let word = client.word().await;
            let (since, now) = (client.since, Instant::now());
            match word {
                Word::Looked(Ok(look)) => return Woken::Looked(*look),
                Word::Looked(Err(err)) => return Woken::Failed(err),
                Word::Hung => {
                    let socket = self.tmux.socket().to_owned();
                    return Woken::Failed(TmuxError::Deadline {
                        socket,
                        limit: DEADLINE,
                    });
                }
                Word::Notified => {
                    client.since = now;
                    self.pause.woken(since, now);
                    return Woken::Changed;
                }
                Word::Woken => {
                    self.client = None;
                    self.pause.woken(since, now);
                }
                Word::Lost => {
                    self.client = None;
                    self.pause.lost(since, now);
                    if self.pause.is_long() {
                        tracing::warn!(socket = %self.tmux.socket().display(), "the server sends followers away; polling");
                    }
                    return Woken::Changed;
                }
            }
        }
    }

    /// Whether the server cannot be followed at present, so that only polling is left.
    pub(crate) fn is_blind(&self) -> bool {
        self.pause.is_long()
    }

    /// Ends the client.
    pub(crate) async fn stop(&mut self) {
        if let Some(client) = self.client.take() {
            client.end().await;
        }
    }
}
