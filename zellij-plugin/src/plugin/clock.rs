//! When the plugin must look at the time again.

/// Ages change each second below a minute, each minute below an hour, and each hour after that.
#[must_use]
pub(super) fn next_change(since_ms: i64, now_ms: i64) -> i64 {
    let age = now_ms.saturating_sub(since_ms).max(0);
    let step = match age {
        0..60_000 => 1_000,
        60_000..3_600_000 => 60_000,
        _ => 3_600_000,
    };
    now_ms.saturating_add(step - age % step)
}

/// zellij's timers cannot be taken back, so the plugin remembers which is the next to run out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Alarm {
    at_ms: Option<i64>,
}

impl Alarm {
    /// The shortest time between two looks.
    const LEAST_MS: i64 = 100;

    /// The seconds to set a timer to for a look at `wanted`; none when one is set that is early enough.
    pub(super) fn set(&mut self, wanted: i64, now_ms: i64) -> Option<f64> {
        let wanted = wanted.max(now_ms.saturating_add(Self::LEAST_MS));
        if self.at_ms.is_some_and(|at| at > now_ms && at <= wanted) {
            return None;
        }
        self.at_ms = Some(wanted);
        let ms = u32::try_from(wanted.saturating_sub(now_ms)).unwrap_or(u32::MAX);
        Some(f64::from(ms) / 1_000.0)
    }

    /// A timer ran out; it may be one that was overtaken.
    pub(super) fn rang(&mut self, now_ms: i64) {
        if self.at_ms.is_some_and(|at| at <= now_ms + Self::LEAST_MS) {
            self.at_ms = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, 1_000)]
    #[case(1_999, 2_000)]
    #[case(59_500, 60_000)]
    #[case(60_000, 120_000)]
    #[case(3_599_000, 3_600_000)]
    #[case(3_600_000, 7_200_000)]
    #[case(-5_000, -4_000)]
    fn an_age_is_looked_at_when_its_text_changes(#[case] age: i64, #[case] next: i64) {
        assert_eq!(next_change(0, age), next);
    }

    #[test]
    fn one_timer_runs_at_a_time_unless_an_earlier_one_is_wanted() {
        let mut alarm = Alarm::default();
        assert_eq!(alarm.set(60_000, 0), Some(60.0));
        assert_eq!(alarm.set(60_000, 10), None);
        assert_eq!(alarm.set(1_000, 10), Some(0.99));
        alarm.rang(1_000);
        assert_eq!(alarm.set(2_000, 1_000), Some(1.0));
        alarm.rang(1_500);
        assert_eq!(alarm.set(2_000, 1_500), None, "an overtaken timer rang");
        assert_eq!(
            alarm.set(60_000, 5_000),
            Some(55.0),
            "a timer that was lost is set again"
        );
    }
}
