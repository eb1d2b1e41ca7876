//! One beat for everything that looks slowly: those who rest for long wake up together, and the machine once.

use std::sync::OnceLock;
use std::time::Duration;

use tokio::time::Instant;

/// The beat. Shorter rests than this are kept as they are.
const BEAT: Duration = Duration::from_secs(5);

/// When somebody wakes up who rests for `rest`, a long one being cut to the last beat in it.
#[must_use]
pub fn after(now: Instant, rest: Duration) -> Instant {
    static FIRST: OnceLock<Instant> = OnceLock::new();
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
        let beat = after(first, secs(5.0));
        assert_eq!(after(beat, secs(5.0)), beat + secs(5.0));
        assert_eq!(after(beat + secs(0.001), secs(10.0)), beat + secs(10.0));
        assert_eq!(after(beat + secs(3.0), secs(5.0)), beat + secs(5.0));
    }
}
