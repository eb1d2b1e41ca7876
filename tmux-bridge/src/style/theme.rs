//! The person's choice of glyphs, colours and order.

use session_core::{State, URGENCY};
use session_host::config::Look;

/// The look of the lamps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Glyphs and colours.
    pub look: Look,
    /// The states of the summary, most urgent first.
    pub urgency: Vec<State>,
}

impl Default for Theme {
    fn default() -> Self {
        Self {
            look: Look::default(),
            urgency: URGENCY.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use session_host::config::Colour;

    proptest! {
        /// A colour stands in a format that tmux expands, so it must be no more than a colour there. After a `#`, tmux
        /// reads upper-case letters as variables.
        #[test]
        fn no_colour_holds_what_a_format_is_made_of(text in "\\PC{0,12}|#[0-9a-fA-F({\\[]{6}|(bright)?(red|default)|colou?r[0-9]{1,3}") {
            if let Ok(colour) = text.parse::<Colour>() {
                let colour = colour.to_string();
                let bare = colour.strip_prefix('#').unwrap_or(&colour);
                prop_assert!(bare.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
            }
        }
    }
}
