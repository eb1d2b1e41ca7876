//! The events.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ids::IdError;

/// An event that a command of the person's can be run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HookEvent {
    /// A window was opened.
    AfterNewWindow,
    /// A window is gone.
    AfterCloseWindow,
    /// Another pane of a mux session has the focus.
    AfterFocusChange,
    /// Another window of a mux session is its current one; in zellij, another tab.
    AfterWorkspaceSwitch,
    /// An agent's state has changed to one that alerts.
    AfterAgentState,
    /// A shell has finished a command.
    AfterCommandFinished,
    /// A git worktree was made. It is the one event whose commands are awaited.
    AfterNewWorktree,
    /// An agent was settled by the person.
    AfterSettle,
    /// A client was attached.
    AfterAttach,
    /// A client was detached.
    AfterDetach,
    /// A client's terminal has another size.
    AfterResize,
    /// The panes of a window are arranged in another way.
    AfterLayoutChange,
    /// Other theme colours are in force.
    AfterThemeChange,
}

/// Whose fact an event reports, and with that how often it fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The session's: once, however many clients are attached, and also when none is.
    Daemon,
    /// A client's: once for each client, and never when none is attached.
    Client,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Daemon => "daemon",
            Self::Client => "client",
        })
    }
}

impl HookEvent {
    /// All events, in the order of the reference.
    pub const ALL: [Self; 13] = [
        Self::AfterNewWindow,
        Self::AfterCloseWindow,
        Self::AfterFocusChange,
        Self::AfterWorkspaceSwitch,
        Self::AfterAgentState,
        Self::AfterCommandFinished,
        Self::AfterNewWorktree,
        Self::AfterSettle,
        Self::AfterAttach,
        Self::AfterDetach,
        Self::AfterResize,
        Self::AfterLayoutChange,
        Self::AfterThemeChange,
    ];

    /// Its name in the configuration and in `TALLY_EVENT`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::AfterNewWindow => "after-new-window",
            Self::AfterCloseWindow => "after-close-window",
            Self::AfterFocusChange => "after-focus-change",
            Self::AfterWorkspaceSwitch => "after-workspace-switch",
            Self::AfterAgentState => "after-agent-state",
            Self::AfterCommandFinished => "after-command-finished",
            Self::AfterNewWorktree => "after-new-worktree",
            Self::AfterSettle => "after-settle",
            Self::AfterAttach => "after-attach",
            Self::AfterDetach => "after-detach",
            Self::AfterResize => "after-resize",
            Self::AfterLayoutChange => "after-layout-change",
            Self::AfterThemeChange => "after-theme-change",
        }
    }

    /// Whose fact it reports.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            Self::AfterAttach
            | Self::AfterDetach
            | Self::AfterResize
            | Self::AfterLayoutChange
            | Self::AfterThemeChange => Side::Client,
            _ => Side::Daemon,
        }
    }

    /// Whether this version fires it. One that nothing fires is refused in the configuration, so that nobody waits for
    /// a command that never runs.
    #[must_use]
    pub const fn fires(self) -> bool {
        matches!(
            self,
            Self::AfterAgentState | Self::AfterNewWorktree | Self::AfterSettle
        )
    }
}

impl fmt::Display for HookEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for HookEvent {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Self::ALL
            .into_iter()
            .find(|event| event.word() == text)
            .ok_or_else(|| IdError::new(text, "an event (`tally hooks list` names them)"))
    }
}
