//! `tally wait`.

use std::thread::sleep;
use std::time::{Duration, Instant};

use session_core::{SessionId, SessionView, State};
use session_host::store::Store;

use crate::args::WaitArgs;
use crate::commands::daemon_runs;
use crate::context::{Context, STORE_WAIT};
use crate::failure::{Failure, exit};
use crate::reference::find;
use crate::sight::Sight;

/// How often the store is asked whether it has changed.
const BEAT: Duration = Duration::from_millis(100);
/// How often it is looked although nothing was written: some states come by the passing of time.
const LOOK: Duration = Duration::from_secs(1);

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// A state.
    State(State),
    /// The end of the session.
    Gone,
}

impl Goal {
    fn read(word: &str) -> Result<Self, Failure> {
        if word == "gone" {
            return Ok(Self::Gone);
        }
        let state = word.parse().map(Self::State);
        state.map_err(|error| {
            Failure::new(exit::USAGE, format!("--until: {error}"))
                .hint("Or gone, for the end of the session.")
        })
    }

    /// Whether a session is there; `None` for one that is over.
    fn is_reached(self, state: Option<State>) -> bool {
        match self {
            Self::State(wanted) => state == Some(wanted),
            Self::Gone => state.is_none(),
        }
    }
}

/// What has come of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// They are there.
    Reached,
    /// They cannot come there any more: this many have ended.
    Ended(usize),
}

/// Judges: `None` while it is open. A session that is over is `None`.
fn judge(states: &[Option<State>], goals: &[Goal], any: bool) -> Option<Ending> {
    let is_there = |state: &&Option<State>| goals.iter().any(|goal| goal.is_reached(**state));
    let there = states.iter().filter(is_there).count();
    let lost = states
        .iter()
        .filter(|state| state.is_none() && !is_there(state))
        .count();
    if (any && there > 0) || there == states.len() {
        return Some(Ending::Reached);
    }
    let hopeless = if any { lost == states.len() } else { lost > 0 };
    hopeless.then_some(Ending::Ended(lost))
}

/// Waits until the sessions are in one of the states. Ends with status 1 when one has ended that can come there no more,
/// and with 124 when the time is up.
pub(crate) fn run(args: &WaitArgs, context: &Context) -> anyhow::Result<u8> {
    let goals = args.until.iter().map(|word| Goal::read(word.trim()));
    let goals: Vec<Goal> = goals.collect::<Result<_, _>>()?;
    let deadline = args.timeout.as_deref().map(deadline).transpose()?;
    let config = context.config();
    let picture = context.picture(&config, None, true)?;
    let mut ids: Vec<SessionId> = Vec::new();
    for reference in &args.references {
        ids.push(find(Some(reference), &picture.sessions, context)?.id);
    }
    loop {
        let store = Store::open_reading(&context.paths, STORE_WAIT).ok();
        let version = store.as_ref().and_then(|store| store.data_version().ok());
        // Without a daemon nobody else looks whether panes are still there.
        let sight = (!daemon_runs(&context.paths)).then(|| Sight::now(context));
        let fresh = sight.as_ref().map(Sight::fresh);
        let picture = context.picture(&config, fresh, true)?;
        let states: Vec<Option<State>> = ids
            .iter()
            .map(|id| state_of(*id, &picture.snapshot.sessions))
            .collect();
        match judge(&states, &goals, args.any) {
            Some(Ending::Reached) => return Ok(exit::OK),
            Some(Ending::Ended(count)) => {
                return Err(Failure::failed(match (count, ids.len()) {
                    (1, 1) => "the session has ended".to_owned(),
                    (count, all) => format!("{count} of the {all} sessions have ended"),
                })
                .into());
            }
            None => {}
        }
        let looked = Instant::now();
        loop {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(exit::TIMED_OUT);
            }
            let now = store.as_ref().and_then(|store| store.data_version().ok());
            if now.is_none() || now != version || looked.elapsed() >= LOOK {
                break;
            }
            sleep(BEAT);
        }
        if store.is_none() {
            sleep(BEAT);
        }
    }
}

fn deadline(text: &str) -> Result<Instant, Failure> {
    let length = humantime::parse_duration(text).ok();
    let at = length.and_then(|length| Instant::now().checked_add(length));
    at.ok_or_else(|| {
        Failure::new(
            exit::USAGE,
            format!("--timeout: {text:?} is not a length of time"),
        )
        .hint("Such as 90s, 10m or 2h.")
    })
}

/// The state of a session; `None` once it is over, or is known no more.
fn state_of(id: SessionId, sessions: &[SessionView]) -> Option<State> {
    let view = sessions.iter().find(|view| view.id == id)?;
    view.gone.is_none().then_some(view.state)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const DONE: [Goal; 1] = [Goal::State(State::Done)];
    const OVER: [Goal; 2] = [Goal::State(State::Done), Goal::Gone];

    #[rstest]
    #[case(&[Some(State::Working)], &DONE, false, None)]
    #[case(&[Some(State::Done)], &DONE, false, Some(Ending::Reached))]
    #[case(&[Some(State::Done), Some(State::Working)], &DONE, false, None)]
    #[case(&[Some(State::Done), Some(State::Working)], &DONE, true, Some(Ending::Reached))]
    #[case(&[Some(State::Done), None], &DONE, false, Some(Ending::Ended(1)))]
    #[case(&[Some(State::Working), None], &DONE, true, None)]
    #[case(&[None, None], &DONE, true, Some(Ending::Ended(2)))]
    #[case(&[Some(State::Done), None], &OVER, false, Some(Ending::Reached))]
    fn a_wait_ends_when_all_or_any_are_there_or_cannot_come_there(
        #[case] states: &[Option<State>],
        #[case] goals: &[Goal],
        #[case] any: bool,
        #[case] ending: Option<Ending>,
    ) {
        assert_eq!(judge(states, goals, any), ending);
    }
}
