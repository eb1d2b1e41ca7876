//! How long a follower rests between two words.

use std::time::Duration;

use tokio::time::Instant;

/// Between two words of a burst.
const SHORT: Duration = Duration::from_millis(60);
/// Between two words of something that never rests, such as an animated window name.
const LONGEST: Duration = Duration::from_secs(1);
/// So many words in a row are still a burst.
const BURST: u32 = 4;
/// So long without a word ends a row of them, or a row of losses.
const CALM: Duration = Duration::from_secs(1);
/// So many losses in a row, and the server cannot be followed at present (case H4).
const BLIND: u32 = 3;
const RETRY: Duration = Duration::from_secs(30);
const LONGEST_RETRY: Duration = Duration::from_secs(600);

/// The rest that a follower takes.
#[derive(Debug)]
pub(super) struct Pause {
    until: Instant,
    words: u32,
    losses: u32,
}

impl Pause {
    pub(super) fn new(now: Instant) -> Self {
        Self { until: now, words: 0, losses: 0 }
    }

    pub(super) fn until(&self) -> Instant {
        self.until
    }

    /// Whether it gave up for some time.
    pub(super) fn is_long(&self) -> bool {
        self.losses >= BLIND
    }

    /// A word came, after waiting since then; the first of a row is followed up at once.
    pub(super) fn woken(&mut self, since: Instant, now: Instant) {
        self.losses = 0;
        self.words = if now - since >= CALM { 1 } else { self.words.saturating_add(1) };
        self.until = match self.words {
            0 | 1 => now,
            words => now + doubled(SHORT, words.saturating_sub(BURST), LONGEST),
        };
    }

    /// The client ended, after waiting since then.
    pub(super) fn lost(&mut self, since: Instant, now: Instant) {
        self.losses = if now - since >= CALM { 1 } else { self.losses.saturating_add(1) };
        self.until = now
            + if self.losses < BLIND {
                SHORT
            } else {
                doubled(RETRY, self.losses - BLIND, LONGEST_RETRY)
            };
    }
}

fn doubled(first: Duration, times: u32, longest: Duration) -> Duration {
    first.saturating_mul(1 << times.min(16)).min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_burst_has_short_pauses_and_a_storm_long_ones() {
        let now = Instant::now();
        let mut pause = Pause::new(now);
        let mut rest = |waited: u64| {
            pause.woken(now, now + Duration::from_millis(waited));
            (pause.until() - now).as_millis() - u128::from(waited)
        };
        assert_eq!([rest(5000), rest(1), rest(1), rest(1)], [0, 60, 60, 60]);
        assert_eq!([rest(1), rest(1), rest(1), rest(1), rest(1), rest(1)], [120, 240, 480, 960, 1000, 1000]);
        assert_eq!(rest(2000), 0);
    }

    #[tokio::test]
    async fn case_h4_three_losses_in_a_row_are_enough() {
        let now = Instant::now();
        let mut pause = Pause::new(now);
        let mut lost = |waited: u64| {
            pause.lost(now, now + Duration::from_millis(waited));
            (pause.is_long(), (pause.until() - now).as_millis() - u128::from(waited))
        };
        assert_eq!([lost(1), lost(1)], [(false, 60); 2]);
        assert_eq!([lost(1), lost(1)], [(true, 30_000), (true, 60_000)]);
        assert_eq!(lost(1500), (false, 60));
    }
}
