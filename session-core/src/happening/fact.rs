//! What is told of something that happened.

use serde::{Deserialize, Serialize};

use super::event::HookEvent;
use crate::ids::{AgentName, Mux, PaneId, SessionId, WindowId};
use crate::state::State;
use crate::time::Time;

/// Something that happened. What does not describe its event is left at its default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Happening {
    /// The event.
    pub event: HookEvent,
    /// When it happened.
    pub at: Time,
    /// Where.
    #[serde(default)]
    pub place: PlaceFact,
    /// What an agent does.
    #[serde(default)]
    pub agent: AgentFact,
    /// A command that a shell has finished.
    #[serde(default)]
    pub command: CommandFact,
    /// The theme in force.
    #[serde(default)]
    pub theme: ThemeFact,
    /// A git worktree.
    #[serde(default)]
    pub worktree: WorktreeFact,
    /// What settled an agent: `person` for one that the person settled.
    #[serde(default)]
    pub settle_reason: String,
}

/// Where something happened, as the multiplexer names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceFact {
    /// The multiplexer.
    pub mux: Option<Mux>,
    /// The server's socket, or the name of a zellij session.
    pub server: String,
    /// The mux session's name.
    pub mux_session: String,
    /// The window.
    pub window: Option<WindowId>,
    /// Its name.
    pub window_name: String,
    /// The pane.
    pub pane: Option<PaneId>,
    /// The index of the window, which is the workspace of a mux session; in zellij, of the tab.
    pub workspace: u32,
    /// The index of the one before.
    pub workspace_before: u32,
    /// The layout, as the multiplexer writes it down.
    pub layout: String,
    /// The columns of a client's terminal.
    pub width: u32,
    /// Its rows.
    pub height: u32,
    /// The client: its terminal in tmux.
    pub client: String,
    /// The folder.
    pub folder: String,
}

/// What an agent does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentFact {
    /// The session.
    pub session: Option<SessionId>,
    /// The state it moved to.
    pub state: Option<State>,
    /// The state it moved from.
    pub before: Option<State>,
    /// The agent.
    pub harness: Option<AgentName>,
    /// The agent's own words, cleaned (case K3).
    pub message: String,
}

/// A command that a shell has finished.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandFact {
    /// The command line, cut and with likely secrets masked.
    pub line: String,
    /// Its exit status, when the shell told one.
    pub exit: Option<i32>,
    /// How long it ran, in milliseconds.
    pub ms: Option<u64>,
}

/// The theme in force.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThemeFact {
    /// Its id.
    pub id: String,
    /// The background as `#rrggbb`; empty when it is not known.
    pub background: String,
    /// Whether the background is light.
    pub light: bool,
}

/// A git worktree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorktreeFact {
    /// Its folder.
    pub path: String,
    /// The branch that it has checked out.
    pub branch: String,
    /// The main checkout it was made from.
    pub repo_root: String,
    /// Whether the branch is new.
    pub created_branch: bool,
}

impl Happening {
    /// Something that happened, of which no more is told yet.
    #[must_use]
    pub fn new(event: HookEvent, at: Time) -> Self {
        Self {
            event,
            at,
            place: PlaceFact::default(),
            agent: AgentFact::default(),
            command: CommandFact::default(),
            theme: ThemeFact::default(),
            worktree: WorktreeFact::default(),
            settle_reason: String::new(),
        }
    }

    /// What it is one of a row of: commands of one row run one after the other, in the order in which things happened.
    #[must_use]
    pub fn row(&self) -> String {
        match self.agent.session {
            Some(session) => format!("agent {session}"),
            None => format!("{} {}", self.place.server, self.place.mux_session),
        }
    }
}
