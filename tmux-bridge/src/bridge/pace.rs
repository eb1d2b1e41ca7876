//! How often a server is looked at although nothing woke us.

use std::time::Duration;

use session_host::beat;
use tokio::time::Instant;

/// After a change.
const LIVELY: Duration = Duration::from_secs(2);
/// When nothing happens.
const CALM: Duration = Duration::from_secs(5);
/// When nothing has happened for long: every look costs the server some milliseconds, and hooks still wake us.
const ASLEEP: Duration = Duration::from_secs(30);
/// How long a change counts as recent.
const RECENT: Duration = Duration::from_secs(20);
/// How long nothing must have happened for the longest rest.
const LONG_AGO: Duration = Duration::from_secs(120);
/// A server that does not answer is asked less and less often.
const LONGEST: Duration = Duration::from_secs(30);

/// The pace of the slow poll.
#[derive(Debug)]
pub(super) struct Pace {
    next: Instant,
    changed: Instant,
    failures: u32,
}

impl Pace {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            next: now + LIVELY,
            changed: now,
            failures: 0,
        }
    }

    /// When the next look is due.
    pub(super) fn next(&self) -> Instant {
        self.next
    }

    /// Something was seen to change.
    pub(super) fn changed(&mut self, now: Instant) {
        self.changed = now;
        self.next = self.next.min(now + LIVELY);
    }

    /// A slow look was taken; `blind` when nothing but slow looks is left.
    pub(super) fn looked(&mut self, now: Instant, blind: bool) {
        self.failures = 0;
        let calm_for = now - self.changed;
        let rest = if blind || calm_for < RECENT {
            LIVELY
        } else if calm_for < LONG_AGO {
            CALM
        } else {
            ASLEEP
        };
        self.next = beat::after(now, rest);
    }

    /// The server did not answer.
    pub(super) fn failed(&mut self, now: Instant) {
        self.next = now
            + LIVELY
                .saturating_mul(1 << self.failures.min(8))
                .min(LONGEST);
        self.failures = self.failures.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn case_l2_the_pace_slows_down_when_nothing_happens() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        let mut rests = |secs: u64, blind: bool, rest: u64| {
            let now = start + Duration::from_secs(secs);
            pace.looked(now, blind);
            pace.next() == beat::after(now, Duration::from_secs(rest))
        };
        assert!(rests(0, false, 2) && rests(19, false, 2));
        assert!(rests(20, false, 5) && rests(119, false, 5));
        assert!(rests(900, false, 30) && rests(901, true, 2));
    }

    #[tokio::test]
    async fn a_server_that_hangs_is_asked_less_and_less_often() {
        let now = Instant::now();
        let mut pace = Pace::new(now);
        let mut wait = || {
            pace.failed(now);
            (pace.next() - now).as_secs()
        };
        assert_eq!(
            [wait(), wait(), wait(), wait(), wait(), wait()],
            [2, 4, 8, 16, 30, 30]
        );
    }
}
