//! All that a bar is drawn from.

use session_core::State;
use session_core::wire::Down;

use crate::layout::Layout;
use crate::look::Look;
use crate::mode::Mode;
use crate::settings::Settings;

/// All that a bar is drawn from, at one time.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'s> {
    /// The tabs and panes.
    pub layout: &'s Layout,
    /// The input mode and the session's name.
    pub mode: &'s Mode,
    /// The agents, or why nothing is known of them.
    pub picture: Result<&'s Down, Doubt>,
    /// Colours and glyphs.
    pub look: Look<'s>,
    /// What the person wants to see.
    pub settings: &'s Settings,
    /// The time, in milliseconds since the Unix epoch.
    pub now_ms: i64,
}

impl Scene<'_> {
    /// The states, most urgent first.
    #[must_use]
    pub fn urgency(&self) -> &[State] {
        match self.picture {
            Ok(picture) if !picture.theme.urgency.is_empty() => &picture.theme.urgency,
            _ => &session_core::URGENCY,
        }
    }
}

/// Why nothing is known of the agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// No picture has come yet.
    Unheard,
    /// The daemon has ended.
    Away,
    /// The daemon is newer than this plugin.
    Outdated,
}

impl Doubt {
    /// What to say about it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Unheard => "unknown",
            Self::Away => "tally is away",
            Self::Outdated => "reload the plugin",
        }
    }

    /// What helps, where that is not said yet.
    #[must_use]
    pub const fn cure(self) -> Option<&'static str> {
        match self {
            Self::Unheard | Self::Away => Some("run tally up"),
            Self::Outdated => None,
        }
    }
}
