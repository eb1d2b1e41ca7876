//! Signals by cases, on a real store.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rstest::rstest;
use session_core::{GoneWhy, Mux, ProcessRef, SignalSource, State};

use super::{Fate, Report, take_spooled};
use crate::bridge::{ProbeFailed, ProbedPane};
use crate::clock::Clock as _;
use crate::host;
use crate::process::FakeProcesses;
use crate::store::{Counter, Store};
use crate::testing::{NOW, PATIENCE, Stage, claude, state};
use crate::{runtime_dir, spool};

fn take_in(stage: &Stage) -> usize {
    let mut store = stage.store();
    take_spooled(
        &mut store,
        &stage.paths,
        &stage.processes,
        &host::machine(),
        &stage.clock,
        None,
    )
    .unwrap()
    .count
}

#[test]
fn a_turn_of_claude_code_is_followed_through_the_store() {
    let stage = Stage::default();
    for (event, shown) in [
        ("SessionStart.startup", State::Idle),
        ("UserPromptSubmit", State::Working),
        ("PreToolUse", State::Working),
        ("PermissionRequest", State::Blocked),
        ("PostToolUse", State::Working),
        ("Stop", State::Done),
    ] {
        stage.clock.forward_ms(100);
        let answer = stage.signal(claude(event));
        assert_eq!(
            (answer.fate, answer.diagnostic),
            (Fate::Stored, None),
            "{event}"
        );
        assert_eq!(stage.only().shown.state, shown, "{event}");
    }
    let session = stage.only();
    let pane = session.pane.clone().unwrap();
    assert_eq!(
        (
            pane.server.mux,
            pane.server.pid,
            pane.server.started,
            pane.pane.0
        ),
        (Mux::Tmux, 5, 5, 7)
    );
    assert_eq!(
        (session.pane_pid, session.process),
        (
            Some(10),
            Some(ProcessRef {
                pid: 20,
                started: 20
            })
        )
    );
    assert_eq!(session.agent.unwrap().as_str(), "claude");
    assert_eq!(
        session.registry_path.as_deref(),
        Some("/home/u/.claude/sessions/20.json")
    );
    assert_eq!(session.cwd.as_deref(), Some("/home/u/proj"));
    assert_eq!(
        stage.probe.asked.load(Ordering::SeqCst),
        1,
        "the multiplexer is asked about a new pane only"
    );
    let states: Vec<_> = stage
        .store()
        .journal_since(0, 100)
        .unwrap()
        .iter()
        .map(|row| row.transition.to)
        .collect();
    assert_eq!(
        states,
        [
            State::Idle,
            State::Working,
            State::Blocked,
            State::Working,
            State::Done
        ]
    );
}

#[rstest]
#[case::no_such_pane(Ok(None), "has no pane %7")]
#[case::another_process(Ok(Some(ProbedPane { pid: 11, server_pid: 5, server_started: 5 })), "not among the reporter's ancestors")]
#[case::another_server(Ok(Some(ProbedPane { pid: 10, server_pid: 6, server_started: 6 })), "another server")]
fn case_b1_a_pane_that_the_server_does_not_know_is_unrouted(
    #[case] answer: Result<Option<ProbedPane>, ProbeFailed>,
    #[case] why: &str,
) {
    let mut stage = Stage::default();
    stage.probe.answer = Some(answer);
    let said = stage.signal(claude("UserPromptSubmit"));
    assert_eq!(said.fate, Fate::Unrouted);
    let unrouted = stage.store().unrouted().unwrap();
    assert_eq!(
        (unrouted.count, unrouted.last[0].event.as_str()),
        (1, "UserPromptSubmit")
    );
    assert!(unrouted.last[0].why.contains(why), "{unrouted:?}");
    assert!(stage.store().live().unwrap().is_empty());
}

#[test]
fn case_b1_without_a_pane_in_the_environment_nothing_is_guessed() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let before = stage.only();
    stage.var("TMUX_PANE", None);
    stage.clock.forward_ms(100);
    assert_eq!(stage.signal(claude("Stop")).fate, Fate::Unrouted);
    assert_eq!(stage.only(), before);
    assert_eq!(stage.store().unrouted().unwrap().count, 1);
    assert_eq!(stage.probe.asked.load(Ordering::SeqCst), 1);
}

#[test]
fn case_b2_a_signal_changes_its_own_pane_only() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let first = stage.only();
    stage.var("TMUX_PANE", Some("%8"));
    stage.var("CLAUDE_PID", Some("21"));
    stage.processes = FakeProcesses::default()
        .with(1, 0, "init")
        .with(5, 1, "tmux")
        .with(10, 5, "-zsh")
        .with(20, 10, "claude")
        .with(11, 5, "-zsh")
        .with(21, 11, "claude")
        .with(99, 21, "tally")
        .own(99);
    stage.probe.answer = Some(Ok(Some(ProbedPane {
        pid: 11,
        server_pid: 5,
        server_started: 5,
    })));
    assert_eq!(stage.signal(claude("PermissionRequest")).fate, Fate::Stored);
    let live = stage.store().live().unwrap();
    assert_eq!(live.len(), 2);
    assert!(live.contains(&first));
}

#[test]
fn case_b6_two_servers_with_the_same_pane_id_do_not_mix() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    stage.var("TMUX", Some("/tmp/tmux-1000/b,6,0"));
    stage.var("CLAUDE_PID", Some("21"));
    stage.processes = FakeProcesses::default()
        .with(1, 0, "init")
        .with(6, 1, "tmux")
        .with(11, 6, "-zsh")
        .with(21, 11, "claude")
        .with(99, 21, "tally")
        .own(99);
    stage.probe.answer = Some(Ok(Some(ProbedPane {
        pid: 11,
        server_pid: 6,
        server_started: 6,
    })));
    stage.signal(claude("PermissionRequest"));
    let mut live = stage.store().live().unwrap();
    live.sort_by_key(|session| session.pane.clone().unwrap().server.pid);
    let seen: Vec<_> = live
        .iter()
        .map(|session| {
            (
                session.pane.as_ref().unwrap().server.socket.as_str(),
                session.shown.state,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("/tmp/tmux-1000/default", State::Working),
            ("/tmp/tmux-1000/b", State::Blocked)
        ]
    );
}

#[test]
fn case_b8_the_signals_of_a_nested_agent_change_nothing_and_are_counted() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let before = stage.only();
    stage.processes = stage
        .processes
        .clone()
        .with(40, 20, "bash -c x")
        .with(41, 40, "claude -p")
        .with(99, 41, "tally");
    stage.var("CLAUDE_PID", Some("41"));
    for _ in 0..3 {
        stage.clock.forward_ms(100);
        let answer = stage.signal(claude("Stop"));
        assert_eq!(answer.fate, Fate::Ignored);
        assert!(
            answer
                .diagnostic
                .unwrap()
                .contains("was started by claude (pid 20)")
        );
    }
    let after = stage.only();
    assert_eq!(
        (after.shown.state, after.turn, after.process),
        (State::Working, before.turn, before.process)
    );
    assert_eq!(after.refused.len(), 1, "the same refusal is kept once");
    assert_eq!(stage.store().counted(Counter::Nested).unwrap().count, 3);
}

#[test]
fn case_b8_an_unreadable_tree_is_accepted() {
    let mut stage = Stage::default();
    stage.processes = stage.processes.clone().unreadable();
    assert_eq!(stage.signal(claude("UserPromptSubmit")).fate, Fate::Stored);
    assert_eq!(stage.only().shown.state, State::Working);
}

#[test]
fn a_multiplexer_that_does_not_answer_proves_nothing() {
    let mut stage = Stage::default();
    stage.probe.answer = None;
    assert_eq!(stage.signal(claude("UserPromptSubmit")).fate, Fate::Stored);
    let session = stage.only();
    assert_eq!(
        (session.pane.unwrap().server.started, session.pane_pid),
        (0, Some(10))
    );
    // Once it answers, the same session goes on under the server's full name.
    stage.probe.answer = Some(Ok(Some(ProbedPane {
        pid: 10,
        server_pid: 5,
        server_started: 5,
    })));
    stage.clock.forward_ms(100);
    stage.signal(claude("Stop"));
    assert_eq!(
        (stage.only().id, stage.only().shown.state),
        (session.id, State::Done)
    );
}

#[test]
fn the_shared_daemon_of_another_pane_is_not_believed() {
    let mut stage = Stage::default();
    stage.processes = stage.processes.clone().with(30, 1, "codex app-server");
    assert_eq!(
        stage.signal(claude("UserPromptSubmit")).fate,
        Fate::Unrouted
    );
    assert!(stage.store().live().unwrap().is_empty());
}

#[test]
fn case_c4_another_process_in_the_pane_ends_the_session_whose_agent_is_gone() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let old = stage.only();
    stage.processes = stage
        .processes
        .clone()
        .without(20)
        .with(21, 10, "claude")
        .with(30, 21, "sh -c hook");
    stage.var("CLAUDE_PID", Some("21"));
    stage.clock.forward_ms(1_000);
    stage.signal(claude("SessionStart.startup"));
    let new = stage.only();
    assert_ne!(new.id, old.id);
    assert_eq!(new.process.unwrap().pid, 21);
    let gone = stage
        .store()
        .session(old.id)
        .unwrap()
        .unwrap()
        .gone
        .unwrap();
    assert_eq!(gone.why, GoneWhy::AgentExited);
}

#[test]
fn case_c4_a_respawned_pane_drops_the_old_session() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let old = stage.only();
    stage.processes = stage
        .processes
        .clone()
        .without(10)
        .without(20)
        .with(12, 5, "claude")
        .with(30, 12, "sh -c hook");
    stage.probe.answer = Some(Ok(Some(ProbedPane {
        pid: 12,
        server_pid: 5,
        server_started: 5,
    })));
    stage.var("CLAUDE_PID", Some("12"));
    stage.signal(claude("SessionStart.startup"));
    let new = stage.only();
    assert_eq!((new.pane_pid, new.shown.state), (Some(12), State::Idle));
    assert_eq!(
        stage
            .store()
            .session(old.id)
            .unwrap()
            .unwrap()
            .gone
            .unwrap()
            .why,
        GoneWhy::PaneRespawned
    );
}

#[test]
fn case_c7_a_server_of_the_same_number_after_a_reboot_is_another() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let old = stage.only();
    // The same numbers all over, as in a container that was started again; only the times are later.
    stage.clock.forward_ms(86_400_000);
    let mut later = FakeProcesses::default()
        .with(1, 0, "init")
        .with(5, 1, "tmux")
        .with(10, 5, "-zsh")
        .with(20, 10, "claude")
        .with(99, 20, "tally")
        .own(99);
    later = later.started(5, 90_000).started(20, 90_001);
    stage.processes = later;
    stage.probe.answer = Some(Ok(Some(ProbedPane {
        pid: 10,
        server_pid: 5,
        server_started: 90_000,
    })));
    assert_eq!(
        stage.signal(claude("SessionStart.startup")).fate,
        Fate::Stored
    );
    let live = stage.store().live().unwrap();
    assert_eq!(
        live.len(),
        2,
        "the old one is for whoever looks for dead servers"
    );
    assert!(
        live.iter()
            .any(|session| session.id == old.id && session.shown.state == State::Working)
    );
}

#[test]
fn two_agents_in_one_pane_are_told_apart_by_the_foreground() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let first = stage.only();
    // The first is stopped; a second one runs in the foreground, then in the background.
    stage.processes = stage
        .processes
        .clone()
        .with(21, 10, "claude")
        .foreground(34_816, 20)
        .with(99, 21, "tally");
    stage.var("CLAUDE_PID", Some("21"));
    stage.clock.forward_ms(10);
    assert_eq!(stage.signal(claude("Stop")).fate, Fate::Ignored);
    assert_eq!((stage.only().id, stage.only().refused.len()), (first.id, 1));
    stage.processes = stage.processes.clone().foreground(34_816, 21);
    stage.clock.forward_ms(10);
    assert_eq!(stage.signal(claude("Stop")).fate, Fate::Stored);
    assert_eq!(
        (stage.only().process.unwrap().pid, stage.only().shown.state),
        (21, State::Done)
    );
    assert_eq!(
        stage
            .store()
            .session(first.id)
            .unwrap()
            .unwrap()
            .gone
            .unwrap()
            .why,
        GoneWhy::Replaced
    );
}

#[test]
fn a_launcher_that_was_seen_first_is_the_same_session() {
    let mut stage = Stage::default();
    stage.processes = stage
        .processes
        .clone()
        .with(20, 10, "node /usr/bin/claude")
        .with(30, 20, "sh -c hook");
    stage.signal(claude("SessionStart.startup"));
    let first = stage.only();
    assert_eq!(first.process.unwrap().pid, 20);
    stage.processes = stage
        .processes
        .clone()
        .with(21, 20, "claude")
        .with(30, 21, "sh -c hook");
    stage.var("CLAUDE_PID", Some("21"));
    stage.clock.forward_ms(10);
    stage.signal(claude("UserPromptSubmit"));
    assert_eq!(
        (stage.only().id, stage.only().process.unwrap().pid),
        (first.id, 21)
    );
}

#[test]
fn a_goodbye_begins_no_session_and_ends_a_known_one() {
    let stage = Stage::default();
    assert_eq!(stage.signal(claude("SessionEnd.other")).fate, Fate::Ignored);
    assert!(stage.store().all().unwrap().is_empty());
    stage.signal(claude("SessionStart.startup"));
    stage.clock.forward_ms(10);
    assert_eq!(
        stage.signal(claude("SessionEnd.prompt_input_exit")).fate,
        Fate::Stored
    );
    assert!(stage.store().live().unwrap().is_empty());
}

#[test]
fn a_late_signal_does_not_bring_a_session_back_but_a_new_agent_does() {
    let mut stage = Stage::default();
    stage.signal(claude("SessionStart.startup"));
    stage.clock.forward_ms(1_000);
    stage.signal(claude("SessionEnd.other"));
    let before_the_end = stage.clock.now().plus_ms(-500);
    stage.clock.forward_ms(100);
    assert_eq!(
        stage
            .signal_at(claude("UserPromptSubmit"), before_the_end)
            .fate,
        Fate::Ignored
    );
    assert!(stage.store().live().unwrap().is_empty());
    stage.processes = stage
        .processes
        .clone()
        .without(20)
        .with(21, 10, "claude")
        .with(30, 21, "sh -c hook");
    stage.var("CLAUDE_PID", Some("21"));
    assert_eq!(
        stage
            .signal_at(claude("SessionStart.startup"), before_the_end)
            .fate,
        Fate::Stored
    );
    assert_eq!(stage.only().process.unwrap().pid, 21);
}

#[test]
fn case_d7_the_same_signal_twice_is_one() {
    let stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    stage.clock.forward_ms(1_000);
    stage.signal(claude("Stop"));
    let since = stage.only().shown.since;
    stage.clock.forward_ms(30);
    assert_eq!(stage.signal(claude("Stop")).fate, Fate::Stored);
    assert_eq!(
        (
            stage.only().shown.since,
            stage.store().newest_seq().unwrap()
        ),
        (since, 2)
    );
}

#[test]
fn case_l1_the_later_event_wins_whatever_the_order_of_writing() {
    let stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    stage.clock.forward_ms(1_000);
    let (early, late) = (
        stage.clock.now().plus_ms(-20),
        stage.clock.now().plus_ms(-10),
    );
    stage.signal_at(claude("Stop"), late);
    stage.signal_at(claude("PostToolUse"), early);
    assert_eq!(stage.only().shown.state, State::Done);
}

#[test]
fn case_c3_a_state_given_by_a_script_needs_no_known_agent() {
    let mut stage = Stage::default();
    stage.var("CLAUDE_PID", None);
    stage.processes = FakeProcesses::default()
        .with(1, 0, "init")
        .with(5, 1, "tmux")
        .with(10, 5, "-zsh")
        .with(20, 10, "my-agent")
        .with(99, 20, "tally")
        .own(99);
    let report = Report::State {
        state: State::Blocked,
        kind: Some("question".into()),
        message: Some("which\u{1b}[1m one?".into()),
        agent: Some("mine".into()),
    };
    assert_eq!(stage.signal(report).fate, Fate::Stored);
    let session = stage.only();
    assert_eq!(
        (session.shown.state, session.turn.by),
        (State::Blocked, SignalSource::Script)
    );
    assert_eq!(
        (session.agent.unwrap().as_str(), session.process),
        ("mine", None)
    );
    assert_eq!(
        session.turn.blocks[0].message.as_deref(),
        Some("which one?")
    );
    stage.clock.forward_ms(2_000);
    stage.signal(state("done"));
    assert_eq!(stage.only().shown.state, State::Done);
}

#[test]
fn a_named_session_is_found_from_anywhere() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let session = stage.only();
    stage.var("TMUX", None);
    stage.clock.forward_ms(100);
    let at = stage.clock.now();
    for reference in ["%7", "tmux:default:%7", &session.id.to_string()] {
        stage.clock.forward_ms(2_000);
        let answer = stage.signal_for(state("done"), stage.clock.now(), Some(reference));
        assert_eq!(answer.fate, Fate::Stored, "{reference}: {answer:?}");
    }
    let after = stage.only();
    assert_eq!(
        (after.shown.state, after.process, after.agent),
        (State::Done, session.process, session.agent)
    );
    let answer = stage.signal_for(state("done"), at, Some("nobody"));
    assert_eq!(
        (answer.fate, answer.diagnostic.as_deref()),
        (Fate::Ignored, Some("no session is called \"nobody\""))
    );
}

#[test]
fn a_claimed_session_is_believed_when_its_process_is_an_ancestor() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let session = stage.only();
    let id = session.id.to_string();
    stage.var("TALLY_SESSION", Some(&id));
    stage.var("TMUX", None);
    stage.clock.forward_ms(100);
    assert_eq!(stage.signal(claude("Stop")).fate, Fate::Stored);
    assert_eq!(stage.only().shown.state, State::Done);
    // Another process tree with the same variable, as in a daemon that kept it.
    stage.processes = stage.processes.clone().with(30, 1, "codex app-server");
    assert_eq!(
        stage.signal(claude("UserPromptSubmit")).fate,
        Fate::Unrouted
    );
    assert_eq!(stage.only().shown.state, State::Done);
    // Nothing can be seen: the variable is taken at its word.
    stage.processes = stage.processes.clone().unreadable();
    stage.clock.forward_ms(100);
    assert_eq!(stage.signal(claude("UserPromptSubmit")).fate, Fate::Stored);
}

#[rstest]
#[case::empty(b"".as_slice(), "empty")]
#[case::broken(b"{\"hook_event_name\":", "not JSON")]
#[case::no_object(b"[1,2]", "names no event")]
#[case::unknown_event(b"{\"hook_event_name\":\"Nonsense\"}", "no rule")]
fn a_bad_payload_is_a_safe_nothing_with_a_reason(#[case] payload: &[u8], #[case] why: &str) {
    let stage = Stage::default();
    let answer = stage.signal(Report::Payload {
        agent: "claude".into(),
        payload: payload.to_vec(),
    });
    assert_eq!((answer.fate, answer.stdout.as_str()), (Fate::Ignored, ""));
    assert!(
        answer.diagnostic.as_deref().unwrap().contains(why),
        "{answer:?}"
    );
    assert!(!stage.paths.state.exists(), "nothing is written");
    let unknown = stage.signal(Report::Payload {
        agent: "nobody".into(),
        payload: b"{}".to_vec(),
    });
    assert!(unknown.diagnostic.unwrap().contains("no manifest"));
}

#[test]
fn a_clock_that_runs_ahead_does_no_harm() {
    let stage = Stage::default();
    let ahead = NOW.plus_ms(3_600_000);
    assert_eq!(
        stage.signal_at(claude("UserPromptSubmit"), ahead).fate,
        Fate::Stored
    );
    stage.clock.forward_ms(1_000);
    assert_eq!(stage.signal(claude("Stop")).fate, Fate::Stored);
    assert_eq!(stage.only().shown.state, State::Done);
}

#[test]
fn case_d3_a_held_store_sends_the_signal_to_the_spool_within_the_deadline() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let holder = hold(&stage);
    stage.deadline = Duration::from_millis(60);
    stage.clock.forward_ms(500);
    let began = Instant::now();
    let answer = stage.signal(claude("Stop"));
    assert!(
        began.elapsed() < Duration::from_millis(250),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(answer.fate, Fate::Spooled);
    assert_eq!(spool::count(&stage.paths), (1, 0));
    drop(holder);
    assert_eq!(stage.only().shown.state, State::Working);
    assert_eq!(take_in(&stage), 1);
    assert_eq!(
        (stage.only().shown.state, spool::count(&stage.paths)),
        (State::Done, (0, 0))
    );
    assert_eq!(stage.store().counted(Counter::Spooled).unwrap().count, 1);
    assert_eq!(take_in(&stage), 0);
}

#[test]
fn spooled_signals_are_taken_in_by_their_start_stamps_and_new_panes_by_their_word() {
    let mut stage = Stage::default();
    let holder = hold(&stage);
    stage.deadline = Duration::from_millis(25);
    let start = stage.clock.now();
    stage.signal_at(claude("Stop"), start.plus_ms(20));
    stage.signal_at(claude("UserPromptSubmit"), start.plus_ms(10));
    drop(holder);
    stage.clock.forward_ms(100);
    assert_eq!(take_in(&stage), 2);
    let session = stage.only();
    assert_eq!((session.shown.state, session.turn.number), (State::Done, 1));
    assert_eq!(session.process.unwrap().pid, 20);
}

#[test]
fn without_a_daemon_a_signal_takes_in_what_waits_before_itself() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let holder = hold(&stage);
    let patience = std::mem::replace(&mut stage.deadline, Duration::from_millis(25));
    // More than the store remembers of one session, and more than are taken in at a time.
    for _ in 0..70 {
        stage.clock.forward_ms(10);
        assert_eq!(stage.signal(claude("PreToolUse")).fate, Fate::Spooled);
    }
    stage.clock.forward_ms(10);
    assert_eq!(
        stage.signal(claude("PermissionRequest")).fate,
        Fate::Spooled
    );
    drop(holder);
    stage.deadline = patience;
    stage.clock.forward_ms(10);
    let answer = stage.signal(claude("SubagentStop"));
    assert_eq!((answer.fate, answer.diagnostic), (Fate::Stored, None));
    assert_eq!(spool::count(&stage.paths), (0, 0));
    assert!(!stage.paths.state.join("spool").exists());
    assert_eq!(stage.store().counted(Counter::Spooled).unwrap().count, 71);
    assert_eq!(stage.only().shown.state, State::Blocked);
}

#[test]
fn a_broken_file_in_the_spool_is_set_aside_and_holds_nobody_up() {
    let mut stage = Stage::default();
    let holder = hold(&stage);
    stage.deadline = Duration::from_millis(25);
    stage.signal(claude("UserPromptSubmit"));
    drop(holder);
    let folder = stage.paths.state.join("spool");
    #[expect(clippy::disallowed_methods, reason = "the test damages the spool")]
    std::fs::write(folder.join("00000000000000000001-1-1.json"), "half a sig").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.join("00000000000000000002-1-1.json"))
        .unwrap();
    assert_eq!(take_in(&stage), 1);
    assert_eq!(spool::count(&stage.paths), (0, 2));
}

#[test]
fn a_state_folder_that_cannot_be_used_sends_the_signal_to_the_runtime_folder() {
    let stage = Stage::default();
    #[expect(clippy::disallowed_methods, reason = "the test stands in the way")]
    std::fs::write(&stage.paths.state, "a file").unwrap();
    runtime_dir::ensure(&stage.paths.runtime).unwrap();
    let answer = stage.signal(claude("UserPromptSubmit"));
    assert_eq!(answer.fate, Fate::Spooled, "{answer:?}");
    assert!(stage.paths.runtime.join("spool").exists());
    std::fs::remove_file(&stage.paths.state).unwrap();
    assert_eq!(take_in(&stage), 1);
    assert_eq!(
        stage.store().counted(Counter::Sandboxed).unwrap().count,
        1,
        "case D8: the refusal is remembered"
    );
}

#[test]
fn case_k5_a_runtime_folder_that_is_open_to_others_is_not_used() {
    let stage = Stage::default();
    std::fs::create_dir(&stage.paths.runtime).unwrap();
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(&stage.paths.runtime, open).unwrap();
    assert_eq!(stage.signal(claude("UserPromptSubmit")).fate, Fate::Stored);
    #[expect(clippy::disallowed_methods, reason = "the test stands in the way")]
    std::fs::write(stage.folder.path().join("file"), "").unwrap();
    let lost = Stage {
        paths: crate::paths::Paths {
            state: stage.folder.path().join("file"),
            ..stage.paths.clone()
        },
        ..Stage::default()
    };
    assert_eq!(lost.signal(claude("Stop")).fate, Fate::Lost);
    assert_eq!(std::fs::read_dir(&stage.paths.runtime).unwrap().count(), 0);
}

/// Holds the store's write lock until it is dropped.
fn hold(stage: &Stage) -> impl Drop + use<> {
    struct Holder(
        Option<std::sync::mpsc::Sender<()>>,
        Option<std::thread::JoinHandle<()>>,
    );
    impl Drop for Holder {
        fn drop(&mut self) {
            self.0.take();
            self.1.take().map(std::thread::JoinHandle::join);
        }
    }
    let (held, wait) = std::sync::mpsc::channel();
    let (release, released) = std::sync::mpsc::channel::<()>();
    let paths = stage.paths.clone();
    drop(stage.store());
    let thread = std::thread::spawn(move || {
        let mut store = Store::open_writing(&paths, PATIENCE).unwrap();
        store
            .write(NOW, |_| {
                held.send(()).unwrap();
                let _ = released.recv();
                Ok(())
            })
            .unwrap();
    });
    wait.recv().unwrap();
    Holder(Some(release), Some(thread))
}
