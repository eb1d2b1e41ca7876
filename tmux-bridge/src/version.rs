//! tmux's versions, and what each can do (facts §12).

use std::fmt;
use std::str::FromStr;

/// The version of a server or a client, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// 3 in `3.3a`.
    pub major: u32,
    /// 3 in `3.3a`.
    pub minor: u32,
}

/// A text that names no version of tmux.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no version of tmux")]
pub struct NoVersion(String);

impl Version {
    /// The oldest version that is supported.
    pub const FLOOR: Self = Self::new(3, 2);

    /// A version that nobody has seen yet, which can do all that is known.
    pub const NEWEST: Self = Self::new(u32::MAX, 0);

    /// A version.
    #[must_use]
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }

    /// Whether the hooks `client-focus-in` and `client-focus-out` exist.
    #[must_use]
    pub fn has_client_focus_hooks(self) -> bool {
        self >= Self::new(3, 3)
    }

    /// Whether a dead pane tells the signal that ended it.
    #[must_use]
    pub fn has_dead_signal(self) -> bool {
        self >= Self::new(3, 3)
    }

    /// A text as it was, from what a server of this version printed.
    ///
    /// 3.4 alone puts a backslash before each `$` that a name or a brace follows, in whatever it prints
    /// (`utf8_strvis`, which 3.5 only lets do so inside double quotes).
    #[must_use]
    pub fn printed(self, text: &str) -> String {
        if self != Self::new(3, 4) {
            return text.to_owned();
        }
        let mut plain = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("\\$") {
            plain.push_str(before);
            let escaped = behind
                .starts_with(|next: char| next.is_ascii_alphabetic() || next == '_' || next == '{');
            plain.push_str(if escaped { "$" } else { "\\$" });
            rest = behind;
        }
        plain + rest
    }

    /// Whether an unattached control client reads its standard input, and so ends with us (facts §4.1).
    #[must_use]
    pub fn control_client_reads_stdin(self) -> bool {
        self < Self::new(3, 4)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Version {
    type Err = NoVersion;

    /// Reads `3.3a`, `3.7c`, `next-3.8`, `openbsd-7.4`, `master`, each with or without `tmux` before it.
    ///
    /// OpenBSD's tmux is built from the newest source under the system's number, and `master` was that of 2.x to 3.x
    /// between releases: both are read as newer than anything that is told apart here.
    fn from_str(text: &str) -> Result<Self, NoVersion> {
        let bare = text.trim().trim_start_matches("tmux").trim_start();
        if bare.starts_with("openbsd-") || bare == "master" {
            return Ok(Self::NEWEST);
        }
        let numbers = bare.strip_prefix("next-").unwrap_or(bare);
        let none = || NoVersion(text.chars().take(32).collect());
        let (major, rest) = numbers.split_once('.').ok_or_else(none)?;
        let digits = rest
            .find(|char: char| !char.is_ascii_digit())
            .unwrap_or(rest.len());
        let (minor, _) = rest.split_at(digits);
        match (major.parse(), minor.parse()) {
            (Ok(major), Ok(minor)) => Ok(Self::new(major, minor)),
            _ => Err(none()),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("3.2a", Some((3, 2)))]
    #[case("tmux 3.3a\n", Some((3, 3)))]
    #[case("3.7c", Some((3, 7)))]
    #[case("next-3.8", Some((3, 8)))]
    #[case("tmux next-3.8", Some((3, 8)))]
    #[case("3.10", Some((3, 10)))]
    #[case("3.4-rc2", Some((3, 4)))]
    #[case("openbsd-7.4", Some((u32::MAX, 0)))]
    #[case("tmux master", Some((u32::MAX, 0)))]
    #[case("", None)]
    #[case("3", None)]
    #[case("3.", None)]
    #[case("screen 4.9", None)]
    fn a_version_is_read_in_every_form_tmux_prints(
        #[case] text: &str,
        #[case] read: Option<(u32, u32)>,
    ) {
        assert_eq!(
            text.parse().ok(),
            read.map(|(major, minor)| Version::new(major, minor))
        );
    }

    #[rstest]
    #[case("a\\$HOME b", "a$HOME b")]
    #[case("\\\\$HOME", "\\$HOME")]
    #[case("\\${x}\\$_", "${x}$_")]
    #[case("5$ \\$ \\$5 \\", "5$ \\$ \\$5 \\")]
    fn the_dollars_of_3_4_are_read_as_they_were(#[case] printed: &str, #[case] plain: &str) {
        assert_eq!(Version::new(3, 4).printed(printed), plain);
        assert_eq!(Version::new(3, 5).printed(printed), printed);
    }

    #[test]
    fn features_come_and_go_by_version() {
        let of = |text: &str| -> Version { text.parse().unwrap() };
        assert!(!of("3.2a").has_client_focus_hooks());
        assert!(of("3.3a").has_client_focus_hooks());
        assert!(of("3.3a").control_client_reads_stdin());
        assert!(!of("3.4").control_client_reads_stdin());
        assert!(!of("next-3.8").control_client_reads_stdin());
        assert!(of("3.10") > of("3.9"));
    }
}
