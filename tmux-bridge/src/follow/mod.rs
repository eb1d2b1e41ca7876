//! Follows a server without attaching to it (facts §4).
//!
//! The follower is a client that waits in `wait-for <channel>`. It belongs to no mux session, is not listed, resizes
//! nothing, and costs nothing while it waits. The [wake hooks](crate::hooks) signal the channel; the client then
//! ends, which is all that it has to say: look again. A signal that comes while nobody waits is kept by tmux, so none
//! is lost between one client and the next.
//!
//! Where hooks are not wanted the client runs in control mode, and what it is notified of means the same. From tmux
//! 3.4 on it then needs a [guard](crate::hold), since it would outlive us and keep the server alive (facts §4.1).

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
use crate::hooks::channel;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    /// Something has changed.
    Changed,
    /// The client ended otherwise: perhaps the server has.
    Lost,
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
        Self { tmux: tmux.clone(), channel: channel(server_pid), form, client: None, pause: Pause::new(Instant::now()) }
    }

    /// Waits for the next word. May be dropped at any point and called again.
    pub(crate) async fn woken(&mut self) -> Woken {
        // Changes come in bursts: the first is told at once, the rest of them after a pause.
        sleep_until(self.pause.until()).await;
        let client = match &mut self.client {
            Some(client) => client,
            none => match Client::start(&self.tmux, &self.channel, &self.form) {
                Ok(client) => none.insert(client),
                Err(err) => {
                    tracing::warn!(%err, "cannot start a follower");
                    self.pause.lost(Instant::now(), Instant::now());
                    return Woken::Lost;
                }
            },
        };
        let word = client.word().await;
        let (since, now) = (std::mem::replace(&mut client.since, Instant::now()), Instant::now());
        if word != Word::Notified {
            self.client = None;
        }
        if word == Word::Lost {
            self.pause.lost(since, now);
            Woken::Lost
        } else {
            self.pause.woken(since, now);
            Woken::Changed
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
