//! Colours, or none.

use anstyle::{Ansi256Color, AnsiColor, Color, RgbColor, Style};
use session_core::State;
use session_host::config::{Colour, Look};

/// Paints text when colour is allowed, and leaves it alone when not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    colour: bool,
}

impl Paint {
    /// A painter.
    pub(crate) const fn new(colour: bool) -> Self {
        Self { colour }
    }

    /// Text in a state's colour; what waits for the person is bold.
    pub(crate) fn state(self, text: &str, state: State, look: &Look) -> String {
        let style = Style::new().fg_color(ansi(look.colour(state)));
        self.paint(
            text,
            if state == State::Blocked {
                style.bold()
            } else {
                style
            },
        )
    }

    /// Bold text.
    pub(crate) fn bold(self, text: &str) -> String {
        self.paint(text, Style::new().bold())
    }

    /// Text that steps back.
    pub(crate) fn dim(self, text: &str) -> String {
        self.paint(text, Style::new().dimmed())
    }

    fn paint(self, text: &str, style: Style) -> String {
        if self.colour && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

const NAMED: [AnsiColor; 8] = [
    AnsiColor::Black,
    AnsiColor::Red,
    AnsiColor::Green,
    AnsiColor::Yellow,
    AnsiColor::Blue,
    AnsiColor::Magenta,
    AnsiColor::Cyan,
    AnsiColor::White,
];

fn ansi(colour: Colour) -> Option<Color> {
    match colour {
        Colour::Default => None,
        Colour::Named(index) => NAMED
            .get(usize::from(index % 8))
            .map(|named| Color::Ansi(named.bright(index >= 8))),
        Colour::Indexed(index) => Some(Color::Ansi256(Ansi256Color(index))),
        Colour::Rgb(red, green, blue) => Some(Color::Rgb(RgbColor(red, green, blue))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_painted_in_the_colour_of_its_state_or_not_at_all() {
        let look = Look::default();
        assert_eq!(
            Paint::new(true).state("x", State::Blocked, &look),
            "\u{1b}[1m\u{1b}[31mx\u{1b}[0m"
        );
        assert_eq!(
            Paint::new(true).state("x", State::Idle, &look),
            "\u{1b}[38;5;245mx\u{1b}[0m"
        );
        assert_eq!(Paint::new(false).state("x", State::Blocked, &look), "x");
        assert_eq!(Paint::new(true).dim(""), "");
    }
}
