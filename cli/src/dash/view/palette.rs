//! Colours, or none: those of the terminal's own theme, light or dark.

use ratatui::style::{Color, Modifier, Style};
use session_core::State;
use session_host::config::{Colour, Look};

const NAMED: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

/// Text that steps back. On no theme is it a colour of its own.
pub(super) const DIM: Style = Style::new().add_modifier(Modifier::DIM);
/// Text that stands out.
pub(super) const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
/// A line below which something begins.
pub(super) const TITLE: Style = Style::new()
    .add_modifier(Modifier::DIM)
    .add_modifier(Modifier::UNDERLINED);
/// The row of the cursor.
pub(super) const CURSOR: Modifier = Modifier::REVERSED;

/// A state's style; what waits for the person is bold.
pub(super) fn of_state(state: State, look: &Look, colour: bool) -> Style {
    let style = if state == State::Blocked {
        BOLD
    } else {
        Style::new()
    };
    match colour.then(|| terminal(look.colour(state))).flatten() {
        Some(colour) => style.fg(colour),
        None => style,
    }
}

fn terminal(colour: Colour) -> Option<Color> {
    match colour {
        Colour::Default => None,
        Colour::Named(index) => NAMED.get(usize::from(index)).copied(),
        Colour::Indexed(index) => Some(Color::Indexed(index)),
        Colour::Rgb(red, green, blue) => Some(Color::Rgb(red, green, blue)),
    }
}
