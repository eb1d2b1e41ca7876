//! How a text is drawn.

use super::Colour;

/// Colours and weight of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// The colour of the letters.
    pub fg: Colour,
    /// The colour behind them.
    pub bg: Colour,
    /// Bold.
    pub bold: bool,
    /// Faint.
    pub dim: bool,
}

impl Style {
    /// Plain letters in these colours.
    #[must_use]
    pub const fn new(fg: Colour, bg: Colour) -> Self {
        Self {
            fg,
            bg,
            bold: false,
            dim: false,
        }
    }

    /// The same in bold.
    #[must_use]
    pub const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// The same, faint.
    #[must_use]
    pub const fn dim(self) -> Self {
        Self { dim: true, ..self }
    }

    /// The escape sequence that selects it, whatever was selected before.
    pub(super) fn select(self, out: &mut String) {
        out.push_str("\u{1b}[0");
        if self.bold {
            out.push_str(";1");
        }
        if self.dim {
            out.push_str(";2");
        }
        colour(out, 38, self.fg);
        colour(out, 48, self.bg);
        out.push('m');
    }
}

fn colour(out: &mut String, layer: u8, colour: Colour) {
    match colour {
        Colour::Default => {}
        Colour::Index(index) => out.push_str(&format!(";{layer};5;{index}")),
        Colour::Rgb(red, green, blue) => {
            out.push_str(&format!(";{layer};2;{red};{green};{blue}"));
        }
    }
}
