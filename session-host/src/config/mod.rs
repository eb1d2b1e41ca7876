//! The person's configuration: one TOML file, every key with a default.
//!
//! A bad file never stops anything. An unknown key is reported with its line, a bad value is reported and the
//! default is used, and a file that is no TOML counts as empty. [`DEFAULT_TOML`] is the reference: it holds every
//! key with its default and says what it is for.

mod colour;
mod hooks;
mod key;
mod load;

use session_core::happening::Alerts;
use session_core::view::GlyphSet;
use session_core::{Policy, State};

pub use colour::{Colour, ColourError};
pub use key::{KEYS, Key};
pub use load::{Loaded, Note, load, parse};

use crate::hooks::HookTable;

/// The reference: every key, its default, and what it is for.
pub const DEFAULT_TOML: &str = include_str!("default.toml");

/// All settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Time limits and urgency: what decides a state.
    pub policy: Policy,
    /// How states look, in every face.
    pub look: Look,
    /// How tmux is followed.
    pub tmux: Tmux,
    /// How zellij is fed.
    pub zellij: Zellij,
    /// Which states of agents alert.
    pub alerts: Alerts,
    /// The person's own commands.
    pub hooks: HookTable,
}

/// How states look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The lamp's glyphs.
    pub glyphs: GlyphSet,
    colours: [(State, Colour); 7],
}

impl Look {
    /// The colour of a state; the terminal's own for `none`.
    #[must_use]
    pub fn colour(&self, state: State) -> Colour {
        self.colours
            .iter()
            .find(|(known, _)| *known == state)
            .map_or(Colour::Default, |(_, colour)| *colour)
    }

    /// Gives a state a colour; `none` has none.
    pub fn set_colour(&mut self, state: State, colour: Colour) {
        if let Some((_, known)) = self.colours.iter_mut().find(|(known, _)| *known == state) {
            *known = colour;
        }
    }
}

impl Default for Look {
    fn default() -> Self {
        Self {
            glyphs: GlyphSet::default(),
            colours: [
                (State::Blocked, Colour::Named(1)),
                (State::Error, Colour::Named(5)),
                (State::Working, Colour::Named(3)),
                (State::Done, Colour::Named(2)),
                (State::Running, Colour::Named(6)),
                (State::Idle, Colour::Indexed(245)),
                (State::Unknown, Colour::Indexed(240)),
            ],
        }
    }
}

/// How tmux is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tmux {
    /// Whether hooks at Tallylight's own index wake the daemon; without them it follows in control mode.
    pub wake_hooks: bool,
}

impl Default for Tmux {
    fn default() -> Self {
        Self { wake_hooks: true }
    }
}

/// How zellij is fed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zellij {
    /// Whether bars of zjstatus are fed as well, through their widget `pipe_tally`.
    pub zjstatus: bool,
}
