//! How often a server is looked at although nothing woke us.

use std::time::Duration;

use tokio::time::Instant;

/// After a change.
const LIVELY: Duration = Duration::from_secs(2);
/// When nothing happens.
const CALM: Duration = Duration::from_secs(5);
/// How long a change counts.
const RECENT: Duration = Duration::from_secs(20);
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
        Self { next: now + LIVELY, changed: now, failures: 0 }
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
        self.next = now + if blind || now - self.changed < RECENT { LIVELY } else { CALM };
    }

    /// The server did not answer.
    pub(super) fn failed(&mut self, now: Instant) {
        self.next = now + LIVELY.saturating_mul(1 << self.failures.min(8)).min(LONGEST);
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
        let mut after = |secs: u64, blind: bool| {
            let now = start + Duration::from_secs(secs);
            pace.looked(now, blind);
            (pace.next() - now).as_secs()
        };
        assert_eq!([after(0, false), after(19, false), after(20, false), after(900, false)], [2, 2, 5, 5]);
        assert_eq!(after(901, true), 2);
    }

    #[tokio::test]
    async fn a_server_that_hangs_is_asked_less_and_less_often() {
        let now = Instant::now();
        let mut pace = Pace::new(now);
        let mut wait = || {
            pace.failed(now);
            (pace.next() - now).as_secs()
        };
        assert_eq!([wait(), wait(), wait(), wait(), wait(), wait()], [2, 4, 8, 16, 30, 30]);
    }
}
