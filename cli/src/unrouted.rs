//! Which of the signals that named no live pane are worth a word now.
//!
//! They are counted for ever, but what happened last week needs nobody: people are told of those of the last hour, and
//! equal ones once.

use session_core::Time;
use session_host::store::Unrouted;

/// How long such a signal is worth a word.
pub(crate) const RECENT_MS: i64 = 60 * 60 * 1000;

/// Those of the last hour.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Recent<'u> {
    /// How many, as far as they are kept.
    pub(crate) count: usize,
    /// Whether there were more in that time than are kept.
    pub(crate) more: bool,
    /// Why they named none, the latest first.
    pub(crate) reasons: Vec<Reason<'u>>,
}

/// Signals that are alike.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reason<'u> {
    /// Who reported.
    pub(crate) agent: &'u str,
    /// What was reported.
    pub(crate) event: &'u str,
    /// Why no live pane was found.
    pub(crate) why: &'u str,
    /// How many there were.
    pub(crate) count: usize,
    /// When the last one came.
    pub(crate) newest: Time,
}

impl<'u> Recent<'u> {
    /// Picks them out.
    pub(crate) fn of(unrouted: &'u Unrouted, now: Time) -> Self {
        let recent = |at: Time| now.ms_since(at) <= RECENT_MS;
        let mut reasons: Vec<Reason<'u>> = Vec::new();
        let mut count = 0;
        for signal in unrouted
            .last
            .iter()
            .rev()
            .filter(|signal| recent(signal.at))
        {
            count += 1;
            let agent = signal.agent.as_deref().unwrap_or("a script");
            let alike = |known: &&mut Reason<'_>| {
                (known.agent, known.event, known.why)
                    == (agent, signal.event.as_str(), signal.why.as_str())
            };
            match reasons.iter_mut().find(alike) {
                Some(known) => known.count += 1,
                None => reasons.push(Reason {
                    agent,
                    event: &signal.event,
                    why: &signal.why,
                    count: 1,
                    newest: signal.at,
                }),
            }
        }
        let kept = unrouted.last.len();
        Self {
            count,
            more: count == kept && u64::try_from(kept).is_ok_and(|kept| unrouted.count > kept),
            reasons,
        }
    }

    /// How many, for people.
    pub(crate) fn shown_count(&self) -> String {
        if self.more {
            format!("{} or more", self.count)
        } else {
            self.count.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use session_host::store::UnroutedReason;

    use super::*;

    const NOW: i64 = 100 * 60 * 60 * 1000;

    fn signal(ago_s: i64, agent: Option<&str>, event: &str) -> UnroutedReason {
        UnroutedReason {
            at: Time::from_ms(NOW - ago_s * 1000),
            event: event.to_owned(),
            agent: agent.map(str::to_owned),
            why: "it is in no pane".to_owned(),
        }
    }

    #[test]
    fn those_of_the_last_hour_are_told_and_equal_ones_once() {
        let last = vec![
            signal(3_601, None, "old"),
            signal(3_600, Some("claude"), "Stop"),
            signal(50, None, "done"),
            signal(40, Some("claude"), "Stop"),
            signal(30, Some("claude"), "SessionEnd"),
        ];
        let unrouted = Unrouted { count: 9, last };
        let recent = Recent::of(&unrouted, Time::from_ms(NOW));
        assert_eq!((recent.count, recent.shown_count()), (4, "4".to_owned()));
        let told: Vec<_> = recent
            .reasons
            .iter()
            .map(|reason| (reason.agent, reason.event, reason.count))
            .collect();
        assert_eq!(
            told,
            [
                ("claude", "SessionEnd", 1),
                ("claude", "Stop", 2),
                ("a script", "done", 1)
            ]
        );
        assert_eq!(recent.reasons[1].newest, Time::from_ms(NOW - 40_000));
        let later = Time::from_ms(NOW + RECENT_MS);
        assert_eq!(Recent::of(&unrouted, later).count, 0);
    }

    #[test]
    fn more_than_are_kept_is_said_as_such() {
        let last = vec![signal(2, None, "done"), signal(1, None, "done")];
        let of = |count| {
            let unrouted = Unrouted {
                count,
                last: last.clone(),
            };
            Recent::of(&unrouted, Time::from_ms(NOW)).shown_count()
        };
        assert_eq!((of(2), of(3)), ("2".to_owned(), "2 or more".to_owned()));
    }
}
