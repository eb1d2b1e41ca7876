//! How states look: zellij's theme, then the person's configuration, then the layout.

use session_core::State;
use session_core::view::{GlyphSet, glyph};
use session_core::wire::Theme;

use crate::paint::{Colour, Style};
use crate::palette::{Pair, Palette};
use crate::settings::Settings;

/// Everything that decides on colours and glyphs.
#[derive(Clone, Copy, Debug)]
pub struct Look<'s> {
    palette: Palette,
    theme: &'s Theme,
    settings: &'s Settings,
}

impl<'s> Look<'s> {
    /// The look that follows from the three, the last being the strongest.
    #[must_use]
    pub const fn new(palette: Palette, theme: &'s Theme, settings: &'s Settings) -> Self {
        Self {
            palette,
            theme,
            settings,
        }
    }

    /// The glyphs.
    #[must_use]
    pub fn glyphs(&self) -> GlyphSet {
        self.settings.glyphs.unwrap_or(self.theme.glyphs)
    }

    /// The glyph of a state.
    #[must_use]
    pub fn glyph(&self, state: State) -> &'static str {
        glyph(self.glyphs(), state)
    }

    /// Plain text on the bar.
    #[must_use]
    pub fn text(&self) -> Style {
        Style::new(
            self.settings.foreground.unwrap_or(self.palette.text.fg),
            self.settings.background.unwrap_or(self.palette.text.bg),
        )
    }

    /// A tab's name.
    #[must_use]
    pub fn tab(&self, active: bool) -> Style {
        if active {
            pair(self.palette.active_tab).bold()
        } else {
            self.text()
        }
    }

    /// A state's lamp on the bar: plain where it merely tells, and on a ground of its own where it calls.
    #[must_use]
    pub fn lamp(&self, state: State) -> Style {
        match state {
            State::Blocked | State::Error => self.call(state),
            State::Idle | State::Unknown | State::None => self.letters(state),
            State::Working | State::Done | State::Running => self.letters(state).bold(),
        }
    }

    /// A state's colour as letters on the bar.
    #[must_use]
    pub fn letters(&self, state: State) -> Style {
        self.letters_on(state, self.text())
    }

    /// A state's colour as letters on another ground; a theme's colour is made readable there, a chosen one is kept.
    #[must_use]
    pub fn letters_on(&self, state: State, ground: Style) -> Style {
        let fg = match self.chosen_colour(state) {
            Some(chosen) => chosen,
            None => self.of_theme(state).readable_on(ground.bg),
        };
        Style { fg, ..ground }
    }

    fn call(&self, state: State) -> Style {
        let ground = self.colour(state);
        match ground.letters_on() {
            Colour::Default => self.text().bold(),
            letters => Style::new(letters, ground).bold(),
        }
    }

    /// An input mode that changes what keys do.
    #[must_use]
    pub fn mode(&self, quiet: bool) -> Style {
        if quiet {
            return self.text();
        }
        Style {
            fg: self.emphasis(0),
            ..self.text()
        }
        .bold()
    }

    /// The chosen row of a list.
    #[must_use]
    pub fn chosen(&self) -> Style {
        pair(self.palette.chosen)
    }

    /// A colour of the theme for emphasis.
    #[must_use]
    pub fn emphasis(&self, level: usize) -> Colour {
        let colour = self.palette.emphasis.get(level);
        colour.copied().unwrap_or(self.palette.text.fg)
    }

    fn colour(&self, state: State) -> Colour {
        self.chosen_colour(state)
            .unwrap_or_else(|| self.of_theme(state))
    }

    /// The colour that the person chose for a state.
    fn chosen_colour(&self, state: State) -> Option<Colour> {
        let word = state.word();
        let configured = || self.theme.colours.get(word)?.parse().ok();
        self.settings.colours.get(word).copied().or_else(configured)
    }

    fn of_theme(&self, state: State) -> Colour {
        match state {
            State::Blocked => self.palette.failure,
            State::Error => self.emphasis(3),
            State::Working => self.emphasis(0),
            State::Done => self.palette.success,
            State::Running => self.emphasis(1),
            State::Idle | State::Unknown | State::None => self.text().fg,
        }
    }
}

fn pair(pair: Pair) -> Style {
    Style::new(pair.fg, pair.bg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_stronger_than_the_configuration_and_that_than_the_theme() {
        let mut theme = Theme::default();
        let mut settings = Settings::default();
        let fg = |theme: &Theme, settings: &Settings| {
            Look::new(Palette::default(), theme, settings)
                .letters(State::Done)
                .fg
        };
        assert_eq!(fg(&theme, &settings), Palette::default().success);
        theme.colours.insert("done".into(), "blue".into());
        assert_eq!(fg(&theme, &settings), Colour::Index(4));
        settings.colours.insert("done", Colour::Index(9));
        assert_eq!(fg(&theme, &settings), Colour::Index(9));
    }

    #[test]
    fn a_colour_that_is_none_falls_back_to_the_theme() {
        let mut theme = Theme::default();
        theme.colours.insert("done".into(), "\u{1b}[31m".into());
        let settings = Settings::default();
        let look = Look::new(Palette::default(), &theme, &settings);
        assert_eq!(look.letters(State::Done).fg, Palette::default().success);
    }
}
