//! What goes into the machine and what comes out of it.

use serde::{Deserialize, Serialize};

use crate::act::Signal;
use crate::away::AwayChange;
use crate::evidence::EvidenceSource;
use crate::ids::{AgentName, SessionId};
use crate::place::Exit;
use crate::session::{Corroboration, Gone, GoneWhy, ProcessRef, RegistryReport};
use crate::state::{BlockedKind, ErrorKind, State};
use crate::time::Time;

/// Something that happened to one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An agent, a script or a person reported something.
    Signal(Signal),
    /// The agent's own registry was read; `None` when its file is missing or says nothing.
    Registry(Option<RegistryReport>),
    /// The pane's processes were looked at.
    Processes {
        /// Whether they agree with the signals.
        corroboration: Corroboration,
        /// The agent whose process was found, and that process.
        agent: Option<(AgentName, ProcessRef)>,
    },
    /// The agent's process is gone.
    AgentExited,
    /// The pane was looked at: its process and, for a dead pane, how that ended.
    Pane {
        /// The process the multiplexer started in it.
        pid: Option<u32>,
        /// How it ended, while the pane is kept.
        dead: Option<Exit>,
    },
    /// The session is over for a reason outside the agent.
    Gone(GoneWhy),
    /// A person began or ceased to look at the pane.
    Viewed(bool),
    /// The pane printed something.
    Output(Time),
    /// The person has seen the given turn, or whatever is shown.
    Acknowledge {
        /// The turn; `None` for the newest.
        turn: Option<u64>,
    },
    /// The person puts the session away: it needs them no more, until something new happens.
    Settle,
    /// The person puts it away until then, or until something new happens.
    Snooze {
        /// Until when.
        until: Time,
    },
    /// The person takes it back, whoever has put it away.
    Unsettle,
    /// Nothing but the time has changed.
    Tick,
}

/// What came of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was taken in.
    Taken,
    /// It was the same report again and changed nothing.
    Repeated,
    /// It was refused; the reason is kept in the record.
    Refused(String),
}

/// A change of what is shown, or of whether the session is put away: one row of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    /// The session.
    pub session: SessionId,
    /// When the new state began.
    pub at: Time,
    /// The state before.
    pub from: State,
    /// The state after.
    pub to: State,
    /// What a blocked session waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked_kind: Option<BlockedKind>,
    /// Why a failed turn failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_kind: Option<ErrorKind>,
    /// The evidence the new state rests on.
    pub source: EvidenceSource,
    /// Why, in a few words.
    pub reason: String,
    /// The turn it belongs to.
    pub turn: u64,
    /// A line for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Set where it is not about a state: `from` and `to` are the same then, so that a reader that does not know this field
    /// reads a row in which nothing has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub away: Option<AwayChange>,
}

impl Transition {
    /// Whether it is a change of what is shown, and not of whether the session is put away.
    #[must_use]
    pub const fn is_of_state(&self) -> bool {
        self.away.is_none()
    }
}

/// What the host has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Write this row to the journal, in the transaction that saves the record.
    Journal(Transition),
    /// The session is over: no more is expected of it.
    Ended(Gone),
}

/// The result of [`apply`](super::apply()).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// What came of the event.
    pub outcome: Outcome,
    /// What the host has to do, in order.
    pub effects: Vec<Effect>,
    /// Whether the record changed and has to be saved.
    pub changed: bool,
}
