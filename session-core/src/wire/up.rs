//! From the plugin to the daemon: what only the inside of zellij knows.

use serde::{Deserialize, Serialize};

use super::down::newer;
use super::{MAX_LINE, WIRE_VERSION, WireError};
use crate::ids::{PaneId, WindowId};
use crate::place::Exit;

/// One line of the up pipe. Its parts are independent; each is the whole truth about its subject, so that a line may
/// be repeated and only the newest of a kind counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Up {
    /// [`WIRE_VERSION`].
    pub v: u32,
    /// The zellij server.
    pub server_pid: u32,
    /// The client this instance belongs to.
    pub client: u16,
    /// The plugin's id in its server; with the client it names the instance.
    pub plugin: u32,
    /// Grows with each line of this instance.
    pub seq: u64,
    /// The number of the question this line answers ([`Down::ask`](super::Down::ask)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub re: Option<u64>,
    /// The instance introduces itself: its first line, and again when the session is renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hello: Option<Hello>,
    /// Where the instance's client is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<Focus>,
    /// The instance's client has left: nobody looks through it. (Such an instance is silent otherwise.)
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
    /// All tabs and terminal panes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    /// Terminal panes that were closed. Also told while no client is attached, when no layout is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<PaneId>,
    /// The person chose a session that the plugin cannot go to itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub go: Option<Go>,
}

impl Up {
    /// Reads a line; white space around it is ignored.
    ///
    /// # Errors
    /// When it is too long, of a later version, or not a line of the protocol.
    pub fn read(line: &str) -> Result<Self, WireError> {
        let line = line.trim();
        if line.len() > MAX_LINE {
            return Err(WireError::Long(line.len()));
        }
        match serde_json::from_str::<Self>(line) {
            Ok(up) if up.v <= WIRE_VERSION => Ok(up),
            Ok(up) => Err(WireError::Newer(up.v)),
            Err(error) => Err(newer(line).unwrap_or(WireError::Form(error))),
        }
    }

    /// The line, without an end of line.
    ///
    /// # Errors
    /// Never for the types of this crate.
    pub fn line(&self) -> Result<String, WireError> {
        Ok(serde_json::to_string(self)?)
    }
}

/// An instance introduces itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// zellij's version.
    pub zellij: String,
    /// The session's name now; it may differ from the one in the panes' environment. Empty until zellij has told it.
    pub session: String,
    /// The id of the up pipe, for [`Down::up_pipe`](super::Down::up_pipe).
    pub pipe: String,
    /// The server's `TMPDIR`, if it is set ([`file`](super::file)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tmpdir: Option<String>,
}

/// Where a client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus {
    /// The tab it shows.
    pub tab: WindowId,
    /// The terminal pane that has its focus; absent when that is a plugin's pane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pane: Option<PaneId>,
}

/// All tabs and terminal panes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// The tabs, by position.
    pub tabs: Vec<TabFact>,
    /// The terminal panes, by id.
    pub panes: Vec<PaneFact>,
}

/// A tab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TabFact {
    /// Its stable id.
    pub id: WindowId,
    /// Its place in the row of tabs, from 0.
    pub position: u32,
    /// Its name.
    pub name: String,
}

/// A terminal pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaneFact {
    /// Its id.
    pub id: PaneId,
    /// The tab it is in.
    pub tab: WindowId,
    /// The process zellij started in it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Whether its process has ended while the pane is kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exited: bool,
    /// How it ended, where zellij tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
}

/// The person chose a session of another multiplexer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Go {
    /// The server.
    pub server_pid: u32,
    /// The pane.
    pub pane: PaneId,
}

impl Up {
    /// A line with nothing in it yet.
    #[must_use]
    pub fn from(server_pid: u32, client: u16, plugin: u32, seq: u64) -> Self {
        Self {
            v: WIRE_VERSION,
            server_pid,
            client,
            plugin,
            seq,
            ..Self::default()
        }
    }
}
