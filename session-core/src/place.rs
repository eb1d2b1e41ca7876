//! Where panes are: the part of a multiplexer's state that Tallylight follows.

use serde::{Deserialize, Serialize};

use crate::ids::{ClientId, MuxSessionId, PaneId, ServerId, WindowId};
use crate::time::Time;

/// How a pane's process ended, as its multiplexer tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Exit {
    /// It exited with this status.
    Status(i32),
    /// This signal ended it.
    Signal(i32),
}

/// One pane as its multiplexer shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PanePlace {
    /// The pane.
    pub pane: PaneId,
    /// The process the multiplexer started in the pane; it changes when the pane is respawned.
    pub pid: Option<u32>,
    /// Set while the pane is kept open after its process ended.
    pub dead: Option<Exit>,
    /// The window that holds the pane.
    pub window: WindowId,
    /// The window's name, cleaned.
    pub window_name: String,
    /// The window's index, for the eye only: nothing is ever addressed by it.
    pub window_index: u32,
    /// The mux sessions that show the window, in the multiplexer's order; never empty.
    pub mux_sessions: Vec<(MuxSessionId, String)>,
    /// Whether it is its window's active pane.
    pub active: bool,
    /// The foreground program's name as the multiplexer gives it: a hint, not a proof.
    pub command: Option<String>,
    /// The pane's working directory, when it is known.
    pub cwd: Option<String>,
}

/// A person's client of a server, and the pane it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientFact {
    /// The client.
    pub client: ClientId,
    /// The pane it shows.
    pub pane: PaneId,
    /// Whether its terminal has the focus, as far as the terminal tells.
    pub focused: bool,
}

/// One look at one server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerView {
    /// The server.
    pub server: ServerId,
    /// The server's version, as it prints it.
    pub version: String,
    /// Its panes, each once, by id.
    pub panes: Vec<PanePlace>,
    /// The people's clients; followers such as our own are left out.
    pub clients: Vec<ClientFact>,
    /// Since when the server does not answer: what is here is then the last that was seen of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale_since: Option<Time>,
}

impl ServerView {
    /// The pane with this id.
    #[must_use]
    pub fn pane(&self, pane: PaneId) -> Option<&PanePlace> {
        self.panes.iter().find(|place| place.pane == pane)
    }

    /// Whether a focused client of a person shows this pane.
    #[must_use]
    pub fn viewed(&self, pane: PaneId) -> bool {
        self.clients
            .iter()
            .any(|client| client.focused && client.pane == pane)
    }
}
