//! Rollups: the most urgent state of many sessions, and how many are in each.

use serde::{Deserialize, Serialize};

use crate::ids::SessionId;
use crate::state::State;

/// How many sessions are in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Blocked sessions.
    pub blocked: usize,
    /// Failed sessions.
    pub error: usize,
    /// Working sessions.
    pub working: usize,
    /// Sessions with an unseen finished turn.
    pub done: usize,
    /// Agents that never signalled.
    pub running: usize,
    /// Idle sessions.
    pub idle: usize,
    /// Sessions without evidence.
    pub unknown: usize,
}

impl Counts {
    /// The count for a state; sessions without an agent are not counted.
    #[must_use]
    pub const fn of(&self, state: State) -> usize {
        match state {
            State::Blocked => self.blocked,
            State::Error => self.error,
            State::Working => self.working,
            State::Done => self.done,
            State::Running => self.running,
            State::Idle => self.idle,
            State::Unknown => self.unknown,
            State::None => 0,
        }
    }

    fn add(&mut self, state: State) {
        match state {
            State::Blocked => self.blocked += 1,
            State::Error => self.error += 1,
            State::Working => self.working += 1,
            State::Done => self.done += 1,
            State::Running => self.running += 1,
            State::Idle => self.idle += 1,
            State::Unknown => self.unknown += 1,
            State::None => {}
        }
    }
}

/// The most urgent state of some sessions, the session it comes from, and the counts (case J6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rollup {
    /// The most urgent state; `none` for no session at all.
    pub state: State,
    /// The session that is longest in that state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Since when that session is in that state, in milliseconds since the Unix epoch; `None` for no session at all.
    pub since_ms: Option<i64>,
    /// How many are in each state.
    pub counts: Counts,
}

impl Rollup {
    /// Rolls up (state, since in ms, session) triples by `urgency`; the order they come in does not matter.
    pub fn of(
        members: impl IntoIterator<Item = (State, i64, SessionId)>,
        urgency: &[State],
    ) -> Self {
        let mut counts = Counts::default();
        let mut top: Option<(usize, i64, SessionId, State)> = None;
        for (state, since, session) in members {
            counts.add(state);
            let key = (state.urgency(urgency), since, session, state);
            if top.is_none_or(|best| (key.0, key.1, key.2) < (best.0, best.1, best.2)) {
                top = Some(key);
            }
        }
        match top {
            Some((_, since_ms, session, state)) => Self {
                state,
                session: Some(session),
                since_ms: Some(since_ms),
                counts,
            },
            None => Self {
                state: State::None,
                session: None,
                since_ms: None,
                counts,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;
    use uuid::Uuid;

    use super::*;
    use crate::state::URGENCY;

    fn id(number: usize) -> SessionId {
        SessionId(Uuid::from_u128(number as u128))
    }

    fn roll(states: &[State]) -> Rollup {
        Rollup::of(
            states
                .iter()
                .enumerate()
                .map(|(index, state)| (*state, 0, id(index))),
            &URGENCY,
        )
    }

    #[rstest]
    #[case(&[State::Done, State::Idle], State::Done, Some(0))]
    #[case(&[State::Working, State::Blocked, State::Done], State::Blocked, Some(1))]
    #[case(&[State::Running, State::Idle], State::Running, Some(0))]
    #[case(&[State::Idle, State::Unknown], State::Idle, Some(0))]
    #[case(&[State::None, State::None], State::None, Some(0))]
    #[case(&[], State::None, None)]
    fn case_j6_a_rollup_takes_state_and_name_from_the_same_session(
        #[case] states: &[State],
        #[case] state: State,
        #[case] session: Option<usize>,
    ) {
        let rollup = roll(states);
        assert_eq!((rollup.state, rollup.session), (state, session.map(id)));
        assert_eq!(rollup.since_ms.is_some(), session.is_some());
    }

    #[test]
    fn case_j6_the_longest_in_a_state_speaks_for_the_others() {
        let rollup = Rollup::of(
            [(State::Blocked, 20, id(1)), (State::Blocked, 10, id(2))],
            &URGENCY,
        );
        assert_eq!(
            (rollup.session, rollup.since_ms, rollup.counts.blocked),
            (Some(id(2)), Some(10), 2)
        );
    }

    #[test]
    fn the_urgency_order_is_the_persons() {
        let order = [State::Done, State::Blocked];
        let rollup = Rollup::of(
            [(State::Blocked, 0, id(1)), (State::Done, 0, id(2))],
            &order,
        );
        assert_eq!(rollup.state, State::Done);
    }

    prop_compose! {
        fn any_members()(members in prop::collection::vec((prop::sample::select(URGENCY.to_vec()), 0..5_i64), 0..12)) -> Vec<Member> {
            members.into_iter().enumerate().map(|(index, (state, since))| (state, since, id(index))).collect()
        }
    }
    type Member = (State, i64, SessionId);

    proptest! {
        #[test]
        fn case_j6_a_rollup_is_the_maximum_by_urgency_and_ignores_order((members, shuffled) in any_members().prop_flat_map(|members| {
            (Just(members.clone()), Just(members).prop_shuffle())
        })) {
            let rollup = Rollup::of(members.clone(), &URGENCY);
            prop_assert_eq!(rollup, Rollup::of(shuffled, &URGENCY));
            let most_urgent = URGENCY.into_iter().find(|state| members.iter().any(|member| member.0 == *state));
            prop_assert_eq!(rollup.state, most_urgent.unwrap_or(State::None));
        }
    }
}
