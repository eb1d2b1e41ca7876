//! Who needs the person: the one list of it, from which every face takes its own.

use crate::away::{AwayBy, AwayView, Shelf};
use crate::snapshot::SessionView;
use crate::state::State;

/// Where a session stands in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Need {
    /// It needs the person: it is blocked, has failed, or has finished unseen.
    Now,
    /// It is settled.
    Settled,
    /// It is snoozed.
    Snoozed,
}

/// A session in the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attention<'v> {
    /// Where it stands.
    pub need: Need,
    /// How it is put away, if it is.
    pub away: Option<AwayView>,
    /// The session.
    pub view: &'v SessionView,
}

impl SessionView {
    /// How the session is put away at `now_ms`, in milliseconds since the Unix epoch: what the picture says, and what has
    /// come of it by the passing of time since.
    #[must_use]
    pub fn away_at(&self, now_ms: i64) -> Option<AwayView> {
        if self.gone.is_some() {
            return None;
        }
        let over = |away: &AwayView| away.until_ms.is_some_and(|until| until <= now_ms);
        if let Some(away) = self.away.filter(|away| !over(away)) {
            return Some(away);
        }
        let at = self.settles_at_ms.filter(|at| *at <= now_ms)?;
        Some(AwayView {
            is: Shelf::Settled,
            by: AwayBy::Age,
            since_ms: at,
            until_ms: None,
        })
    }
}

/// The list at `now_ms`, in milliseconds since the Unix epoch: those that are blocked, have failed or have finished, in the
/// order of a picture (the most urgent first, then the longest in that state, across all servers); then those that are
/// settled; then those that are snoozed, each in the same order.
#[must_use]
pub fn attention(sessions: &[SessionView], now_ms: i64) -> Vec<Attention<'_>> {
    let stands = |view| {
        let away = SessionView::away_at(view, now_ms);
        let need = match (away.map(|away| away.is), view.state) {
            (Some(Shelf::Settled), _) => Need::Settled,
            (Some(Shelf::Snoozed), _) => Need::Snoozed,
            (None, State::Blocked | State::Error | State::Done) => Need::Now,
            (None, _) => return None,
        };
        Some(Attention { need, away, view })
    };
    let live = sessions.iter().filter(|view| view.gone.is_none());
    let mut list: Vec<Attention<'_>> = live.filter_map(stands).collect();
    list.sort_by_key(|one| one.need);
    list
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{
        Act, ErrorKind, Event, MachineId, Policy, Session, SessionId, Signal, SignalSource, Time,
        ToolRef, apply, snapshot,
    };

    const HOUR: i64 = 3_600_000;

    fn session(number: u128, acts: &[(i64, Act)], last: Option<(i64, Event)>) -> Session {
        let id = SessionId(Uuid::from_u128(number));
        let mut session = Session::new(id, MachineId("here".into()), None, Time(0));
        let policy = Policy::default();
        for (at, act) in acts {
            let signal = Signal {
                at: Time::from_ms(*at),
                source: SignalSource::Wired,
                act: act.clone(),
                actor: None,
                agent: None,
                agent_session: None,
                message: None,
                event: "test".into(),
                fingerprint: at.unsigned_abs(),
            };
            apply(
                &mut session,
                Event::Signal(signal),
                &policy,
                Time::from_ms(*at),
            );
        }
        if let Some((at, event)) = last {
            apply(&mut session, event, &policy, Time::from_ms(at));
        }
        session
    }

    fn sessions() -> Vec<Session> {
        let stop = |at: i64| {
            let (background, settle_ms) = (None, 0);
            vec![
                (0, Act::Prompt),
                (
                    at,
                    Act::Stop {
                        background,
                        settle_ms,
                    },
                ),
            ]
        };
        let ask = |at: i64| {
            let (kind, tool, heuristic, settle_ms) = (None, ToolRef::default(), false, 0);
            vec![
                (0, Act::Prompt),
                (
                    at,
                    Act::Ask {
                        kind,
                        tool,
                        heuristic,
                        settle_ms,
                    },
                ),
            ]
        };
        let kind = ErrorKind::Other;
        let tool = ToolRef::default();
        let until = Time::from_ms(1_000 + HOUR / 2);
        vec![
            session(1, &stop(20), None),
            session(2, &stop(10), None),
            session(3, &[(0, Act::Prompt), (1, Act::ToolStart { tool })], None),
            session(4, &[(0, Act::Prompt), (30, Act::Fail { kind })], None),
            session(5, &ask(50), None),
            session(6, &ask(40), None),
            session(7, &ask(5), Some((1_000, Event::Settle))),
            session(8, &ask(6), Some((1_000, Event::Snooze { until }))),
            session(9, &stop(5), Some((1_000, Event::Settle))),
            session(10, &[(0, Act::SessionStart)], None),
        ]
    }

    /// The list by numbers, and where each group begins.
    fn listed(drawn_at: i64, now_ms: i64) -> Vec<(Need, Vec<u128>)> {
        let sessions = sessions();
        let policy = Policy::default();
        let picture = snapshot(
            &MachineId("here".into()),
            0,
            &sessions,
            &[],
            |_| Default::default(),
            &policy,
            Time::from_ms(drawn_at),
        );
        let mut groups: Vec<(Need, Vec<u128>)> = Vec::new();
        for one in attention(&picture.sessions, now_ms) {
            let number = one.view.id.0.as_u128();
            match groups.last_mut() {
                Some((need, numbers)) if *need == one.need => numbers.push(number),
                _ => groups.push((one.need, vec![number])),
            }
        }
        groups
    }

    #[test]
    fn the_most_urgent_and_oldest_come_first_and_what_is_put_away_last() {
        let wanted = [
            (Need::Now, vec![6, 5, 4, 2, 1]),
            (Need::Settled, vec![7, 9]),
            (Need::Snoozed, vec![8]),
        ];
        assert_eq!(listed(2_000, 2_000), wanted);
    }

    #[test]
    fn an_older_picture_gives_the_same_list_as_a_new_one() {
        for now in [2_000, HOUR / 2, HOUR, HOUR + 15, 2 * HOUR] {
            assert_eq!(listed(2_000, now), listed(now, now), "{now}");
        }
        // The snooze is over, and what was at rest for an hour is settled, also what had never worked.
        let wanted = [
            (Need::Now, vec![8, 6, 5, 4]),
            (Need::Settled, vec![7, 9, 2, 1, 10]),
        ];
        assert_eq!(listed(2_000, 2 * HOUR), wanted);
    }
}
