//! From the daemon to the plugin: the picture of one zellij server.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{MAX_LINE, WIRE_VERSION, WireError, lenient};
use crate::ids::{AgentName, Mux, PaneId};
use crate::rollup::Counts;
use crate::state::{BlockedKind, ErrorKind, State};
use crate::view::GlyphSet;

/// One line of the down pipe: all that a bar of one zellij server shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Down {
    /// [`WIRE_VERSION`].
    pub v: u32,
    /// The daemon's life, a number no other daemon of the person has had (its start time in microseconds).
    pub run: u64,
    /// Grows with each line of a run.
    pub seq: u64,
    /// When the picture was drawn, in milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// The zellij server the line is for; 0 for whichever gets it.
    #[serde(default)]
    pub server_pid: u32,
    /// The id of the up pipe, once an instance has told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_pipe: Option<String>,
    /// A question's number: each visible instance answers where its client is ([`Up::re`](super::Up::re)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<u64>,
    /// The daemon ends in order: what follows is nothing, until another one comes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bye: bool,
    /// The person's glyphs, colours and urgency order.
    #[serde(default, skip_serializing_if = "is_default")]
    pub theme: Theme,
    /// The sessions of this server, most urgent first, then longest in that state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<Lamp>,
    /// How many of this server's sessions are in each state.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mux_session: Tally,
    /// How many of the machine's sessions are in each state, this server's included.
    #[serde(default, skip_serializing_if = "is_default")]
    pub machine: Tally,
    /// The machine's most urgent session when it is not of this server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<Top>,
    /// The sessions of other servers, for the list; absent when nothing has changed since the last line that had them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<Vec<Elsewhere>>,
}

impl Down {
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
            Ok(down) if down.v <= WIRE_VERSION => Ok(down),
            Ok(down) => Err(WireError::Newer(down.v)),
            Err(error) => Err(newer(line).unwrap_or(WireError::Form(error))),
        }
    }

    /// The last line to a server: nothing follows, until another daemon comes. Its `run` and `seq` are still to be set;
    /// as they are, it follows the lines of any daemon.
    #[must_use]
    pub fn farewell(server_pid: u32, at_ms: i64) -> Self {
        Self {
            v: WIRE_VERSION,
            at_ms,
            server_pid,
            bye: true,
            ..Self::default()
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

/// The reason for a line of a later version, which may have any form but its `v`.
pub(super) fn newer(line: &str) -> Option<WireError> {
    #[derive(Deserialize)]
    struct Version {
        v: u32,
    }
    let Version { v } = serde_json::from_str(line).ok()?;
    (v > WIRE_VERSION).then_some(WireError::Newer(v))
}

/// One session, as much as a bar or a list shows of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lamp {
    /// Its pane.
    pub pane: PaneId,
    /// Its state.
    #[serde(deserialize_with = "lenient::state")]
    pub state: State,
    /// What it waits for.
    #[serde(
        default,
        deserialize_with = "lenient::or_none",
        skip_serializing_if = "Option::is_none"
    )]
    pub kind: Option<BlockedKind>,
    /// Why its turn failed.
    #[serde(
        default,
        deserialize_with = "lenient::or_none",
        skip_serializing_if = "Option::is_none"
    )]
    pub error: Option<ErrorKind>,
    /// The agent.
    #[serde(
        default,
        deserialize_with = "lenient::or_none",
        skip_serializing_if = "Option::is_none"
    )]
    pub agent: Option<AgentName>,
    /// The name a person gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Since when it is in that state, in milliseconds since the Unix epoch.
    pub since_ms: i64,
    /// What it says to the person: cleaned, and short ([`Lamp::MAX_MESSAGE`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The window it is in, by name; only for sessions of other servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<String>,
}

impl Lamp {
    /// The most graphemes of a message.
    pub const MAX_MESSAGE: usize = 60;
    /// The most graphemes of a name.
    pub const MAX_NAME: usize = 32;

    /// What to call it: the person's name for it, else the agent's.
    #[must_use]
    pub fn title(&self) -> &str {
        let agent = self.agent.as_ref().map(AgentName::as_str);
        self.name.as_deref().or(agent).unwrap_or("agent")
    }
}

/// How many sessions are in each state; states without any are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tally {
    /// Blocked sessions.
    #[serde(skip_serializing_if = "is_default")]
    pub blocked: usize,
    /// Failed sessions.
    #[serde(skip_serializing_if = "is_default")]
    pub error: usize,
    /// Working sessions.
    #[serde(skip_serializing_if = "is_default")]
    pub working: usize,
    /// Sessions with an unseen finished turn.
    #[serde(skip_serializing_if = "is_default")]
    pub done: usize,
    /// Agents that never signalled.
    #[serde(skip_serializing_if = "is_default")]
    pub running: usize,
    /// Idle sessions.
    #[serde(skip_serializing_if = "is_default")]
    pub idle: usize,
    /// Sessions without evidence.
    #[serde(skip_serializing_if = "is_default")]
    pub unknown: usize,
}

impl Tally {
    /// How many of these sessions are in each state.
    pub fn of<'l>(lamps: impl IntoIterator<Item = &'l Lamp>) -> Self {
        let mut tally = Self::default();
        for lamp in lamps {
            tally.add(lamp.state);
        }
        tally
    }

    /// Counts one more session in a state; those without an agent are not counted.
    pub fn add(&mut self, state: State) {
        let count = match state {
            State::Blocked => &mut self.blocked,
            State::Error => &mut self.error,
            State::Working => &mut self.working,
            State::Done => &mut self.done,
            State::Running => &mut self.running,
            State::Idle => &mut self.idle,
            State::Unknown => &mut self.unknown,
            State::None => return,
        };
        *count += 1;
    }
}

impl From<Counts> for Tally {
    fn from(counts: Counts) -> Self {
        let Counts {
            blocked,
            error,
            working,
            done,
            running,
            idle,
            unknown,
        } = counts;
        Self {
            blocked,
            error,
            working,
            done,
            running,
            idle,
            unknown,
        }
    }
}

impl From<Tally> for Counts {
    fn from(tally: Tally) -> Self {
        let Tally {
            blocked,
            error,
            working,
            done,
            running,
            idle,
            unknown,
        } = tally;
        Self {
            blocked,
            error,
            working,
            done,
            running,
            idle,
            unknown,
        }
    }
}

/// The machine's most urgent session, when it is of another server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Top {
    /// The multiplexer; absent for a session outside of any, and for one that is not known.
    #[serde(
        default,
        deserialize_with = "lenient::or_none",
        skip_serializing_if = "Option::is_none"
    )]
    pub mux: Option<Mux>,
    /// The server.
    #[serde(default)]
    pub server_pid: u32,
    /// The mux session it is in, by the name it has now; empty for none.
    #[serde(default)]
    pub mux_session: String,
    /// The session.
    pub lamp: Lamp,
}

/// The sessions of one mux session of another server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elsewhere {
    /// The multiplexer; absent for sessions outside of any, and for one that is not known.
    #[serde(
        default,
        deserialize_with = "lenient::or_none",
        skip_serializing_if = "Option::is_none"
    )]
    pub mux: Option<Mux>,
    /// The server.
    #[serde(default)]
    pub server_pid: u32,
    /// The mux session, by the name it has now; empty for none.
    #[serde(default)]
    pub mux_session: String,
    /// Its sessions, most urgent first.
    #[serde(default)]
    pub sessions: Vec<Lamp>,
}

/// The person's look, from the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Theme {
    /// The glyphs.
    #[serde(
        deserialize_with = "lenient::or_default",
        skip_serializing_if = "is_default"
    )]
    pub glyphs: GlyphSet,
    /// Colours by state's word, where they differ from the host's theme: `red`, `brightblue`, `colour245`, `#rrggbb`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub colours: BTreeMap<String, String>,
    /// The states, most urgent first; empty for the default order.
    #[serde(
        deserialize_with = "lenient::states",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub urgency: Vec<State>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
