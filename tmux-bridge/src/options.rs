//! The names of our options, and where they are set.

use session_core::{MuxSessionId, PaneId, WindowId};

use crate::command::{Line, Target};

/// The name of an option of ours: `@tally_NAME`, and in a debug build `@tally_dev_NAME`.
macro_rules! option_name {
    ($name:literal) => {
        if cfg!(debug_assertions) { concat!("@tally_dev_", $name) } else { concat!("@tally_", $name) }
    };
}
pub(crate) use option_name;

/// What the names of this build's options begin with.
pub(crate) const PREFIX: &str = option_name!("");

/// Where an option is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The server: tmux's global session options.
    Global,
    /// One mux session.
    MuxSession(MuxSessionId),
    /// One window.
    Window(WindowId),
    /// One pane.
    Pane(PaneId),
}

impl Scope {
    /// The command that sets the option. Quiet, so that a pane that has just gone does not stop the batch (facts §5).
    #[must_use]
    pub fn set(self, name: &str, value: &str) -> Line {
        self.aim(Line::new("set-option"), ["-qg", "-q", "-qw", "-qp"]).value(name).value(value)
    }

    /// The command that unsets the option.
    #[must_use]
    pub fn unset(self, name: &str) -> Line {
        self.aim(Line::new("set-option"), ["-qgu", "-qu", "-qwu", "-qpu"]).value(name)
    }

    /// The command that prints all options set there, and nowhere else.
    #[must_use]
    pub fn show(self) -> Line {
        self.aim(Line::new("show-options"), ["-qg", "-q", "-qw", "-qp"])
    }

    fn aim(self, line: Line, [global, session, window, pane]: [&'static str; 4]) -> Line {
        match self {
            Self::Global => line.flag(global),
            Self::MuxSession(id) => line.flag(session).target(&Target::MuxSession(id)),
            Self::Window(id) => line.flag(window).target(&Target::Window(id)),
            Self::Pane(id) => line.flag(pane).target(&Target::Pane(id)),
        }
    }
}
