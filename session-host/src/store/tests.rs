//! What the store promises, on real files.

#![expect(clippy::disallowed_methods, reason = "the tests damage files")]

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use rstest::{fixture, rstest};
use session_core::{
    Act, Effect, Event, GoneWhy, MachineId, Mux, PaneId, PaneKey, Policy, ServerId, Session,
    SessionId, Signal, SignalSource, State, Time, apply,
};
use tempfile::TempDir;
use uuid::Uuid;

use super::{Counter, Keep, Row, Store, StoreError, UnroutedReason};
use crate::paths::Paths;

const WAIT: Duration = Duration::from_secs(20);
const NOW: Time = Time(1_700_000_000_000_000);

struct Place {
    paths: Paths,
    _folder: TempDir,
}

#[fixture]
fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    Place {
        paths: Paths {
            config: at("config"),
            state: at("state"),
            runtime: at("run"),
        },
        _folder: folder,
    }
}

fn machine() -> MachineId {
    MachineId("here".to_owned())
}

fn pane(number: u32) -> PaneKey {
    let server = ServerId {
        mux: Mux::Tmux,
        socket: "/tmp/tmux-1000/default".into(),
        pid: 42,
        started: 1_700_000_000,
    };
    PaneKey {
        server,
        pane: PaneId(number),
    }
}

fn session(number: u32) -> Session {
    Session::new(
        SessionId(Uuid::from_u128(u128::from(number) + 1)),
        machine(),
        Some(pane(number)),
        NOW,
    )
}

fn signal(act: Act, at: Time) -> Event {
    Event::Signal(Signal {
        at,
        source: SignalSource::Wired,
        act,
        actor: None,
        agent: Some("claude".parse().unwrap()),
        agent_session: None,
        message: None,
        event: "x".to_owned(),
        fingerprint: u64::try_from(at.0).unwrap(),
    })
}

fn put(store: &mut Store, session: Session, event: Event) {
    let mut row = Row::new(session);
    let applied = apply(&mut row.session, event, &Policy::default(), NOW);
    store
        .write(NOW, |transaction| transaction.save(&row, &applied.effects))
        .unwrap();
}

fn set_aside_files(paths: &Paths) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(&paths.state)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.retain(|name| name.contains(".corrupt-"));
    names.sort();
    names
}

#[rstest]
fn the_journal_is_read_by_time_and_by_session(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    for number in [5, 6] {
        put(&mut store, session(number), signal(Act::Prompt, NOW));
    }
    let read = Store::open_reading(&place.paths, WAIT).unwrap();
    assert_eq!(read.journal_from(NOW).unwrap().len(), 2);
    assert!(read.journal_from(NOW.plus_ms(1)).unwrap().is_empty());
    let of = read.journal_of(session(6).id, 10).unwrap();
    let of: Vec<_> = of.iter().map(|row| row.transition.session).collect();
    assert_eq!(of, [session(6).id]);
    assert!(read.journal_of(session(6).id, 0).unwrap().is_empty());
}

#[rstest]
fn a_session_and_its_changes_read_back(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    put(&mut store, session(5), signal(Act::Prompt, NOW));
    let read = Store::open_reading(&place.paths, WAIT).unwrap();
    let live = read.live_at(&pane(5)).unwrap().unwrap();
    assert_eq!((live.id, live.shown.state), (session(5).id, State::Working));
    assert_eq!(read.live().unwrap().len(), 1);
    let journal = read.journal_since(0, 10).unwrap();
    assert_eq!(journal.len(), 1);
    assert_eq!(
        (journal[0].seq, journal[0].transition.to, journal[0].at),
        (1, State::Working, NOW)
    );
    assert_eq!(read.newest_seq().unwrap(), 1);
    assert!(read.journal_since(1, 10).unwrap().is_empty());
}

#[rstest]
fn an_update_changes_the_record_and_says_what_changed_since(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    for number in 1..=2 {
        put(&mut store, session(number), signal(Act::Prompt, NOW));
    }
    let (all, seq) = store.changed_since(0).unwrap();
    assert_eq!((all.len(), seq), (2, 2));
    let stop = signal(
        Act::Stop {
            background: None,
            settle_ms: 0,
        },
        NOW.plus_ms(10),
    );
    let changed = store
        .update(session(1).id, NOW, |session| {
            apply(session, stop, &Policy::default(), NOW.plus_ms(10))
        })
        .unwrap();
    assert!(matches!(
        changed.unwrap().1.effects.as_slice(),
        [Effect::Journal(_)]
    ));
    let (changed, seq) = store.changed_since(seq).unwrap();
    assert_eq!(
        (
            changed.iter().map(|session| session.id).collect::<Vec<_>>(),
            seq
        ),
        (vec![session(1).id], 3)
    );
    assert!(
        store
            .update(session(9).id, NOW, |_| unreachable!())
            .unwrap()
            .is_none()
    );
}

#[rstest]
fn a_session_that_is_over_makes_room_in_its_pane(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    put(&mut store, session(1), signal(Act::Prompt, NOW));
    store
        .update(session(1).id, NOW, |session| {
            apply(
                session,
                Event::Gone(GoneWhy::AgentExited),
                &Policy::default(),
                NOW,
            )
        })
        .unwrap();
    let again = Session {
        id: session(7).id,
        ..session(1)
    };
    put(&mut store, again, signal(Act::Prompt, NOW));
    assert_eq!(store.live_at(&pane(1)).unwrap().unwrap().id, session(7).id);
    assert_eq!(
        store.last_over_at(&pane(1)).unwrap().unwrap().id,
        session(1).id
    );
    let ended = store
        .write(NOW, |transaction| {
            transaction.last_end(&pane(1).server.to_string(), PaneId(1))
        })
        .unwrap()
        .unwrap();
    assert_eq!((ended.id, ended.at), (session(1).id, NOW));
    assert_eq!(store.all().unwrap().len(), 2);
}

#[rstest]
fn a_failed_transaction_leaves_nothing(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    let row = Row::new(session(1));
    let failed = store.write(NOW, |transaction| {
        transaction.save(&row, &[])?;
        Err::<(), _>(StoreError::Failed("no".to_owned()))
    });
    assert!(failed.is_err());
    assert!(store.live().unwrap().is_empty());
    put(&mut store, session(1), signal(Act::Prompt, NOW));
}

#[rstest]
fn case_b1_unrouted_signals_are_counted_and_the_last_reasons_kept(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    for number in 0..30 {
        let reason = UnroutedReason {
            at: NOW,
            event: format!("e{number}"),
            agent: None,
            why: "TMUX_PANE is not set".into(),
        };
        store
            .write(NOW, |transaction| transaction.unrouted(&reason))
            .unwrap();
    }
    let unrouted = store.unrouted().unwrap();
    assert_eq!((unrouted.count, unrouted.last.len()), (30, 20));
    assert_eq!(unrouted.last.last().unwrap().event, "e29");
    assert_eq!(store.counted(Counter::Nested).unwrap().count, 0);
}

#[rstest]
fn an_effect_is_claimed_once(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    let mut other = Store::open_writing(&place.paths, WAIT).unwrap();
    let claim = |store: &mut Store, effect: &str| {
        store
            .write(NOW, |transaction| transaction.claim(1, effect, "me"))
            .unwrap()
    };
    assert_eq!(
        (
            claim(&mut store, "hook"),
            claim(&mut other, "hook"),
            claim(&mut other, "notify")
        ),
        (true, false, true)
    );
}

#[rstest]
fn case_k5_a_new_store_is_its_owner_s_alone(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    put(&mut store, session(1), signal(Act::Prompt, NOW));
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(&place.paths.state), 0o700);
    for part in ["", "-wal", "-shm"] {
        let name = format!("sessions.db{part}");
        assert_eq!(mode(&place.paths.state.join(&name)), 0o600, "{name}");
    }
}

#[rstest]
fn reading_makes_nothing(place: Place) {
    assert!(matches!(
        Store::open_reading(&place.paths, WAIT),
        Err(StoreError::Missing)
    ));
    assert!(!place.paths.state.exists());
}

#[rstest]
#[case::garbage(b"this is no database, and it is long enough to be read as a header of one ............................".to_vec())]
#[case::binary(vec![0xa5; 8192])]
fn a_file_that_is_no_database_is_set_aside_and_work_goes_on(
    place: Place,
    #[case] content: Vec<u8>,
) {
    fs::create_dir_all(&place.paths.state).unwrap();
    fs::write(place.paths.store(), &content).unwrap();
    fs::write(place.paths.state.join("sessions.db-wal"), "old log").unwrap();
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    put(&mut store, session(1), signal(Act::Prompt, NOW));
    let aside = store.set_aside().unwrap();
    assert_eq!(aside.len(), 1);
    assert_eq!(
        fs::read(&aside[0].path).unwrap(),
        content,
        "nothing of it is lost"
    );
    assert_eq!(
        fs::read(format!("{}-wal", aside[0].path)).unwrap(),
        b"old log"
    );
    assert!(!aside[0].why.is_empty());
}

#[rstest]
fn damage_that_shows_in_the_middle_of_work_is_set_aside_too(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    for number in 0..50 {
        put(&mut store, session(number), signal(Act::Prompt, NOW));
    }
    store.checkpoint(0).unwrap();
    drop(store);
    let mut bytes = fs::read(place.paths.store()).unwrap();
    for byte in bytes.iter_mut().skip(4096) {
        *byte = 0x55;
    }
    fs::write(place.paths.store(), bytes).unwrap();
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    let failed = store.update(session(1).id, NOW, |_| unreachable!());
    assert!(matches!(failed, Err(StoreError::Corrupt(_))), "{failed:?}");
    put(&mut store, session(1), signal(Act::Prompt, NOW));
    assert_eq!(
        (
            store.live().unwrap().len(),
            store.set_aside().unwrap().len()
        ),
        (1, 1)
    );
    assert!(!store.replaced());
}

#[rstest]
fn many_who_find_the_damage_at_once_set_it_aside_once(place: Place) {
    fs::create_dir_all(&place.paths.state).unwrap();
    fs::write(place.paths.store(), "no database at all").unwrap();
    let start = Arc::new(Barrier::new(8));
    let threads: Vec<_> = (0..8)
        .map(|number| {
            let (paths, start) = (place.paths.clone(), Arc::clone(&start));
            std::thread::spawn(move || {
                start.wait();
                let mut store = Store::open_writing(&paths, WAIT).unwrap();
                put(&mut store, session(number), signal(Act::Prompt, NOW));
            })
        })
        .collect();
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
    assert_eq!(set_aside_files(&place.paths).len(), 1);
    assert_eq!(
        Store::open_reading(&place.paths, WAIT)
            .unwrap()
            .live()
            .unwrap()
            .len(),
        8
    );
}

#[rstest]
fn a_store_that_another_holds_is_given_up_at_the_deadline(place: Place) {
    let mut holder = Store::open_writing(&place.paths, WAIT).unwrap();
    put(&mut holder, session(1), signal(Act::Prompt, NOW));
    holder.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    store.set_wait(Duration::from_millis(30));
    let began = Instant::now();
    assert!(matches!(
        store.write(NOW, |_| Ok(())),
        Err(StoreError::Busy)
    ));
    assert!(began.elapsed() >= Duration::from_millis(30));
    assert_eq!(
        store.live().unwrap().len(),
        1,
        "readers do not wait for writers"
    );
    holder.connection.execute_batch("ROLLBACK").unwrap();
    store.write(NOW, |_| Ok(())).unwrap();
}

#[rstest]
fn a_store_of_a_newer_version_is_left_alone(place: Place) {
    let store = Store::open_writing(&place.paths, WAIT).unwrap();
    store
        .connection
        .pragma_update(None, "user_version", 99)
        .unwrap();
    drop(store);
    assert!(matches!(
        Store::open_writing(&place.paths, WAIT),
        Err(StoreError::Newer { found: 99, .. })
    ));
    assert!(matches!(
        Store::open_reading(&place.paths, WAIT),
        Err(StoreError::Newer { .. })
    ));
    assert!(set_aside_files(&place.paths).is_empty());
}

#[rstest]
fn a_folder_that_cannot_be_is_a_clean_refusal(place: Place) {
    fs::write(&place.paths.state, "a file where the folder should be").unwrap();
    assert!(matches!(
        Store::open_writing(&place.paths, WAIT),
        Err(StoreError::Refused(_))
    ));
}

#[rstest]
fn a_read_only_folder_is_a_clean_refusal(place: Place) {
    drop(Store::open_writing(&place.paths, WAIT).unwrap());
    fs::set_permissions(place.paths.store(), fs::Permissions::from_mode(0o400)).unwrap();
    fs::set_permissions(&place.paths.state, fs::Permissions::from_mode(0o500)).unwrap();
    let opened = Store::open_writing(&place.paths, WAIT)
        .and_then(|mut store| store.write(NOW, |t| t.count(Counter::Nested)));
    fs::set_permissions(&place.paths.state, fs::Permissions::from_mode(0o700)).unwrap();
    if rustix::process::geteuid().is_root() {
        eprintln!("skipped: nothing is read-only for root");
        return;
    }
    assert!(matches!(opened, Err(StoreError::Refused(_))), "{opened:?}");
}

#[rstest]
fn a_store_that_was_taken_away_is_noticed_and_nothing_is_written_into_the_void(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    put(&mut store, session(1), signal(Act::Prompt, NOW));
    assert!(!store.replaced());
    fs::remove_file(place.paths.store()).unwrap();
    assert!(store.replaced());
    let count =
        |store: &mut Store| store.write(NOW, |transaction| transaction.count(Counter::Nested));
    assert!(matches!(count(&mut store), Err(StoreError::Replaced)));
    assert!(!store.replaced(), "it is open on the fresh one");
    count(&mut store).unwrap();
    assert_eq!(store.counted(Counter::Nested).unwrap().count, 1);
    // The log of the one that was taken away is not mistaken for that of the fresh one.
    assert!(store.live().unwrap().is_empty());
    assert!(store.set_aside().unwrap()[0].why.contains("left behind"));
}

#[rstest]
fn a_record_that_does_not_read_back_hides_no_other_and_stands_in_nobody_s_way(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    for number in 1..=2 {
        put(&mut store, session(number), signal(Act::Prompt, NOW));
    }
    store
        .connection
        .execute(
            "UPDATE session SET record = '{\"from\":\"the future\"}' WHERE pane = 1",
            [],
        )
        .unwrap();
    assert_eq!(store.live().unwrap().len(), 1);
    let rows = store
        .write(NOW, |transaction| {
            transaction.live_in_pane(&machine(), Mux::Tmux, 42, PaneId(1))
        })
        .unwrap();
    assert!(rows.is_empty());
    put(
        &mut store,
        Session {
            id: session(7).id,
            ..session(1)
        },
        signal(Act::Prompt, NOW),
    );
    assert_eq!(store.live().unwrap().len(), 2);
}

#[rstest]
fn pruning_takes_the_oldest_and_never_the_newest_change(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    for number in 0..10 {
        let mut over = session(number);
        apply(
            &mut over,
            Event::Gone(GoneWhy::PaneClosed),
            &Policy::default(),
            NOW.plus_ms(i64::from(number)),
        );
        put(&mut store, over, Event::Tick);
        let prompt = signal(Act::Prompt, NOW);
        put(
            &mut store,
            Session {
                id: session(100 + number).id,
                ..session(number)
            },
            prompt,
        );
    }
    let keep = Keep {
        journal_rows: 3,
        over_rows: 4,
        ..Keep::default()
    };
    store
        .write(NOW, |transaction| transaction.prune(&keep, NOW))
        .unwrap();
    assert_eq!(
        store
            .journal_since(0, 100)
            .unwrap()
            .iter()
            .map(|row| row.seq)
            .collect::<Vec<_>>(),
        [8, 9, 10]
    );
    let (over, live): (Vec<_>, Vec<_>) = store
        .all()
        .unwrap()
        .into_iter()
        .partition(|session| session.gone.is_some());
    assert_eq!((over.len(), live.len()), (4, 10));
    let oldest = store.journal_since(0, 1).unwrap();
    assert_eq!(oldest.first().map(|row| row.seq), Some(8));
    let later = NOW.plus_ms(40 * 86_400_000);
    let (_, newest) = store.changed_since(0).unwrap();
    store
        .write(later, |transaction| {
            transaction.prune(&Keep::default(), later)
        })
        .unwrap();
    assert_eq!(store.all().unwrap().len(), 10);
    assert!(store.journal_since(0, 100).unwrap().is_empty());
    assert_eq!(
        store.newest_seq().unwrap(),
        10,
        "a follower must not take it for a new store"
    );
    put(&mut store, session(50), signal(Act::Prompt, NOW));
    assert_eq!(
        store.newest_seq().unwrap(),
        11,
        "numbers are never used again"
    );
    assert_eq!(store.changed_since(0).unwrap().1, newest + 1);
}

#[rstest]
fn tidying_up_moves_the_pages_and_begins_the_log_anew(place: Place) {
    let mut store = Store::open_writing(&place.paths, WAIT).unwrap();
    store.settle_in().unwrap();
    for number in 0..20 {
        put(&mut store, session(number), signal(Act::Prompt, NOW));
    }
    let log = place.paths.state.join("sessions.db-wal");
    let salt = |log: &Path| fs::read(log).unwrap()[16..24].to_vec();
    let (before, length) = (salt(&log), fs::metadata(&log).unwrap().len());
    store.tidy(NOW).unwrap();
    assert_ne!(salt(&log), before, "the next to write need not begin it");
    assert_eq!(fs::metadata(&log).unwrap().len(), length);
    let copy = Paths {
        state: place.paths.state.join("copy"),
        ..place.paths.clone()
    };
    fs::create_dir(&copy.state).unwrap();
    fs::copy(place.paths.store(), copy.store()).unwrap();
    assert_eq!(
        Store::open_writing(&copy, WAIT)
            .unwrap()
            .live()
            .unwrap()
            .len(),
        20
    );
}

/// A session that is stored between the two questions of a reader would have no lamp until it changes again.
#[rstest]
fn case_l1_whoever_follows_the_changes_misses_none_while_others_write(place: Place) {
    const WRITERS: u32 = 2;
    const EACH: u32 = 250;
    let reader = Store::open_writing(&place.paths, WAIT).unwrap();
    let threads: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let paths = place.paths.clone();
            std::thread::spawn(move || {
                let mut store = Store::open_writing(&paths, WAIT).unwrap();
                for number in 0..EACH {
                    let session = session(writer * EACH + number);
                    put(&mut store, session, signal(Act::Prompt, NOW));
                }
            })
        })
        .collect();
    let (mut since, mut seen) = (0, std::collections::BTreeSet::new());
    while since < u64::from(WRITERS * EACH) {
        let (changed, newest) = reader.changed_since(since).unwrap();
        seen.extend(changed.iter().map(|session| session.id));
        since = newest;
    }
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
    assert_eq!(seen.len(), usize::try_from(WRITERS * EACH).unwrap());
}

#[rstest]
fn case_l1_every_signal_of_many_writers_is_stored_in_order(place: Place) {
    const WRITERS: u32 = 64;
    const EACH: i64 = 30;
    drop(Store::open_writing(&place.paths, WAIT).unwrap());
    let start = Arc::new(Barrier::new(WRITERS as usize));
    let threads: Vec<_> = (0..WRITERS)
        .map(|number| {
            let (paths, start) = (place.paths.clone(), Arc::clone(&start));
            std::thread::spawn(move || {
                start.wait();
                for count in 0..EACH {
                    // As a process of its own would: open, one transaction.
                    let mut store = Store::open_writing(&paths, WAIT).unwrap();
                    let at = NOW.plus_ms(count);
                    let act = if count % 2 == 0 {
                        Act::Prompt
                    } else {
                        Act::Stop {
                            background: None,
                            settle_ms: 0,
                        }
                    };
                    if count == 0 {
                        put(&mut store, session(number), signal(act, at));
                    } else {
                        store
                            .update(session(number).id, at, |session| {
                                apply(session, signal(act, at), &Policy::default(), at)
                            })
                            .unwrap()
                            .unwrap();
                    }
                }
            })
        })
        .collect();
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
    let store = Store::open_reading(&place.paths, WAIT).unwrap();
    let live = store.live().unwrap();
    assert_eq!(live.len(), WRITERS as usize);
    for session in live {
        assert_eq!(
            (session.shown.state, session.turn.heard),
            (State::Done, NOW.plus_ms(EACH - 1))
        );
    }
    let journal = store.journal_since(0, usize::MAX).unwrap();
    assert_eq!(
        journal.len(),
        usize::try_from(i64::from(WRITERS) * EACH).unwrap()
    );
    for number in 0..WRITERS {
        let states: Vec<_> = journal
            .iter()
            .filter(|row| row.transition.session == session(number).id)
            .map(|row| row.transition.to)
            .collect();
        let expected: Vec<_> = (0..EACH)
            .map(|count| {
                if count % 2 == 0 {
                    State::Working
                } else {
                    State::Done
                }
            })
            .collect();
        assert_eq!(states, expected);
    }
}
