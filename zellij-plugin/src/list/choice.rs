//! Which line of the list is chosen.

use super::Entry;
use crate::paint::Target;

/// A step in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// So many lines up (negative) or down.
    By(i64),
    /// To the first line.
    First,
    /// To the last line.
    Last,
}

/// The chosen line. It stays on its session while others come, go and change their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    target: Option<Target>,
    index: usize,
}

impl Choice {
    /// The chosen line's place among these.
    #[must_use]
    pub fn index(&self, entries: &[Entry]) -> usize {
        let same = self.target.as_ref().and_then(|target| {
            let same = |entry: &Entry| entry.target.as_ref() == Some(target);
            entries.iter().position(same)
        });
        same.unwrap_or(self.index)
            .min(entries.len().saturating_sub(1))
    }

    /// Moves, and stops at the ends.
    pub fn step(&mut self, step: Move, entries: &[Entry]) {
        let last = entries.len().saturating_sub(1);
        let at = self.index(entries);
        let to = match step {
            Move::First => 0,
            Move::Last => last,
            Move::By(lines) => {
                let lines = isize::try_from(lines).unwrap_or(0);
                at.saturating_add_signed(lines).min(last)
            }
        };
        self.choose(to, entries);
    }

    /// Chooses a line.
    pub fn choose(&mut self, index: usize, entries: &[Entry]) {
        self.index = index;
        self.target = entries.get(index).and_then(|entry| entry.target.clone());
    }
}
