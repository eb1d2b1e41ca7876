//! What a signal means, whatever agent sent it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ids::AgentName;
use crate::state::{BlockedKind, ErrorKind};
use crate::time::Time;

/// A subagent's id within its session; the main agent has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActorId(pub String);

impl fmt::Display for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A tool call, as far as the agent names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ToolRef {
    /// The call's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What happened, in the words that all agents share. A manifest's rules translate payloads into these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum Act {
    /// The agent is up and at rest; what was open before belongs to an earlier life.
    SessionStart,
    /// The person submitted a prompt: a turn begins, or waits behind the open one.
    Prompt,
    /// The agent was woken by its own background work: the turn goes on, or the news waits behind the open one.
    Resume,
    /// A tool call begins.
    ToolStart {
        /// The call.
        tool: ToolRef,
    },
    /// A tool call ended, well or not.
    ToolEnd {
        /// The call.
        tool: ToolRef,
    },
    /// All calls of the actor's batch ended, refused ones included.
    BatchEnd,
    /// The actor waits for the person.
    Ask {
        /// What for, where the agent says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<BlockedKind>,
        /// The call that waits.
        #[serde(default)]
        tool: ToolRef,
        /// Whether this was read off a text rather than off a structured event.
        #[serde(default)]
        heuristic: bool,
        /// How long it must stand before it shows, in milliseconds: some agents ask and answer themselves
        /// (design §5.9).
        #[serde(default)]
        settle_ms: i64,
    },
    /// The person (or the agent itself) answered what was asked.
    Answered {
        /// The call that waited; empty for whatever the actor asked.
        #[serde(default)]
        tool: ToolRef,
    },
    /// The main agent ended its turn.
    Stop {
        /// Whether it said that background work goes on; `None` when it said nothing about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        background: Option<bool>,
        /// How long it must stand before it shows, in milliseconds (design §5.9).
        #[serde(default)]
        settle_ms: i64,
    },
    /// The turn failed.
    Fail {
        /// Why.
        kind: ErrorKind,
    },
    /// The turn was interrupted or refused; everything that was open is over.
    Interrupt,
    /// The agent waits for a prompt: an open turn is over, and was cut short. One that has ended stays as it ended.
    Rest,
    /// A subagent began.
    SubagentStart,
    /// A subagent ended.
    SubagentEnd,
    /// The agent says that it works, and no more than that; whatever it asked before is answered.
    Work,
    /// The agent's process is about to end.
    Exit,
}

/// Who sent a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignalSource {
    /// The agent's own lifecycle hook, through a manifest's rules.
    #[default]
    Wired,
    /// A script: `tally signal --state …`.
    Script,
    /// The agent's own registry of its state, where it stood in for a missing signal.
    Registry,
    /// The quiet rule, made part of the record when the next signal came.
    Quiet,
    /// The person: `tally clear`.
    Person,
}

/// One report about one session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// When the reporting process started: the order of signals, whatever order they arrive in (design §5.11).
    pub at: Time,
    /// Who sent it.
    pub source: SignalSource,
    /// What happened.
    #[serde(flatten)]
    pub act: Act,
    /// Which subagent it is about; `None` for the main agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<ActorId>,
    /// The agent that speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    /// The agent's own id of its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_session: Option<String>,
    /// A line for the person, cleaned at the door.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The name of what it was read from: the agent's event, or the state a script gave.
    pub event: String,
    /// A hash over everything the report said, to tell a repeated one.
    #[serde(default)]
    pub fingerprint: u64,
}
