//! The colours of zellij's theme, as far as a bar uses them.

use crate::paint::Colour;

/// Letters on a ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The letters.
    pub fg: Colour,
    /// The ground.
    pub bg: Colour,
}

/// The colours of the theme in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// The bar itself.
    pub text: Pair,
    /// The tab that is shown.
    pub active_tab: Pair,
    /// The chosen row of a list.
    pub chosen: Pair,
    /// The colours for emphasis; in zellij's own theme orange, cyan, green and magenta.
    pub emphasis: [Colour; 4],
    /// Success.
    pub success: Colour,
    /// Failure.
    pub failure: Colour,
}

impl Default for Palette {
    /// The terminal's own colours, until zellij tells its theme.
    fn default() -> Self {
        let (black, green) = (Colour::Index(16), Colour::Index(2));
        Self {
            text: Pair {
                fg: Colour::Default,
                bg: Colour::Default,
            },
            active_tab: Pair {
                fg: black,
                bg: green,
            },
            chosen: Pair {
                fg: black,
                bg: Colour::Index(7),
            },
            emphasis: [Colour::Index(3), Colour::Index(6), green, Colour::Index(5)],
            success: green,
            failure: Colour::Index(1),
        }
    }
}
