//! How far the plugin has come in being let in.

use crate::bar::Notice;

/// The oldest zellij the plugin works with: the first with stable tab ids, focus by client and quiet idling.
const FLOOR: (u32, u32, u32) = (0, 44, 2);

/// How far the plugin has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// It has not asked yet, and waits for its turn.
    #[default]
    Unasked,
    /// It has not asked, and will not before the person comes to it.
    Shy,
    /// The person has not answered yet.
    Waiting,
    /// The person let it in.
    Granted,
    /// The person did not.
    Denied,
    /// This zellij lacks what it needs.
    TooOld(String),
}

impl Stage {
    /// Whether it has not asked yet.
    pub(super) const fn is_unasked(&self) -> bool {
        matches!(self, Self::Unasked | Self::Shy)
    }

    /// What the pane says instead of what it is for.
    #[must_use]
    pub fn notice(&self) -> Option<Notice> {
        match self {
            Self::Unasked | Self::Granted => None,
            Self::Shy => Some(Notice::Shy),
            Self::Waiting => Some(Notice::Waiting),
            Self::Denied => Some(Notice::Denied),
            Self::TooOld(found) => Some(Notice::TooOld {
                found: found.clone(),
            }),
        }
    }
}

/// Whether a version of zellij has all that the plugin calls. One that cannot be read is taken for a later one's.
#[must_use]
pub fn is_new_enough(version: &str) -> bool {
    let number = |part: Option<&str>| {
        let part = part?;
        let digits = part.find(|char: char| !char.is_ascii_digit());
        part.get(..digits.unwrap_or(part.len()))?.parse().ok()
    };
    let mut parts = version.trim().trim_start_matches('v').split('.');
    let mut next = || number(parts.next());
    match (next(), next(), next()) {
        (Some(major), Some(minor), patch) => (major, minor, patch.unwrap_or(0)) >= FLOOR,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("0.44.2", true)]
    #[case("0.45.1", true)]
    #[case("1.0.0", true)]
    #[case("0.46.0-dev", true)]
    #[case("0.44.2-rc1", true)]
    #[case("0.44.1", false)]
    #[case("0.44", false)]
    #[case("0.43.1", false)]
    #[case("0.9.0", false)]
    #[case("nightly", true)]
    #[case("", true)]
    fn the_floor_is_0_44_2(#[case] version: &str, #[case] enough: bool) {
        assert_eq!(is_new_enough(version), enough);
    }
}
