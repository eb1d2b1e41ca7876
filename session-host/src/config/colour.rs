//! Colours, in the words of tmux.

use std::fmt;
use std::str::FromStr;

/// A colour that tmux and terminals know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// The terminal's own.
    Default,
    /// One of the sixteen that a terminal's theme sets: 0 to 7, and 8 to 15 for the bright ones.
    Named(u8),
    /// A number of the 256-colour table.
    Indexed(u8),
    /// Red, green, blue.
    Rgb(u8, u8, u8),
}

/// A text that is no colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a colour: give a name such as red or brightred, colour0 to colour255, or #rrggbb"
)]
pub struct ColourError(String);

const NAMES: [&str; 8] = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
];

impl FromStr for Colour {
    type Err = ColourError;

    fn from_str(text: &str) -> Result<Self, ColourError> {
        let lower = text.to_ascii_lowercase();
        parse(&lower).ok_or_else(|| ColourError(text.chars().take(32).collect()))
    }
}

fn parse(text: &str) -> Option<Colour> {
    if text == "default" {
        return Some(Colour::Default);
    }
    if let Some(digits) = text.strip_prefix('#') {
        let all_hex = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        return all_hex.then_some(Colour::Rgb(red, green, blue));
    }
    if let Some(number) = text
        .strip_prefix("colour")
        .or_else(|| text.strip_prefix("color"))
    {
        let all_digits = number.bytes().all(|byte| byte.is_ascii_digit());
        return number
            .parse()
            .ok()
            .filter(|_| all_digits)
            .map(Colour::Indexed);
    }
    let (name, offset) = match text.strip_prefix("bright") {
        Some(name) => (name, 8),
        None => (text, 0),
    };
    (0_u8..)
        .zip(NAMES)
        .find(|(_, known)| *known == name)
        .map(|(index, _)| Colour::Named(index + offset))
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Named(index) => {
                let bright = if *index >= 8 { "bright" } else { "" };
                let name = NAMES
                    .get(usize::from(index % 8))
                    .copied()
                    .unwrap_or("default");
                write!(f, "{bright}{name}")
            }
            Self::Indexed(index) => write!(f, "colour{index}"),
            Self::Rgb(red, green, blue) => write!(f, "#{red:02x}{green:02x}{blue:02x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("red", "red")]
    #[case("BrightCyan", "brightcyan")]
    #[case("color7", "colour7")]
    #[case("colour255", "colour255")]
    #[case("#FF8800", "#ff8800")]
    #[case("default", "default")]
    fn a_colour_reads_back_in_tmux_words(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(text.parse::<Colour>().unwrap().to_string(), shown);
    }

    #[rstest]
    #[case("")]
    #[case("bright")]
    #[case("colour256")]
    #[case("colour+1")]
    #[case("#ff88")]
    #[case("#+f8800")]
    #[case("red,bold")]
    #[case("#(touch x)")]
    fn nothing_but_a_colour_is_one(#[case] text: &str) {
        assert!(text.parse::<Colour>().is_err());
    }
}
