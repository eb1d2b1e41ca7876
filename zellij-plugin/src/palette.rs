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
    /// The theme that zellij has without any.
    fn default() -> Self {
        let (black, bright_gray, gray) =
            (Colour::Index(16), Colour::Index(245), Colour::Index(238));
        let green = Colour::Index(154);
        Self {
            text: Pair {
                fg: bright_gray,
                bg: gray,
            },
            active_tab: Pair {
                fg: black,
                bg: green,
            },
            chosen: Pair {
                fg: green,
                bg: gray,
            },
            emphasis: [
                Colour::Index(166),
                Colour::Index(51),
                green,
                Colour::Index(201),
            ],
            success: green,
            failure: Colour::Index(124),
        }
    }
}
