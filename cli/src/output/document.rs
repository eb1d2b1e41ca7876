//! The JSON documents; docs/json.md describes them. Every one carries `"schema": 1`.

use std::collections::BTreeMap;

use serde::Serialize;
use session_core::{Explanation, MachineId, PaneView, Rollup, SessionId, SessionView, Snapshot};
use session_host::store::Unrouted;

/// The version of the documents; it grows when a field changes its meaning or goes away, not when one is added.
const SCHEMA: u32 = 1;

/// A document: its schema, and what is in it.
#[derive(Debug, Serialize)]
pub(crate) struct Document<T> {
    schema: u32,
    #[serde(flatten)]
    body: T,
}

impl<T> Document<T> {
    /// A document with this in it.
    pub(crate) const fn new(body: T) -> Self {
        Self {
            schema: SCHEMA,
            body,
        }
    }
}

/// `tally list --json`.
#[derive(Debug, Serialize)]
pub(crate) struct ListDocument<'d> {
    /// The machine.
    pub machine: &'d MachineId,
    /// When it was drawn.
    pub at_ms: i64,
    /// The newest change it includes.
    pub seq: u64,
    /// The live sessions, most urgent first.
    pub sessions: Vec<&'d SessionView>,
    /// Sessions that ended lately, the latest first.
    pub ended: Vec<Ended<'d>>,
    /// The servers that were looked at.
    pub servers: Vec<ServerDocument>,
    /// The most urgent state of all, and how many are in each.
    pub rollup: Rollup,
    /// Signals that named no live pane.
    pub unrouted: UnroutedDocument,
}

/// A session that ended.
#[derive(Debug, Serialize)]
pub(crate) struct Ended<'d> {
    /// Its id.
    pub id: SessionId,
    /// The name a person gave it.
    pub name: Option<&'d str>,
    /// The agent.
    pub agent: Option<&'d str>,
    /// Why it ended, in words.
    pub why: &'static str,
    /// When that was noticed.
    pub ended_at_ms: i64,
    /// Where it was.
    pub pane: Option<&'d PaneView>,
}

impl<'d> Ended<'d> {
    /// The end of a session; `None` while it lives.
    pub(crate) fn of(view: &'d SessionView) -> Option<Self> {
        let gone = view.gone?;
        Some(Self {
            id: view.id,
            name: view.name.as_deref(),
            agent: view.agent.as_ref().map(session_core::AgentName::as_str),
            why: gone.why.words(),
            ended_at_ms: gone.at.ms(),
            pane: view.pane.as_ref(),
        })
    }
}

/// A server, or a socket that nobody answers on.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ServerDocument {
    /// The multiplexer.
    pub mux: &'static str,
    /// The socket's path.
    pub socket: String,
    /// The server's process id.
    pub pid: Option<u32>,
    /// Its version, as it prints it.
    pub version: Option<String>,
    /// How many panes it has.
    pub panes: Option<usize>,
    /// Whether it answers.
    pub reachable: bool,
    /// Why it does not.
    pub why: Option<String>,
}

/// The signals that named no live pane.
#[derive(Debug, Serialize)]
pub(crate) struct UnroutedDocument {
    /// How many there were.
    pub count: u64,
    /// The last few, oldest first.
    pub last: Vec<UnroutedEntry>,
}

/// One of them.
#[derive(Debug, Serialize)]
pub(crate) struct UnroutedEntry {
    at_ms: i64,
    event: String,
    agent: Option<String>,
    why: String,
}

impl From<&Unrouted> for UnroutedDocument {
    fn from(unrouted: &Unrouted) -> Self {
        let entry = |reason: &session_host::store::UnroutedReason| UnroutedEntry {
            at_ms: reason.at.ms(),
            event: reason.event.clone(),
            agent: reason.agent.clone(),
            why: reason.why.clone(),
        };
        Self {
            count: unrouted.count,
            last: unrouted.last.iter().map(entry).collect(),
        }
    }
}

/// `tally status --format json`.
#[derive(Debug, Serialize)]
pub(crate) struct StatusDocument<'d> {
    /// When it was drawn.
    pub at_ms: i64,
    /// Of the machine, or of the window that was asked about.
    pub rollup: Rollup,
    /// Of each repository.
    pub repos: &'d BTreeMap<String, Rollup>,
}

impl<'d> StatusDocument<'d> {
    /// A rollup of the snapshot.
    pub(crate) const fn new(snapshot: &'d Snapshot, rollup: Rollup) -> Self {
        Self {
            at_ms: snapshot.at_ms,
            rollup,
            repos: &snapshot.repos,
        }
    }
}

/// `tally explain --json`.
#[derive(Debug, Serialize)]
pub(crate) struct ExplainDocument<'d> {
    /// The session, as `tally list --json` has it.
    pub session: &'d SessionView,
    /// The evidence.
    pub explanation: &'d Explanation,
}
