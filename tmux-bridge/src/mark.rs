//! A mark that no text can imitate.

use std::hash::{BuildHasher, RandomState};

/// A word made up anew for every question, to tell tmux's answers to several commands apart.
#[derive(Debug)]
pub(crate) struct Mark(String);

impl Mark {
    pub(crate) fn new() -> Self {
        // The standard library seeds its hashers from the system's random numbers.
        Self(format!("{:016x}", RandomState::new().hash_one(std::process::id())))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// The parts of an answer, each of which begins with the mark on a line of its own.
    pub(crate) fn sections(&self, printed: &[u8]) -> Vec<String> {
        let text = String::from_utf8_lossy(printed);
        let begin = format!("{}\n", self.0);
        text.split(&begin).skip(1).map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_falls_into_sections() {
        let mark = Mark::new();
        let printed = format!("{0}\na\nb\n{0}\n{0}\n\n", mark.text());
        assert_eq!(mark.sections(printed.as_bytes()), ["a\nb\n", "", "\n"]);
    }
}
