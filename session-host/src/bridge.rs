//! The port between the service loop and the multiplexers' adapters.
//!
//! An adapter ("bridge") runs as tasks of its own. It tells what it sees through [`BridgePort::seen`], and draws
//! whatever picture is newest in [`BridgePort::pictures`]. It decides nothing about states.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use session_core::{PaneId, ServerId, ServerView, Snapshot, Time};
use tokio::sync::{Notify, mpsc, watch};

/// What a bridge saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A server, as it is now. Sent on every change, and when it was asked for.
    Server {
        /// What was seen.
        view: ServerView,
        /// When the look began: what came later it may have missed.
        began: Time,
    },
    /// Whether the server can only be polled, since it sends every follower away. Sent when that changes.
    Polled {
        /// The server.
        server: ServerId,
        /// Whether it is so now.
        polled: bool,
    },
    /// The server has ended; a failed query is not enough to say so (design §5.8).
    Gone(ServerId),
}

/// The bridge's side of the port.
#[derive(Clone, Debug)]
pub struct BridgePort {
    /// Where to tell what was seen.
    pub seen: mpsc::Sender<Seen>,
    /// The newest picture; a bridge that is behind skips to it.
    pub pictures: watch::Receiver<Arc<Snapshot>>,
    /// Rings when the service wants every server looked at again now.
    pub look: Arc<Notify>,
    /// Becomes true when the daemon ends: the bridge then takes its hooks and options back.
    pub stop: watch::Receiver<bool>,
}

/// An adapter to one kind of multiplexer.
pub trait Bridge: Send {
    /// Runs until [`BridgePort::stop`] says so.
    fn run(self: Box<Self>, port: BridgePort)
    -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// Asks a server about one pane, for signals from panes nobody has seen yet. Blocking, with a short deadline.
pub trait PaneProbe {
    /// The process the multiplexer started in the pane, the server's start time in seconds, and nothing when the
    /// server has no such pane.
    ///
    /// # Errors
    /// When the server does not answer in time: that is no proof of anything.
    fn pane(&self, socket: &str, pane: PaneId) -> Result<Option<ProbedPane>, ProbeFailed>;
}

/// A pane that a server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbedPane {
    /// The process the multiplexer started in it.
    pub pid: u32,
    /// The server's process.
    pub server_pid: u32,
    /// The server's start time, in seconds since the Unix epoch.
    pub server_started: i64,
}

/// A server did not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the multiplexer did not answer: {0}")]
pub struct ProbeFailed(pub String);
