//! What goes into the intake and what comes out of it.

use std::time::Duration;

use session_core::{State, Time};

use crate::agents::AgentSource;
use crate::bridge::PaneProbe;
use crate::clock::Clock;
use crate::env::Env;
use crate::paths::Paths;
use crate::process::ProcessTable;

/// How long a signal may take in all.
pub const DEADLINE: Duration = Duration::from_millis(200);

/// The largest payload that is read whole. Of a larger one the beginning is read, which tells what happened.
pub const LARGEST_PAYLOAD: usize = 8 << 20;

/// What was reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// `tally signal --from AGENT`: an agent's own payload, as it came on the standard input.
    Payload {
        /// The agent.
        agent: String,
        /// The bytes; more than [`LARGEST_PAYLOAD`] of them are the beginning of a larger one.
        payload: Vec<u8>,
    },
    /// `tally signal --state STATE`.
    State {
        /// The state.
        state: State,
        /// What a blocked agent waits for, or why a failed one failed.
        kind: Option<String>,
        /// A line for the person.
        message: Option<String>,
        /// The agent that is reported about.
        agent: Option<String>,
    },
}

/// One run of `tally signal`.
#[derive(Clone, Debug)]
pub struct SignalRequest<'r> {
    /// When the process started: taken first of all.
    pub at: Time,
    /// Its environment.
    pub env: &'r Env,
    /// Where things are.
    pub paths: &'r Paths,
    /// What was reported.
    pub report: Report,
    /// `--session REF`: whom it is about, when the person says so.
    pub session: Option<String>,
    /// How long it may take, from `at` on.
    pub deadline: Duration,
}

/// What the intake needs of the world.
#[derive(Clone, Copy)]
pub struct World<'w> {
    /// The manifests.
    pub agents: &'w dyn AgentSource,
    /// The processes.
    pub processes: &'w dyn ProcessTable,
    /// Answers for panes that nobody has seen yet.
    pub probe: &'w dyn PaneProbe,
    /// The time.
    pub clock: &'w dyn Clock,
}

/// What became of a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// It is in the store.
    Stored,
    /// It waits in the spool.
    Spooled,
    /// Nothing could be written; a live daemon was given it.
    HandedOver,
    /// It says nothing about a state, or was refused; `diagnostic` says which.
    #[default]
    Ignored,
    /// Its pane is not known: counted, with the reason.
    Unrouted,
    /// It could neither be stored nor spooled nor handed over.
    Lost,
}

/// What `tally signal` prints, and what it tells under `--strict`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignalAnswer {
    /// What the agent's contract wants on the standard output; empty for nothing (case D2).
    pub stdout: String,
    /// What became of the signal.
    pub fate: Fate,
    /// What went wrong, in words; `None` when all is well. Under `--strict` it is printed and the exit status is 1.
    pub diagnostic: Option<String>,
}
