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
    /// There is no agent.
    None,
}

/// The configuration that makes the lamps plain ASCII.
pub const ASCII_CONFIG: &str = "[look]\nglyphs = \"ascii\"\n";

impl Lamp {
    /// All lamps.
    pub const ALL: [Self; 7] = [
        Self::Working,
        Self::Blocked,
        Self::Done,
        Self::Idle,
        Self::Error,
        Self::Running,
        Self::None,
    ];

    /// What stands for the state in the ASCII glyph set; nothing when there is no agent.
    #[must_use]
    pub fn glyph(self) -> &'static str {
        match self {
            Self::Working => "*",
            Self::Blocked => "!",
            Self::Done => "+",
            Self::Idle => "-",
            Self::Error => "x",
            Self::Running => ">",
            Self::None => "",
        }
    }

    /// The word for the state in `tally list --json` and in `@tally_state`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Blocked => "blocked",
            Self::Done => "done",
            Self::Idle => "idle",
            Self::Error => "error",
            Self::Running => "running",
            Self::None => "none",
        }
    }

    /// The lamp of a window in a rendered status line, whose entry reads `INDEX:NAME` with
    /// tmux's own flags, a blank and the glyph. `None` when there is no such entry, or when what
    /// follows is no lamp.
    #[must_use]
    pub fn of_window(status_line: &str, index: u8, name: &str) -> Option<Self> {
        let entry = format!("{index}:{name}");
        let (before, after) = status_line.split_once(&entry)?;
        if before.ends_with(|last: char| last.is_ascii_digit()) {
            return None;
        }
        // The flags, such as `*` for the current window, stand right behind the name.
        let rest = after.trim_start_matches(|flag| "*-#!~MZ".contains(flag));
        if after.starts_with(|next: char| next.is_alphanumeric()) {
            return None;
        }
        let next = rest.trim_start_matches(' ');
        let word = next.split(' ').next().unwrap_or_default();
        let gap = rest.len() - next.len();
        // A wide gap, or the next window's entry, follows a window without a lamp.
        if word.is_empty() || gap != 1 || word.contains(':') {
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
        let line = "[main] 0:claude* ! 1:shell- 10:claude + 2:other x     \"host\" 12:00";
        assert_eq!(Lamp::of_window(line, 0, "claude"), Some(Lamp::Blocked));
        assert_eq!(Lamp::of_window(line, 1, "shell"), Some(Lamp::None));
        assert_eq!(Lamp::of_window(line, 10, "claude"), Some(Lamp::Done));
        assert_eq!(Lamp::of_window(line, 2, "other"), Some(Lamp::Error));
        assert_eq!(Lamp::of_window(line, 3, "none"), None);
    }

    #[test]
    fn text_that_is_no_lamp_is_none_of_them() {
        assert_eq!(Lamp::of_window("[main] 0:claude* ? ", 0, "claude"), None);
        assert_eq!(Lamp::of_window("[main] 0:claudette* !", 0, "claude"), None);
    }
}
