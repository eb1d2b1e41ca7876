//! zellij's versions.

use std::fmt;
use std::str::FromStr;

/// A version of zellij.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// 0 in `0.44.2`.
    pub major: u32,
    /// 44 in `0.44.2`.
    pub minor: u32,
    /// 2 in `0.44.2`.
    pub patch: u32,
}

/// A text that names no version of zellij.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no version of zellij")]
pub struct NoVersion(String);

impl Version {
    /// The oldest version that is fully supported: tab ids, lists in JSON and an idle server.
    pub const FLOOR: Self = Self::new(0, 44, 2);

    /// A version.
    #[must_use]
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self {
            major,
            minor,
            patch,
        }
    }

    /// Whether everything works with it.
    #[must_use]
    pub fn is_supported(self) -> bool {
        self >= Self::FLOOR
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for Version {
    type Err = NoVersion;

    /// Reads `0.45.1`, with or without `zellij` before it and a word after a hyphen.
    fn from_str(text: &str) -> Result<Self, NoVersion> {
        let none = || NoVersion(text.chars().take(32).collect());
        let bare = text.trim();
        let bare = bare.strip_prefix("zellij").unwrap_or(bare).trim_start();
        let (numbers, _) = bare.split_once(['-', '+']).unwrap_or((bare, ""));
        let mut parts = numbers.split('.').map(|part| part.parse::<u32>().ok());
        let mut next = || parts.next().flatten().ok_or_else(none);
        let version = Self::new(next()?, next()?, next()?);
        if parts.next().is_some() {
            Err(none())
        } else {
            Ok(version)
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("zellij 0.45.1\n", Some((0, 45, 1)))]
    #[case("0.44.2", Some((0, 44, 2)))]
    #[case("0.46.0-rc1", Some((0, 46, 0)))]
    #[case("zellij", None)]
    #[case("0.45", None)]
    #[case("0.45.1.2", None)]
    #[case("tmux 3.4", None)]
    fn a_version_is_read_as_zellij_prints_it(
        #[case] text: &str,
        #[case] read: Option<(u32, u32, u32)>,
    ) {
        let version = read.map(|(major, minor, patch)| Version::new(major, minor, patch));
        assert_eq!(text.parse().ok(), version);
    }

    #[test]
    fn the_floor_is_ordered_by_number_and_not_by_text() {
        let of = |text: &str| -> Version { text.parse().unwrap() };
        assert!(!of("0.44.1").is_supported());
        assert!(of("0.44.2").is_supported());
        assert!(of("0.44.10").is_supported());
        assert!(!of("0.9.0").is_supported());
        assert!(of("1.0.0").is_supported());
    }
}
