//! One beat for everything that looks slowly: those who rest for long wake up together, and the machine once.

use std::sync::OnceLock;
use std::time::Duration;

use tokio::time::Instant;

/// The beat: the third rung of tokio's timer wheel, counted from when the runtime began. A rest that ends on it costs
/// one wake-up; any other of some seconds costs two more on the way down the rungs.
const BEAT: Duration = Duration::from_millis(64 * 64);

static FIRST: OnceLock<Instant> = OnceLock::new();

/// Starts the beat; to be called just before the runtime is built.
pub fn start() {
    FIRST.get_or_init(Instant::now);
}

/// When somebody wakes up who rests for `rest`, a long one being cut to the last beat in it.
#[must_use]
pub fn after(now: Instant, rest: Duration) -> Instant {
    let wake = now + rest;
    if rest < BEAT {
        return wake;
    }
    let first = *FIRST.get_or_init(|| now);
    let off = wake.saturating_duration_since(first).as_nanos() % BEAT.as_nanos();
    wake - Duration::from_nanos(u64::try_from(off).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rests_end_on_the_beat_and_short_ones_where_they_end() {
        let now = Instant::now();
        let first = after(now, BEAT);
        let secs = Duration::from_secs_f64;
        assert_eq!(after(first, secs(2.0)), first + secs(2.0));
        assert_eq!(after(first, secs(5.0)), first + BEAT);
        assert_eq!(after(first + secs(0.001), secs(15.0)), first + BEAT * 3);
        assert_eq!(after(first + secs(3.5), secs(5.0)), first + BEAT * 2);
    }
}
