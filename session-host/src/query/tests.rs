//! What a reader sees, with and without a daemon.

use session_core::{
    Corroboration, EvidenceSource, Exit, GoneWhy, MachineId, Policy, ServerView, Session, State,
};

use super::{Fresh, Picture, Viewer, picture};
use crate::clock::Clock as _;
use crate::host;
use crate::intake::new_id;
use crate::process::FakeProcesses;
use crate::store::Row;
use crate::testing::{PATIENCE, Stage, claude, place, server};

fn look(stage: &Stage, servers: Option<&[ServerView]>, over: bool) -> Picture {
    let servers = servers.map(|views| Fresh {
        views,
        began: stage.clock.now().plus_ms(1),
    });
    look_with(stage, servers, over)
}

fn look_with(stage: &Stage, servers: Option<Fresh<'_>>, over: bool) -> Picture {
    let viewer = Viewer {
        paths: &stage.paths,
        machine: &host::machine(),
        policy: &Policy::default(),
        agents: &*stage.agents,
        processes: &stage.processes,
        clock: &stage.clock,
        wait: PATIENCE,
    };
    picture(&viewer, servers, over).unwrap()
}

#[test]
fn without_a_store_there_is_an_empty_picture_and_nothing_is_made() {
    let stage = Stage::default();
    assert!(look(&stage, None, true).snapshot.sessions.is_empty());
    assert!(!stage.paths.state.exists());
}

#[test]
fn a_reader_sees_what_the_signals_say_and_where() {
    let stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    let seen = look(&stage, Some(&[server(vec![place(7, 10)])]), false);
    let view = &seen.snapshot.sessions[0];
    assert_eq!(
        (view.state, view.state_source),
        (State::Working, EvidenceSource::Signal)
    );
    assert_eq!(view.corroboration, Corroboration::Agent);
    assert_eq!(
        view.pane.as_ref().unwrap().window_name.as_deref(),
        Some("work")
    );
    assert_eq!(
        (seen.snapshot.seq, seen.snapshot.rollup.counts.working),
        (1, 1)
    );
}

#[test]
fn case_a1_without_a_daemon_an_open_turn_is_quiet_after_the_window() {
    let stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    stage.clock.forward_ms(11_000);
    let view = &look(&stage, None, false).snapshot.sessions[0];
    assert_eq!(
        (view.state, view.state_reason.as_str()),
        (State::Idle, "quiet")
    );
}

#[test]
fn case_c4_an_agent_that_was_killed_is_gone_without_a_daemon() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    stage.processes = stage.processes.clone().without(20);
    assert!(look(&stage, None, false).snapshot.sessions.is_empty());
    let over = look(&stage, None, true);
    assert_eq!(
        over.snapshot.sessions[0].gone.unwrap().why,
        GoneWhy::AgentExited
    );
    assert_eq!(over.snapshot.rollup.state, State::None);
}

#[test]
fn case_c5_a_dead_pane_that_is_kept_tells_how_its_process_ended() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    stage.processes = stage.processes.clone().without(20).without(10);
    let mut kept = place(7, 10);
    kept.dead = Some(Exit::Status(127));
    let view = &look(&stage, Some(&[server(vec![kept.clone()])]), false)
        .snapshot
        .sessions[0];
    assert_eq!(
        (view.state, view.exit),
        (State::Error, Some(Exit::Status(127)))
    );
    kept.dead = Some(Exit::Status(0));
    assert!(
        look(&stage, Some(&[server(vec![kept])]), false)
            .snapshot
            .sessions
            .is_empty()
    );
}

#[test]
fn case_c7_after_a_reboot_there_are_no_agents() {
    let mut stage = Stage::default();
    let mut store = stage.store();
    for pane in 0..20 {
        let key = session_core::PaneKey {
            server: server(Vec::new()).server,
            pane: session_core::PaneId(pane),
        };
        let mut session = Session::new(
            new_id(stage.clock.now()),
            host::machine(),
            Some(key),
            stage.clock.now(),
        );
        session.pane_pid = Some(100 + pane);
        session.process = Some(session_core::ProcessRef {
            pid: 200 + pane,
            started: 7,
        });
        store
            .write(stage.clock.now(), |transaction| {
                transaction.save(&Row::new(session), &[])
            })
            .unwrap();
    }
    assert_eq!(store.live().unwrap().len(), 20);
    stage.processes = FakeProcesses::default()
        .with(1, 0, "init")
        .with(5, 1, "sshd")
        .started(5, 90_000);
    let seen = look(&stage, None, false);
    assert!(seen.snapshot.sessions.is_empty());
    assert!(seen.snapshot.servers.is_empty());
    assert_eq!(store.live().unwrap().len(), 20, "a reader writes nothing");
}

#[test]
fn a_pane_that_is_not_there_any_more_is_gone_but_only_by_a_fresh_look() {
    let stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    assert!(
        look(&stage, Some(&[server(vec![place(8, 11)])]), false)
            .snapshot
            .sessions
            .is_empty()
    );
    let before_it = Fresh {
        views: &[server(vec![place(8, 11)])],
        began: stage.clock.now().plus_ms(-1),
    };
    assert_eq!(
        look_with(&stage, Some(before_it), false)
            .snapshot
            .sessions
            .len(),
        1,
        "the pane may be younger than the look"
    );
    let mut unreachable = server(vec![place(8, 11)]);
    unreachable.stale_since = Some(stage.clock.now());
    assert_eq!(
        look(&stage, Some(&[unreachable]), false)
            .snapshot
            .sessions
            .len(),
        1
    );
    assert_eq!(
        look(&stage, Some(&[]), false).snapshot.sessions.len(),
        1,
        "an unanswered question proves nothing"
    );
}

#[test]
fn the_agent_s_own_registry_is_read_afresh() {
    let mut stage = Stage::default();
    let home = stage.folder.path().join("claude");
    std::fs::create_dir_all(home.join("sessions")).unwrap();
    stage.var("CLAUDE_CONFIG_DIR", home.to_str());
    stage.signal(claude("UserPromptSubmit"));
    stage.clock.forward_ms(2_000);
    let interrupted = format!(
        r#"{{"status":"idle","statusUpdatedAt":{}}}"#,
        stage.clock.now().ms() - 700
    );
    #[expect(
        clippy::disallowed_methods,
        reason = "the test stands in for the agent"
    )]
    std::fs::write(home.join("sessions/20.json"), interrupted).unwrap();
    let view = &look(&stage, None, false).snapshot.sessions[0];
    assert_eq!(
        (view.state, view.state_source),
        (State::Idle, EvidenceSource::Registry)
    );
}

#[test]
fn a_session_of_another_machine_is_not_judged_by_our_processes() {
    let mut stage = Stage::default();
    let mut session = Session::new(
        new_id(stage.clock.now()),
        MachineId("elsewhere".into()),
        Some(session_core::PaneKey {
            server: server(Vec::new()).server,
            pane: session_core::PaneId(1),
        }),
        stage.clock.now(),
    );
    session.process = Some(session_core::ProcessRef {
        pid: 4_000,
        started: 7,
    });
    stage
        .store()
        .write(stage.clock.now(), |transaction| {
            transaction.save(&Row::new(session), &[])
        })
        .unwrap();
    stage.processes = FakeProcesses::default();
    assert_eq!(look(&stage, None, false).snapshot.sessions.len(), 1);
}
