//! Pauses between attempts, each twice as long as the one before.

use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub(super) struct Pause {
    next: Duration,
    first: Duration,
    longest: Duration,
}

impl Pause {
    pub(super) const fn new(first: Duration, longest: Duration) -> Self {
        Self {
            next: first,
            first,
            longest,
        }
    }

    /// The pause after one more failure.
    pub(super) fn after_failure(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(self.longest);
        pause
    }

    /// Begins anew after a success.
    pub(super) const fn reset(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_longest_and_begin_anew_after_a_success() {
        let secs = Duration::from_secs;
        let mut pause = Pause::new(secs(1), secs(5));
        let pauses: Vec<_> = (0..5).map(|_| pause.after_failure()).collect();
        assert_eq!(pauses, [secs(1), secs(2), secs(4), secs(5), secs(5)]);
        pause.reset();
        assert_eq!(pause.after_failure(), secs(1));
    }
}
