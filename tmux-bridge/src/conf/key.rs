//! The key that opens the picker.

use std::fmt;
use std::str::FromStr;

/// A key behind the prefix, by the name that tmux gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

/// A text that is no key we would bind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a key: give a letter or a digit, or one with C- or M- before it")]
pub struct KeyError(String);

impl Key {
    /// Its name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let bare = text
            .strip_prefix("C-")
            .or_else(|| text.strip_prefix("M-"))
            .unwrap_or(text);
        let mut letters = bare.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if letter.is_ascii_alphanumeric() => Ok(Self(text.to_owned())),
            _ => Err(KeyError(text.chars().take(32).collect())),
        }
    }
}

/// Whether a line of a `tmux.conf` binds the key behind the prefix.
pub(super) fn binds(line: &str, key: &Key) -> bool {
    let mut words = line.split_whitespace();
    if !matches!(words.next(), Some("bind" | "bind-key")) {
        return false;
    }
    while let Some(word) = words.next() {
        match word {
            "-n" => return false,
            "-T" if words.next() != Some("prefix") => return false,
            "-N" => drop(words.next()),
            _ if word.len() > 1 && word.starts_with('-') => {}
            _ => return word.trim_matches(['"', '\'']) == key.as_str(),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("a", true)]
    #[case("C-a", true)]
    #[case("M-7", true)]
    #[case("", false)]
    #[case("ab", false)]
    #[case("a;", false)]
    #[case("\"", false)]
    #[case("C-", false)]
    fn a_key_is_a_letter_or_a_digit(#[case] text: &str, #[case] is_key: bool) {
        assert_eq!(text.parse::<Key>().is_ok(), is_key);
    }

    #[rstest]
    #[case("bind a display-panes", true)]
    #[case("  bind-key -r 'a' next-window", true)]
    #[case("bind -T prefix a x", true)]
    #[case("bind -n a x", false)]
    #[case("bind -T copy-mode a x", false)]
    #[case("bind b a", false)]
    #[case("# bind a x", false)]
    fn a_binding_of_the_same_key_is_seen(#[case] line: &str, #[case] is_bound: bool) {
        assert_eq!(binds(line, &"a".parse().unwrap()), is_bound);
    }
}
