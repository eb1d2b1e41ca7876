//! The look of a state in the status line: the one place of the tests that knows the glyphs.

/// A state as the lamp of a window shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lamp {
    /// A turn runs.
    Working,
    /// The agent waits for its person.
    Blocked,
    /// A turn ended and was not looked at yet.
    Done,
    /// Nothing to do.
    Idle,
    /// The last turn failed.
    Error,
    /// An agent is there, and nothing else is known.
    Running,
    /// An agent is there, and there is no evidence of its state.
    Unknown,
    /// There is no agent.
    None,
}

/// The configuration that makes the lamps plain ASCII.
pub const ASCII_CONFIG: &str = "[look]\nglyphs = \"ascii\"\n";

/// What tmux itself puts behind a window's name.
const FLAGS: &str = "*-#!~MZ";

impl Lamp {
    /// All lamps.
    pub const ALL: [Self; 8] = [
        Self::Working,
        Self::Blocked,
        Self::Done,
        Self::Idle,
        Self::Error,
        Self::Running,
        Self::Unknown,
        Self::None,
    ];

    /// What stands for the state in the ASCII glyph set; nothing when there is no agent.
    #[must_use]
    pub fn glyph(self) -> &'static str {
        match self {
            Self::Working => "~",
            Self::Blocked => "!",
            Self::Done => "+",
            Self::Idle => ".",
            Self::Error => "x",
            Self::Running => ":",
            Self::Unknown => "?",
            Self::None => "",
        }
    }

    /// The word for the state in `tally list --json`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Blocked => "blocked",
            Self::Done => "done",
            Self::Idle => "idle",
            Self::Error => "error",
            Self::Running => "running",
            Self::Unknown => "unknown",
            Self::None => "none",
        }
    }

    /// The lamp of a window in a rendered status line, whose entry reads `INDEX:NAME` with
    /// tmux's own flags (or a blank), a blank and the glyph. `None` when there is no such entry,
    /// or when what follows it is no lamp.
    #[must_use]
    pub fn of_window(status_line: &str, window: &str) -> Option<Self> {
        let (before, after) = status_line.split_once(window)?;
        let inside_a_word = |text: char| text.is_alphanumeric() || text == ':';
        if before.ends_with(inside_a_word) || after.starts_with(char::is_alphanumeric) {
            return None;
        }
        let rest = after.trim_start_matches(|flag| FLAGS.contains(flag));
        let word = rest.split_whitespace().next().unwrap_or_default();
        let gap = rest.len() - rest.trim_start().len();
        let is_next_window = word.split_once(':').is_some_and(|(index, _)| {
            !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit())
        });
        if word.is_empty() || gap > 2 || is_next_window {
            return Some(Self::None);
        }
        Self::ALL.into_iter().find(|lamp| lamp.glyph() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glyphs_of_two_states_differ() {
        for lamp in Lamp::ALL {
            let same = Lamp::ALL
                .iter()
                .filter(|other| other.glyph() == lamp.glyph())
                .count();
            assert_eq!(same, 1, "{lamp:?}");
        }
    }

    #[test]
    fn each_window_has_its_own_lamp() {
        let line = "[main] 0:claude* ! 1:shell- 10:claude  + 2:other~ ~ 3:vi  4:a  :     \"host\"";
        assert_eq!(Lamp::of_window(line, "0:claude"), Some(Lamp::Blocked));
        assert_eq!(Lamp::of_window(line, "1:shell"), Some(Lamp::None));
        assert_eq!(Lamp::of_window(line, "10:claude"), Some(Lamp::Done));
        assert_eq!(Lamp::of_window(line, "2:other"), Some(Lamp::Working));
        assert_eq!(Lamp::of_window(line, "3:vi"), Some(Lamp::None));
        assert_eq!(Lamp::of_window(line, "4:a"), Some(Lamp::Running));
        assert_eq!(Lamp::of_window(line, "5:gone"), None);
    }

    #[test]
    fn a_summary_on_the_right_is_no_lamp() {
        let line = "[main] 0:claude*               ! 1 blocked";
        assert_eq!(Lamp::of_window(line, "0:claude"), Some(Lamp::None));
    }

    #[test]
    fn text_that_is_no_lamp_is_none_of_them() {
        assert_eq!(Lamp::of_window("[main] 0:claude* = ", "0:claude"), None);
        assert_eq!(Lamp::of_window("[main] 0:claudette* !", "0:claude"), None);
        assert_eq!(Lamp::of_window("[main] 10:claude* !", "0:claude"), None);
    }
}
