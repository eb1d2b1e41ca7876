//! The lamp's glyphs.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ids::IdError;
use crate::state::State;

/// A set of glyphs, one a state. Shape differs as well as colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GlyphSet {
    /// Icons of a patched font.
    Nerd,
    /// Plain Unicode of a width that no table disputes (case G4).
    #[default]
    Unicode,
    /// ASCII.
    Ascii,
}

impl FromStr for GlyphSet {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        match text {
            "nerd" => Ok(Self::Nerd),
            "unicode" => Ok(Self::Unicode),
            "ascii" => Ok(Self::Ascii),
            _ => Err(IdError::new(text, "a glyph set (nerd, unicode, ascii)")),
        }
    }
}

/// The glyph for a state, one column wide; empty for `none`.
#[must_use]
pub const fn glyph(set: GlyphSet, state: State) -> &'static str {
    match (set, state) {
        (_, State::None) => "",
        (GlyphSet::Nerd, State::Blocked) => "\u{f256}",
        (GlyphSet::Nerd, State::Error) => "\u{f00d}",
        (GlyphSet::Nerd, State::Working) => "\u{f021}",
        (GlyphSet::Nerd, State::Done) => "\u{f00c}",
        (GlyphSet::Nerd, State::Running) => "\u{f04b}",
        (GlyphSet::Nerd, State::Idle) => "\u{f10c}",
        (GlyphSet::Nerd, State::Unknown) => "\u{f128}",
        (GlyphSet::Unicode, State::Blocked) => "◉",
        (GlyphSet::Unicode, State::Error) => "✗",
        (GlyphSet::Unicode, State::Working) => "⟳",
        (GlyphSet::Unicode, State::Done) => "✓",
        (GlyphSet::Unicode, State::Running) => "▹",
        (GlyphSet::Unicode, State::Idle) => "◦",
        (GlyphSet::Ascii, State::Blocked) => "!",
        (GlyphSet::Ascii, State::Error) => "x",
        (GlyphSet::Ascii, State::Working) => "~",
        (GlyphSet::Ascii, State::Done) => "+",
        (GlyphSet::Ascii, State::Running) => ":",
        (GlyphSet::Ascii, State::Idle) => ".",
        (GlyphSet::Unicode | GlyphSet::Ascii, State::Unknown) => "?",
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;
    use crate::state::URGENCY;

    #[test]
    fn case_g4_every_default_glyph_is_one_column_wide_in_every_table() {
        for state in URGENCY.into_iter().filter(|state| *state != State::None) {
            for set in [GlyphSet::Unicode, GlyphSet::Ascii] {
                let glyph = glyph(set, state);
                assert_eq!(
                    (glyph.width(), glyph.width_cjk()),
                    (1, 1),
                    "{set:?} {state}"
                );
                assert!(!glyph.contains('\u{fe0f}'));
            }
        }
    }

    #[test]
    fn no_two_states_share_a_shape() {
        for set in [GlyphSet::Nerd, GlyphSet::Unicode, GlyphSet::Ascii] {
            let mut glyphs: Vec<_> = URGENCY.into_iter().map(|state| glyph(set, state)).collect();
            glyphs.sort_unstable();
            glyphs.dedup();
            assert_eq!(glyphs.len(), URGENCY.len(), "{set:?}");
        }
    }
}
