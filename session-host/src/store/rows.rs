//! What the store keeps beside the sessions.

use serde::{Deserialize, Serialize};
use session_core::{MachineId, Time, Transition};

/// One row of the journal: one change of what a session shows, or of whether it is put away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JournalRow {
    /// Its number; numbers grow and are never used again.
    pub seq: u64,
    /// When it was written.
    pub at: Time,
    /// The machine it happened on.
    pub machine: MachineId,
    /// What changed.
    pub transition: Transition,
}

/// One signal that named no live pane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnroutedReason {
    /// Its start stamp.
    pub at: Time,
    /// The event it was read from.
    pub event: String,
    /// The agent, when it said so.
    pub agent: Option<String>,
    /// Why its pane is not known.
    pub why: String,
}

/// The signals that named no live pane (case B1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unrouted {
    /// How many there were.
    pub count: u64,
    /// The last few, oldest first.
    pub last: Vec<UnroutedReason>,
}

/// Something that is only counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// Signals that named no live pane.
    Unrouted,
    /// Signals of agents that were started by agents (case B8).
    Nested,
    /// Signals whose sandbox forbade them to wake the daemon or to write the store (case D8).
    Sandboxed,
    /// Signals that waited in the spool.
    Spooled,
}

impl Counter {
    /// Its name in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unrouted => "unrouted",
            Self::Nested => "nested",
            Self::Sandboxed => "sandboxed",
            Self::Spooled => "spooled",
        }
    }
}

/// How often something was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// How often.
    pub count: u64,
    /// When last.
    pub at: Time,
}

/// A corrupt store that was set aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// When.
    pub at: Time,
    /// The path it has now.
    pub path: String,
    /// What was wrong with it.
    pub why: String,
}
