//! A terminal's colours.

use std::str::FromStr;

/// A text that names no colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAColour;

/// A colour of the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// The terminal's own.
    #[default]
    Default,
    /// One of the 256 of its table.
    Index(u8),
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

const NAMES: [&str; 8] = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
];

impl Colour {
    /// Black or white, whichever is easier to read on this colour.
    #[must_use]
    pub fn letters_on(self) -> Self {
        match self.brightness() {
            None => Self::Default,
            Some(brightness) if brightness > 110 => Self::Index(16),
            Some(_) => Self::Index(231),
        }
    }

    /// This colour, or one like it that is easier to read on this ground.
    #[must_use]
    pub fn readable_on(self, ground: Self) -> Self {
        let (Some(own), Some(other)) = (self.brightness(), ground.brightness()) else {
            return self;
        };
        if own.abs_diff(other) >= 60 {
            return self;
        }
        let lighter = other < 128;
        match self {
            Self::Default => self,
            Self::Rgb(red, green, blue) => {
                let part = |part: u8| {
                    if lighter {
                        part + (255 - part) / 2
                    } else {
                        part / 2
                    }
                };
                Self::Rgb(part(red), part(green), part(blue))
            }
            Self::Index(index @ 0..8) if lighter => Self::Index(index + 8),
            Self::Index(index @ 8..16) if !lighter => Self::Index(index - 8),
            Self::Index(index @ 16..232) => {
                let cube = index - 16;
                let step = |step: u8| {
                    if lighter {
                        (step + 2).min(5)
                    } else {
                        step.saturating_sub(2)
                    }
                };
                Self::Index(16 + 36 * step(cube / 36) + 6 * step(cube / 6 % 6) + step(cube % 6))
            }
            Self::Index(_) => self,
        }
    }

    /// How bright it looks, from 0 to 255; unknown for the terminal's own.
    fn brightness(self) -> Option<u32> {
        let (red, green, blue) = match self {
            Self::Default => return None,
            Self::Rgb(red, green, blue) => (red, green, blue),
            Self::Index(index) => of_table(index),
        };
        let weighed = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
        Some(weighed / 1_000)
    }
}

/// The colours that most terminals give the numbers of their table.
fn of_table(index: u8) -> (u8, u8, u8) {
    match index {
        0..16 => {
            let level = if index < 8 { 170 } else { 255 };
            let part = |bit: u8| if index & bit == 0 { 0 } else { level };
            (part(1), part(2), part(4))
        }
        16..232 => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let cube = index - 16;
            (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
        232.. => {
            let gray = 8 + 10 * (index - 232);
            (gray, gray, gray)
        }
    }
}

impl FromStr for Colour {
    type Err = NotAColour;

    /// The words that tmux knows too: `red`, `brightblue`, `colour245`, `#rrggbb`, `default`.
    fn from_str(text: &str) -> Result<Self, NotAColour> {
        let text = text.to_ascii_lowercase();
        if text == "default" {
            return Ok(Self::Default);
        }
        if let Some(digits) = text.strip_prefix('#') {
            return rgb(digits).ok_or(NotAColour);
        }
        if let Some(number) = text
            .strip_prefix("colour")
            .or_else(|| text.strip_prefix("color"))
        {
            return number.parse().map(Self::Index).map_err(|_| NotAColour);
        }
        let (name, bright) = match text.strip_prefix("bright") {
            Some(name) => (name, 8),
            None => (text.as_str(), 0),
        };
        let index = NAMES.iter().position(|known| *known == name);
        index
            .and_then(|index| u8::try_from(index).ok())
            .map(|index| Self::Index(index + bright))
            .ok_or(NotAColour)
    }
}

fn rgb(digits: &str) -> Option<Colour> {
    if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let part = |from: usize| u8::from_str_radix(digits.get(from..from + 2)?, 16).ok();
    Some(Colour::Rgb(part(0)?, part(2)?, part(4)?))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(Colour::Index(124), Colour::Index(231))]
    #[case(Colour::Index(154), Colour::Index(16))]
    #[case(Colour::Rgb(243, 139, 168), Colour::Index(16))]
    #[case(Colour::Index(255), Colour::Index(16))]
    #[case(Colour::Index(0), Colour::Index(231))]
    fn letters_stand_out_from_their_ground(#[case] ground: Colour, #[case] letters: Colour) {
        assert_eq!(ground.letters_on(), letters);
    }

    #[rstest]
    #[case(Colour::Index(124), Colour::Index(16), Colour::Index(210))]
    #[case(Colour::Index(154), Colour::Index(238), Colour::Index(154))]
    #[case(
        Colour::Rgb(250, 240, 20),
        Colour::Rgb(255, 255, 255),
        Colour::Rgb(125, 120, 10)
    )]
    #[case(Colour::Index(1), Colour::Index(0), Colour::Index(9))]
    #[case(Colour::Index(1), Colour::Default, Colour::Index(1))]
    fn letters_that_would_drown_are_made_lighter_or_darker(
        #[case] letters: Colour,
        #[case] ground: Colour,
        #[case] readable: Colour,
    ) {
        assert_eq!(letters.readable_on(ground), readable);
    }

    #[rstest]
    #[case("red", Some(Colour::Index(1)))]
    #[case("BrightBlue", Some(Colour::Index(12)))]
    #[case("default", Some(Colour::Default))]
    #[case("colour245", Some(Colour::Index(245)))]
    #[case("color7", Some(Colour::Index(7)))]
    #[case("#FFaa00", Some(Colour::Rgb(255, 170, 0)))]
    #[case("colour256", None)]
    #[case("#fff", None)]
    #[case("#日本", None)]
    #[case("brightdefault", None)]
    #[case("\u{1b}[31m", None)]
    #[case("", None)]
    fn a_colour_is_a_word_a_number_or_a_triple(#[case] text: &str, #[case] colour: Option<Colour>) {
        assert_eq!(text.parse().ok(), colour);
    }
}
