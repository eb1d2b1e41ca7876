//! The record of a session: all that is known about it, in one row.

use serde::{Deserialize, Serialize};

use crate::act::Signal;
use crate::away::Away;
use crate::evidence::EvidenceSource;
use crate::ids::{AgentName, MachineId, PaneKey, SessionId};
use crate::launch::Launch;
use crate::place::Exit;
use crate::state::{BlockedKind, ErrorKind, State};
use crate::time::Time;
use crate::turn::Turn;

/// A process, never mistaken for a later one with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProcessRef {
    /// Its process id.
    pub pid: u32,
    /// Its start time in the unit of its platform (Linux: clock ticks since boot).
    pub started: u64,
}

/// Whether the processes in the pane agree with what the signals claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Corroboration {
    /// The session's agent holds the foreground.
    Agent,
    /// Another known agent does.
    ForeignAgent,
    /// A shell at its prompt does.
    Shell,
    /// Some other program does.
    Other,
    /// A program behind which anything may run: `ssh`, a container, another multiplexer (case B10).
    Remote,
    /// The session's agent is stopped, as by Ctrl-Z, and somebody else does.
    Suspended,
    /// The pane's process has ended.
    Dead,
    /// Nobody has looked, or it cannot be known (another machine, another user).
    #[default]
    Unknown,
}

impl Corroboration {
    /// The word used in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::ForeignAgent => "foreign-agent",
            Self::Shell => "shell",
            Self::Other => "other",
            Self::Remote => "remote",
            Self::Suspended => "suspended",
            Self::Dead => "dead",
            Self::Unknown => "unknown",
        }
    }
}

/// What an agent's own registry says it is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RegistryStatus {
    /// A turn is open.
    Working,
    /// At rest while a background command runs.
    Background,
    /// It waits for the person.
    Blocked,
    /// At rest.
    Idle,
}

/// One reading of an agent's own registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryReport {
    /// What it says.
    pub status: RegistryStatus,
    /// What the agent waits for, when it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<BlockedKind>,
    /// When the agent wrote it.
    pub at: Time,
    /// When it was read: only a reading that is newer than the signals can contradict them.
    pub read: Time,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoneWhy {
    /// The agent said goodbye.
    Ended,
    /// The agent's process is gone.
    AgentExited,
    /// The pane's process ended.
    PaneDead,
    /// The pane was closed.
    PaneClosed,
    /// The pane was given a new process.
    PaneRespawned,
    /// The server is gone.
    ServerGone,
    /// Another agent's session took the pane over.
    Replaced,
}

impl GoneWhy {
    /// The reason in words, for people.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Ended => "agent ended its session",
            Self::AgentExited => "agent exited",
            Self::PaneDead => "pane's process ended",
            Self::PaneClosed => "pane closed",
            Self::PaneRespawned => "pane respawned",
            Self::ServerGone => "server gone",
            Self::Replaced => "replaced by another session in the pane",
        }
    }
}

/// The end of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gone {
    /// When it was noticed.
    pub at: Time,
    /// Why.
    pub why: GoneWhy,
}

/// How many refused reports a record keeps.
const REFUSED_KEPT: usize = 5;

/// A report that changed nothing, kept so that `tally explain` can say why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// When it was refused.
    pub at: Time,
    /// What was reported.
    pub event: String,
    /// Why it changed nothing.
    pub why: String,
}

/// What was shown last, and since when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The state.
    pub state: State,
    /// What a blocked session waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked_kind: Option<BlockedKind>,
    /// Why a failed turn failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_kind: Option<ErrorKind>,
    /// The evidence it rests on.
    pub source: EvidenceSource,
    /// Since when.
    pub since: Time,
}

/// One agent's life in one pane.
///
/// The whole record lies in one row of the store, so that whoever holds the transaction can run the same
/// pure function on the same state (design §4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Its id, unique everywhere.
    pub id: SessionId,
    /// The machine it runs on.
    pub machine: MachineId,
    /// When it was first seen.
    pub born: Time,
    /// The agent, as it named itself or as its process was recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    /// The agent whose coverage it is read against, when a person declared one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reports_as: Option<AgentName>,
    /// A name given by the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What Tallylight started in its pane, when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<Launch>,
    /// The pane it lives in; `None` outside every multiplexer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pane: Option<PaneKey>,
    /// The process the multiplexer started in that pane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pane_pid: Option<u32>,
    /// The agent's process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<ProcessRef>,
    /// The agent's own id of its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_session: Option<String>,
    /// The directory it works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The repository that directory belongs to (its main checkout, for a worktree).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    /// The file in which the agent keeps its own state, when it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry_path: Option<String>,

    /// The turn book up to the oldest of `recent`.
    #[serde(default)]
    pub settled: Turn,
    /// The newest signals, in order of their start stamps: a late one is put in its place and the book is
    /// read again from `settled`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recent: Vec<Signal>,
    /// The turn book after `recent`.
    #[serde(default)]
    pub turn: Turn,

    /// The newest reading of the agent's own registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry: Option<RegistryReport>,
    /// Whether the processes in the pane agree.
    #[serde(default)]
    pub corroboration: Corroboration,
    /// How the pane's process ended, while the pane is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
    /// When that was noticed.
    #[serde(default)]
    pub exit_at: Time,
    /// When the pane last printed something, as far as anybody watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Time>,
    /// Since when a person looks at the pane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewed_since: Option<Time>,
    /// The newest turn that the person has acknowledged.
    #[serde(default)]
    pub acknowledged: u64,
    /// When it was acknowledged.
    #[serde(default)]
    pub acknowledged_at: Time,
    /// What the person has done about its place in the list of those that need them. An older Tallylight that writes the
    /// record back leaves it out: the session is in the list again, and nothing is missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub away: Option<Away>,
    /// What was shown last.
    pub shown: Shown,
    /// The last few reports that changed nothing, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refused>,
    /// Set once the session is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<Gone>,
}

impl Session {
    /// A session nobody has reported anything about yet.
    #[must_use]
    pub fn new(id: SessionId, machine: MachineId, pane: Option<PaneKey>, now: Time) -> Self {
        Self {
            id,
            machine,
            born: now,
            agent: None,
            reports_as: None,
            name: None,
            launch: None,
            pane,
            pane_pid: None,
            process: None,
            agent_session: None,
            cwd: None,
            repo: None,
            registry_path: None,
            settled: Turn::default(),
            recent: Vec::new(),
            turn: Turn::default(),
            registry: None,
            corroboration: Corroboration::Unknown,
            exit: None,
            exit_at: Time::default(),
            output: None,
            viewed_since: None,
            acknowledged: 0,
            acknowledged_at: Time::default(),
            away: None,
            shown: Shown {
                state: State::None,
                blocked_kind: None,
                error_kind: None,
                source: EvidenceSource::None,
                since: now,
            },
            refused: Vec::new(),
            gone: None,
        }
    }

    /// Notes a report that changes nothing, for `tally explain`; of equal ones the newest.
    pub fn refuse(&mut self, event: String, why: &str, now: Time) {
        self.refused
            .retain(|known| known.event != event || known.why != why);
        self.refused.push(Refused {
            at: now,
            event,
            why: why.to_owned(),
        });
        let surplus = self.refused.len().saturating_sub(REFUSED_KEPT);
        self.refused.drain(..surplus);
    }

    /// The agent its coverage is read against: the declared one, else the one that was heard or seen.
    #[must_use]
    pub fn covered_as(&self) -> Option<&AgentName> {
        self.reports_as.as_ref().or(self.agent.as_ref())
    }
}
