//! How many lines may be sent: a few at once, and in the long run no more than the eye can follow.

use std::time::Duration;

use tokio::time::Instant;

/// The least time between two lines in the long run.
const SPACING: Duration = Duration::from_millis(100);

/// How many may follow each other at once after a rest.
const BURST: u32 = 5;

/// What has been used up, as the time at which all of it will be there again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allowance {
    full_at: Option<Instant>,
}

impl Allowance {
    /// Uses up one line, and tells how long to wait before the next one.
    pub(super) fn use_up(&mut self, now: Instant) -> Duration {
        let full_at = self.full_at.map_or(now, |at| at.max(now)) + SPACING;
        self.full_at = Some(full_at);
        (full_at - now).saturating_sub(SPACING * (BURST - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_lines_go_at_once_and_then_one_in_a_while() {
        let (mut allowance, start) = (Allowance::default(), Instant::now());
        let pauses: Vec<_> = (0..6).map(|_| allowance.use_up(start)).collect();
        let ms = Duration::from_millis;
        assert_eq!(pauses, [ms(0), ms(0), ms(0), ms(0), ms(100), ms(200)]);
        // Whoever waits as told sends one in each spacing.
        let later = start + ms(200);
        assert_eq!(allowance.use_up(later), ms(100));
        // After a rest all of it is there again.
        assert_eq!(allowance.use_up(start + ms(5_000)), ms(0));
    }
}
