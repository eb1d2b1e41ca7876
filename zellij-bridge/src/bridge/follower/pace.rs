//! When to look at a session because the service asks: at once, but not again and again for the same answer.

use std::time::Duration;

use tokio::time::Instant;

/// The shortest time between two looks that were asked for, and the longest.
const GAP: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(2));

/// What is asked for, and what was answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    last: Option<Instant>,
    gap: Duration,
    due: Option<Instant>,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            last: None,
            gap: GAP.0,
            due: None,
        }
    }
}

impl Pace {
    /// Somebody asks for a look.
    pub(super) fn ask(&mut self, now: Instant) {
        let at = self.last.map_or(now, |last| now.max(last + self.gap));
        self.due = Some(self.due.map_or(at, |due| due.min(at)));
    }

    /// When the look that was asked for is due.
    pub(super) const fn due(&self) -> Option<Instant> {
        self.due
    }

    /// A look was taken; whoever asks next about what was no news may wait longer.
    pub(super) fn looked(&mut self, now: Instant, news: bool) {
        self.due = None;
        self.last = Some(now);
        self.gap = if news {
            GAP.0
        } else {
            (self.gap * 2).min(GAP.1)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_is_answered_at_once_and_who_goes_on_asking_ever_later() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        pace.ask(start);
        assert_eq!(pace.due(), Some(start));
        pace.looked(start, false);
        assert_eq!(pace.due(), None);
        let mut at = start;
        for ms in [500, 1_000, 2_000, 2_000] {
            pace.ask(at);
            let due = pace.due().unwrap();
            assert_eq!(due, at + Duration::from_millis(ms));
            at = due;
            pace.looked(at, false);
        }
        // What was news may be followed by more.
        pace.looked(at, true);
        pace.ask(at);
        assert_eq!(pace.due(), Some(at + GAP.0));
        pace.ask(at + GAP.1);
        assert_eq!(pace.due(), Some(at + GAP.0), "the first one counts");
    }
}
