//! The person's choice of glyphs and colours.

use std::fmt;
use std::str::FromStr;

use session_core::view::GlyphSet;
use session_core::{State, URGENCY};

/// A text that names no colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no colour of tmux; use a name such as red or brightblue, colour0 to colour255, or #rrggbb"
)]
pub struct NotAColour(String);

/// A colour of tmux: a name, `colour123` or `#rrggbb`, and nothing that a format could be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colour(String);

impl FromStr for Colour {
    type Err = NotAColour;

    /// Lower case throughout: after a `#`, tmux reads upper-case letters as variables.
    fn from_str(text: &str) -> Result<Self, NotAColour> {
        let colour = text.to_ascii_lowercase();
        let known = match colour.strip_prefix('#') {
            Some(digits) => {
                digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
            }
            None => match colour
                .strip_prefix("colour")
                .or_else(|| colour.strip_prefix("color"))
            {
                Some(number) => {
                    number.bytes().all(|byte| byte.is_ascii_digit()) && number.parse::<u8>().is_ok()
                }
                None => {
                    NAMES.contains(&colour.strip_prefix("bright").unwrap_or(&colour))
                        || colour == "default"
                }
            },
        };
        if known {
            Ok(Self(colour))
        } else {
            Err(NotAColour(text.chars().take(32).collect()))
        }
    }
}

const NAMES: [&str; 8] = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
];

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The colour of each state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colours {
    /// For `blocked`.
    pub blocked: Colour,
    /// For `error`.
    pub error: Colour,
    /// For `working`.
    pub working: Colour,
    /// For `done`.
    pub done: Colour,
    /// For `running`.
    pub running: Colour,
    /// For `idle`.
    pub idle: Colour,
    /// For `unknown`.
    pub unknown: Colour,
}

impl Default for Colours {
    fn default() -> Self {
        let colour = |name: &str| Colour(name.to_owned());
        Self {
            blocked: colour("red"),
            error: colour("magenta"),
            working: colour("yellow"),
            done: colour("green"),
            running: colour("cyan"),
            idle: colour("default"),
            unknown: colour("default"),
        }
    }
}

impl Colours {
    /// The colour of a state.
    #[must_use]
    pub const fn of(&self, state: State) -> &Colour {
        match state {
            State::Blocked => &self.blocked,
            State::Error => &self.error,
            State::Working => &self.working,
            State::Done => &self.done,
            State::Running => &self.running,
            State::Idle => &self.idle,
            State::Unknown | State::None => &self.unknown,
        }
    }
}

/// The look of the lamps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The glyphs.
    pub glyphs: GlyphSet,
    /// The colours.
    pub colours: Colours,
    /// The states of the summary, most urgent first.
    pub urgency: Vec<State>,
}

impl Default for Theme {
    fn default() -> Self {
        Self {
            glyphs: GlyphSet::default(),
            colours: Colours::default(),
            urgency: URGENCY.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("red", Some("red"))]
    #[case("BrightBlue", Some("brightblue"))]
    #[case("default", Some("default"))]
    #[case("colour245", Some("colour245"))]
    #[case("color7", Some("color7"))]
    #[case("#FFaa00", Some("#ffaa00"))]
    #[case("colour256", None)]
    #[case("colour", None)]
    #[case("brightdefault", None)]
    #[case("#fff", None)]
    #[case("#(touch)", None)]
    #[case("red,bold", None)]
    #[case("red]#(touch x)", None)]
    #[case("", None)]
    fn a_colour_is_one_of_tmuxs(#[case] text: &str, #[case] colour: Option<&str>) {
        assert_eq!(
            text.parse::<Colour>()
                .ok()
                .map(|colour| colour.to_string())
                .as_deref(),
            colour
        );
    }

    proptest! {
        #[test]
        fn no_colour_holds_what_a_format_is_made_of(text in "\\PC{0,12}|#[0-9a-fA-F({\\[]{6}") {
            if let Ok(colour) = text.parse::<Colour>() {
                let colour = colour.to_string();
                let bare = colour.strip_prefix('#').unwrap_or(&colour);
                prop_assert!(bare.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
            }
        }
    }
}
