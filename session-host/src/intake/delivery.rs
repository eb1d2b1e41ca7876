//! A signal on its way into the store.

use serde::{Deserialize, Serialize};
use session_core::{AgentName, SessionId, Signal};

use crate::bridge::ProbedPane;
use crate::identity::Origin;

/// A signal and all that was found out about it when it was sent: enough to take it in later, by another process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The signal.
    pub signal: Signal,
    /// Where it comes from.
    pub origin: Origin,
    /// Whom it is about, when the person said so: a reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The file in which the agent keeps its own state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry_path: Option<String>,
    /// The directory the agent works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// What a session that begins with it is declared to report as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reports_as: Option<AgentName>,
    /// What the multiplexer said about the pane.
    #[serde(default)]
    pub probed: Probed,
    /// Whether a sandbox kept it from going the straight way (case D8).
    #[serde(default)]
    pub sandboxed: bool,
}

/// What the multiplexer said about a pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Probed {
    /// It was not asked.
    #[default]
    NotAsked,
    /// It has the pane.
    Pane(ProbedPane),
    /// It has no such pane.
    NoSuchPane,
    /// It gave no answer, which proves nothing.
    NoAnswer,
}

/// What became of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivered {
    /// The session has it.
    Taken(SessionId),
    /// The session has it already.
    Repeated(SessionId),
    /// It changes nothing, for this reason.
    Refused(String),
    /// Its pane is not known, for this reason; it was counted.
    Unrouted(String),
    /// The multiplexer has to be asked about the pane first; nothing has changed.
    AskFirst,
}
