//! The strip of a session: the states of its last half hour as cells.

use session_core::State;

/// How far the strip reaches back.
pub(crate) const SPAN_MS: i64 = 30 * 60_000;

/// One change of a session's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// When the new state began, in milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// The state before.
    pub from: State,
    /// The state after.
    pub to: State,
}

/// The states of the last half hour in so many cells, the oldest first: in each the most urgent one that the session was
/// in, so that no short block is lost. The last cell is the present state, as the row shows it.
pub(crate) fn strip(
    changes: &[Change],
    (state, since_ms): (State, i64),
    now_ms: i64,
    cells: usize,
    urgency: &[State],
) -> Vec<State> {
    let mut spans = vec![(
        i64::MIN,
        changes.first().map_or(State::None, |first| first.from),
    )];
    spans.extend(changes.iter().map(|change| (change.at_ms, change.to)));
    if spans.last().is_none_or(|(_, last)| *last != state) {
        spans.push((since_ms, state));
    }
    spans.sort_by_key(|(at, _)| *at);
    let ends = spans
        .iter()
        .skip(1)
        .map(|(at, _)| *at)
        .chain(std::iter::once(i64::MAX));
    let spans: Vec<(i64, i64, State)> = spans
        .iter()
        .zip(ends)
        .map(|((from, state), to)| (*from, to, *state))
        .collect();
    let count = i64::try_from(cells.max(1)).unwrap_or(1);
    let mut cells: Vec<State> = (0..count)
        .map(|cell| {
            let from = now_ms - SPAN_MS + SPAN_MS * cell / count;
            let to = now_ms - SPAN_MS + SPAN_MS * (cell + 1) / count;
            let held = spans
                .iter()
                .filter(|(begin, end, _)| *begin < to && *end > from);
            held.map(|(_, _, state)| *state)
                .min_by_key(|state| state.urgency(urgency))
                .unwrap_or(State::None)
        })
        .collect();
    if let Some(last) = cells.last_mut() {
        *last = state;
    }
    cells
}

#[cfg(test)]
mod tests {
    use session_core::URGENCY;

    use super::*;

    const MINUTE: i64 = 60_000;

    fn change(minutes_ago: i64, from: State, to: State) -> Change {
        Change {
            at_ms: -minutes_ago * MINUTE,
            from,
            to,
        }
    }

    #[test]
    fn a_short_block_is_in_the_strip_and_the_present_state_is_its_end() {
        let changes = [
            change(21, State::None, State::Working),
            change(11, State::Working, State::Blocked),
            change(10, State::Blocked, State::Working),
        ];
        let present = (State::Done, -2 * MINUTE);
        assert_eq!(
            strip(&changes, present, 0, 6, &URGENCY),
            [
                State::None,
                State::Working,
                State::Working,
                State::Blocked,
                State::Working,
                State::Done
            ]
        );
        assert_eq!(
            strip(&changes, present, 0, 30, &URGENCY)[26..],
            [State::Working, State::Working, State::Done, State::Done]
        );
    }

    #[test]
    fn a_session_that_did_not_change_has_its_state_since_it_began() {
        let long_ago = strip(&[], (State::Idle, -90 * MINUTE), 0, 3, &URGENCY);
        assert_eq!(long_ago, [State::Idle; 3]);
        let lately = strip(&[], (State::Idle, -10 * MINUTE), 0, 3, &URGENCY);
        assert_eq!(lately, [State::None, State::None, State::Idle]);
    }
}
