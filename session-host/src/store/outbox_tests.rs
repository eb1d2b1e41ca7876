//! What the queue of the hooks promises.

use std::time::Duration;

use rstest::{fixture, rstest};
use session_core::Time;
use session_core::happening::{Happening, HookEvent};
use tempfile::TempDir;

use super::{Errand, Fate, MOST_WAITING, Store};
use crate::hooks::HookCommand;
use crate::paths::Paths;

const WAIT: Duration = Duration::from_secs(20);
const NOW: Time = Time(1_700_000_000_000_000);

#[fixture]
fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn open(folder: &TempDir) -> Store {
    let at = |name: &str| folder.path().join(name);
    let paths = Paths {
        config: at("config"),
        state: at("state"),
        runtime: at("run"),
    };
    Store::open_writing(&paths, WAIT).unwrap()
}

fn errand(mux_session: &str) -> Errand {
    let mut happening = Happening::new(HookEvent::AfterAgentState, NOW);
    mux_session.clone_into(&mut happening.place.mux_session);
    Errand {
        happening,
        commands: vec![HookCommand::new("x")],
    }
}

fn put(store: &mut Store, mux_session: &str) -> Vec<u64> {
    store
        .write(NOW, |transaction| {
            transaction.put_errand(&errand(mux_session), NOW)
        })
        .unwrap()
}

fn begin(store: &mut Store, seq: u64) -> bool {
    let until = |_: &Errand| NOW.plus_ms(1);
    store
        .write(NOW, |transaction| transaction.begin_errand(seq, until))
        .unwrap()
        .is_some()
}

fn waiting(store: &Store) -> Vec<u64> {
    let waiting = store.errands_waiting().unwrap();
    waiting.iter().map(|waiting| waiting.seq).collect()
}

#[rstest]
fn an_errand_is_begun_by_one_only(folder: TempDir) {
    put(&mut open(&folder), "work");
    let begun: usize = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| usize::from(begin(&mut open(&folder), 1))))
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).sum()
    });
    assert_eq!(begun, 1);
}

#[rstest]
fn one_of_a_line_runs_at_a_time_and_in_order(folder: TempDir) {
    let mut store = open(&folder);
    for line in ["a", "a", "b"] {
        put(&mut store, line);
    }
    assert_eq!(waiting(&store), [1, 3]);
    assert!(begin(&mut store, 1));
    assert_eq!(waiting(&store), [3]);
    store
        .write(NOW, |transaction| transaction.end_errand(1, Fate::Done))
        .unwrap();
    assert_eq!(waiting(&store), [2, 3]);
}

#[rstest]
fn the_oldest_of_too_many_is_dropped_and_counted(folder: TempDir) {
    let mut store = open(&folder);
    let most = u64::try_from(MOST_WAITING).unwrap();
    let dropped: Vec<u64> = (0..most + 2).flat_map(|_| put(&mut store, "a")).collect();
    assert_eq!(dropped, [1, 2]);
    assert_eq!(waiting(&store), [3]);
    let run = store.hook_run(HookEvent::AfterAgentState, "x").unwrap();
    assert_eq!((run.runs, run.dropped), (0, 2));
}

#[rstest]
fn what_was_begun_and_never_finished_is_lost_and_not_run_again(folder: TempDir) {
    let mut store = open(&folder);
    put(&mut store, "a");
    assert!(begin(&mut store, 1));
    let lose = |store: &mut Store, now| {
        store
            .write(now, |transaction| transaction.lose_overdue(now))
            .unwrap()
    };
    assert!(lose(&mut store, NOW).is_empty());
    assert_eq!(store.errands_running().unwrap(), [(1, NOW.plus_ms(1))]);
    assert_eq!(lose(&mut store, NOW.plus_ms(2)), [1]);
    assert!(!begin(&mut store, 1));
    let logged = store.errands_logged(9).unwrap();
    assert_eq!(logged[0].state, "lost");
}

#[rstest]
fn a_runner_that_could_not_begin_leaves_the_errand_for_later(folder: TempDir) {
    let mut store = open(&folder);
    put(&mut store, "a");
    let again = NOW.plus_ms(1_000);
    let lost = store
        .write(NOW, |transaction| transaction.runner_ended(1, again))
        .unwrap();
    assert!(!lost);
    assert_eq!(store.errands_waiting().unwrap()[0].due, again);
}
