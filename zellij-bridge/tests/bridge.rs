//! The bridge on a zellij that is a script.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test fails loudly"
)]

mod support;

use session_core::wire::{Down, Focus, Hello, Layout, PaneFact, TabFact, Up};
use session_core::{PaneId, State, WindowId};
use session_host::bridge::Seen;
use support::{FakeZellij, Service, kill, wait_for};

fn hello(zellij: &FakeZellij, panes: &[u32], focus: u32) -> Up {
    let pane = |id: &u32| PaneFact {
        id: PaneId(*id),
        tab: WindowId(2),
        pid: None,
        exited: false,
        exit: None,
    };
    Up {
        hello: Some(Hello {
            zellij: "0.45.1".into(),
            session: "work".into(),
            pipe: "p1".into(),
            tmpdir: None,
        }),
        layout: Some(Layout {
            tabs: vec![TabFact {
                id: WindowId(2),
                position: 0,
                name: "code".into(),
            }],
            panes: panes.iter().map(pane).collect(),
        }),
        focus: Some(Focus {
            tab: WindowId(2),
            pane: Some(PaneId(focus)),
        }),
        ..Up::from(zellij.server_pid(), 1, 3, 1)
    }
}

fn last(zellij: &FakeZellij, what: &str, wanted: impl Fn(&Down) -> bool) -> Down {
    wait_for(what, || {
        zellij.down().last().filter(|down| wanted(down)).cloned()
    })
}

#[test]
fn with_the_plugin_there_both_pipes_carry() {
    let mut zellij = FakeZellij::new();
    zellij.start();
    zellij.load_plugin(&hello(&zellij, &[4, 5], 5));
    let mut service = Service::start(&zellij, None);

    let view = wait_for("a view", || service.view());
    assert_eq!(
        (view.server.pid, view.server.socket.as_str()),
        (zellij.server_pid(), "work")
    );
    assert_eq!(view.version, "0.45.1");
    let panes: Vec<_> = view
        .panes
        .iter()
        .map(|pane| (pane.pane.0, pane.window.0, pane.pid.is_some()))
        .collect();
    // The process of pane 4 is known from the process table.
    assert_eq!(panes, [(4, 2, true), (5, 2, false)]);
    assert!(view.viewed(PaneId(5)));

    let first = last(&zellij, "the first line", |_| true);
    assert_eq!(
        (first.server_pid, first.up_pipe.as_deref()),
        (zellij.server_pid(), Some("p1"))
    );
    service.show(State::Blocked);
    let second = last(&zellij, "the block", |down| down.machine.blocked == 1);
    assert!(second.seq > first.seq && second.run == first.run);
    wait_for("the block in the file", || {
        let file = std::fs::read_to_string(zellij.picture_file()).ok()?;
        (Down::read(&file).unwrap().machine.blocked == 1).then_some(())
    });

    zellij.say(&Up {
        focus: Some(Focus {
            tab: WindowId(2),
            pane: Some(PaneId(4)),
        }),
        ..Up::from(zellij.server_pid(), 1, 3, 2)
    });
    wait_for("the focus", || {
        service.view().filter(|view| view.viewed(PaneId(4)))
    });

    // Every call named its session, and knew of no other.
    assert!(
        zellij
            .text("calls")
            .lines()
            .all(|call| call.starts_with("-s work "))
    );
    assert!(!zellij.text("names").contains("ZELLIJ_SESSION_NAME"));
    assert!(
        !zellij.text("calls").contains("list-panes"),
        "the plugin told"
    );

    service.stop();
    let bye = zellij.down().last().cloned().unwrap();
    assert!(bye.bye);
    assert!(
        zellij.text("ends").contains("end of input"),
        "the pipe was closed, not cut"
    );
    assert!(!zellij.picture_file().exists());
    wait_for("no process to be left", || {
        (zellij.alive("up.pids").is_empty() && zellij.alive("down.pids").is_empty()).then_some(())
    });
}

#[test]
fn without_the_plugin_the_panes_are_listed_once_and_the_metadata_tells_the_rest() {
    let mut zellij = FakeZellij::new();
    let panes = r#"[{"id":4,"is_plugin":false,"exited":false,"tab_id":2,"tab_position":0,"tab_name":"code"}]"#;
    std::fs::write(zellij.file("panes"), panes).unwrap();
    zellij.start();
    let service = Service::start(&zellij, None);
    let view = wait_for("a view", || service.view());
    assert_eq!(
        (view.panes[0].pane, view.panes[0].window),
        (PaneId(4), WindowId(2))
    );
    assert!(view.clients.is_empty());

    let metadata = r#"name "work"
tabs {
    tab {
        position 0
        name "code"
        tab_id 2
    }
}
panes {
    pane {
        id 4
        is_plugin false
        tab_position 0
    }
}
connected_clients 1
tab_history {
    client {
        id 1
        history
    }
}
pane_history {
    client {
        id 1
        history {
            pane_id 4 type="terminal"
        }
    }
}
creation_time 1
"#;
    zellij.write_metadata(metadata);
    service.look();
    wait_for("the focus", || {
        service.view().filter(|view| view.viewed(PaneId(4)))
    });
    assert!(zellij.down().is_empty(), "nobody listens");
    let calls = zellij.text("calls");
    assert_eq!(
        calls
            .lines()
            .filter(|call| call.contains("list-panes"))
            .count(),
        1,
        "{calls}"
    );
    // A change of the file is heard of.
    zellij.write_metadata(&metadata.replace(
        "tab_history {\n    client {\n        id 1",
        "tab_history {\n    client {\n        id 9",
    ));
    wait_for("the client to be gone", || {
        service.view().filter(|view| view.clients.is_empty())
    });
}

#[test]
fn a_rename_is_a_new_name_for_the_same_server_and_the_pipes_stay() {
    let mut zellij = FakeZellij::new();
    zellij.start();
    zellij.load_plugin(&hello(&zellij, &[4], 4));
    let service = Service::start(&zellij, None);
    let before = wait_for("a view", || service.view());
    last(&zellij, "the first line", |_| true);
    zellij.rename("play");
    let after = wait_for("the new name", || {
        service
            .view()
            .filter(|view| view.panes[0].mux_sessions[0].1 == "play")
    });
    assert_eq!(after.server, before.server);
    service.show(State::Working);
    last(&zellij, "the work", |down| down.machine.working == 1);
    assert_eq!(
        (zellij.pids("up.pids").len(), zellij.pids("down.pids").len()),
        (1, 1)
    );
    // A new pipe uses the new name.
    kill(zellij.pids("up.pids")[0]);
    wait_for("another up pipe", || {
        (zellij.pids("up.pids").len() > 1).then_some(())
    });
    assert!(
        zellij
            .text("calls")
            .lines()
            .last()
            .unwrap()
            .starts_with("-s play ")
    );
}

#[test]
fn a_plugin_that_is_loaded_again_is_told_everything_and_one_that_has_gone_nothing() {
    let mut zellij = FakeZellij::new();
    zellij.start();
    zellij.load_plugin(&hello(&zellij, &[4], 4));
    let service = Service::start(&zellij, None);
    last(&zellij, "the first line", |_| true);
    service.show(State::Blocked);
    let before = last(&zellij, "the block", |down| down.machine.blocked == 1);
    // Loaded again: the up pipe ends, and the next one is answered with all there is.
    kill(zellij.pids("up.pids")[0]);
    last(&zellij, "the same again", |down| {
        down.seq > before.seq && down.machine.blocked == 1 && down.elsewhere.is_some()
    });

    zellij.unload_plugin();
    wait_for("the down pipe to be closed", || {
        zellij.alive("down.pids").is_empty().then_some(())
    });
    let lines = zellij.down().len();
    service.show(State::Working);
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(zellij.down().len(), lines);
}

#[test]
fn while_a_plugin_is_parked_nothing_piles_up_and_afterwards_all_is_right() {
    let mut zellij = FakeZellij::new();
    zellij.start();
    zellij.load_plugin(&hello(&zellij, &[4], 4));
    let service = Service::start(&zellij, None);
    last(&zellij, "the first line", |_| true);
    zellij.park(true);
    for round in 0..500 {
        service.show(if round % 2 == 0 {
            State::Working
        } else {
            State::Blocked
        });
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    service.show(State::Done);
    assert!(zellij.alive("down.pids").len() <= 1 && zellij.alive("up.pids").len() <= 1);
    wait_for("another attempt", || {
        (zellij.pids("down.pids").len() > 1).then_some(())
    });
    zellij.park(false);
    last(&zellij, "the newest state", |down| down.machine.done == 1);
    assert!(
        zellij.down().len() < 100,
        "the eye sees no more than ten a second"
    );
}

#[test]
fn a_dead_server_is_gone_and_its_successor_is_another() {
    let mut zellij = FakeZellij::new();
    zellij.start();
    zellij.load_plugin(&hello(&zellij, &[4], 4));
    let service = Service::start(&zellij, None);
    let before = wait_for("a view", || service.view());
    last(&zellij, "the first line", |_| true);
    assert!(zellij.picture_file().exists());
    let file = zellij.picture_file();
    zellij.kill_server();
    wait_for("the end", || {
        service
            .seen()
            .contains(&Seen::Gone(before.server.clone()))
            .then_some(())
    });
    assert!(!file.exists());
    wait_for("the pipes to be ended", || {
        (zellij.alive("up.pids").is_empty() && zellij.alive("down.pids").is_empty()).then_some(())
    });
    std::fs::write(zellij.file("up"), "").unwrap();
    zellij.start();
    zellij.say(&hello(&zellij, &[0], 0));
    let after = wait_for("the successor", || {
        service
            .view()
            .filter(|view| view.server.pid == zellij.server_pid())
    });
    assert_ne!(after.server, before.server);
    assert_eq!(after.server.socket, before.server.socket);
}

#[test]
fn a_server_whose_socket_is_gone_is_stale_and_not_gone() {
    let mut zellij = FakeZellij::new();
    zellij.start();
    zellij.load_plugin(&hello(&zellij, &[4], 4));
    let service = Service::start(&zellij, None);
    wait_for("a view", || service.view());
    std::fs::remove_file(zellij.socket("work")).unwrap();
    wait_for("it to be stale", || {
        service.view().filter(|view| view.stale_since.is_some())
    });
    assert!(
        !service
            .seen()
            .iter()
            .any(|seen| matches!(seen, Seen::Gone(_)))
    );
    wait_for("the pipes to be ended", || {
        (zellij.alive("up.pids").is_empty() && zellij.alive("down.pids").is_empty()).then_some(())
    });
}

#[test]
fn zjstatus_is_fed_through_a_pipe_of_its_own() {
    let mut zellij = FakeZellij::new();
    zellij.start();
    zellij.load_plugin(&hello(&zellij, &[4], 4));
    let mut service = Service::start(&zellij, Some(zellij_bridge::zjstatus::Widget::default()));
    wait_for("the text", || {
        zellij
            .text("tally-zjstatus")
            .contains("zjstatus::pipe::pipe_tally::\n")
            .then_some(())
    });
    last(&zellij, "the first line", |_| true);
    service.stop();
    let calls = zellij.text("calls");
    let pipes = ["tally:down", "tally:up", "tally:zjstatus"];
    for pipe in pipes {
        assert_eq!(
            calls.lines().filter(|call| call.contains(pipe)).count(),
            1,
            "{calls}"
        );
    }
}
