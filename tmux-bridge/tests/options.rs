//! What the running bridge writes into real tmux.

mod support;

use std::time::Duration;

use session_core::{PaneId, State, WindowId};
use support::picture::lit;
use support::service::Service;
use support::{Client, Server, World, option, wait_for};

#[test]
fn case_b2_only_the_pane_that_is_meant_gets_the_state() {
    let world = World::new();
    let server = world.server("default");
    let agent = server.new_window("agent");
    let client = Client::attach(&world, &server, "one");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let id: PaneId = agent.parse().unwrap();
    service.show(&[&server], &[lit(id.0, State::Blocked, 100)]);
    wait_for("the state", || {
        server.pane_option(&agent, "state") == "blocked"
    });
    assert_eq!(client.pane_shown(), "%0");
    assert_eq!(server.pane_option("%0", "state"), "");
    assert_eq!(server.window_option("@0", "state"), "");
    assert_eq!(server.window_option("@1", "state"), "blocked");
    assert_eq!(server.window_option("@1", "window"), "blocked");
    assert_eq!(server.window_option("@1", "window_since"), "100");
    assert_eq!(server.window_option("@1", "window_kind"), "permission");
    assert_eq!(server.pane_option(&agent, "agent"), "claude");
    assert_eq!(server.pane_option(&agent, "kind"), "permission");
    assert_eq!(server.pane_option(&agent, "since"), "100");
    assert_eq!(server.shown("-qv", "=one:", "session"), "blocked");
    assert_eq!(server.shown("-qv", "=one:", "session_blocked"), "1");
    assert_eq!(server.shown("-qv", "=one:", "session_done"), "0");
    assert_eq!(server.global_option("server"), "blocked");
    assert_eq!(server.global_option("state"), "blocked");
    assert_eq!(server.global_option("blocked"), "1");
    assert_eq!(server.global_option("idle"), "0");
    assert_eq!(server.global_option("blocked_since"), "100");
    assert_eq!(server.global_option("machine_blocked"), "1");
    service.show(&[&server], &[]);
    wait_for("the state to go", || {
        server.pane_option(&agent, "state").is_empty()
    });
    assert_eq!(server.window_option("@1", "state"), "");
    assert_eq!(server.shown("-qv", "=one:", "session_blocked"), "");
    assert_eq!(server.global_option("state"), "");
    assert_eq!(server.global_option("blocked"), "0");
    assert_eq!(server.global_option("blocked_since"), "");
}

#[test]
fn case_b4_panes_are_never_addressed_by_index() {
    let world = World::new();
    let server = world.server("default");
    server.run(&["set-option", "-g", "base-index", "1"]);
    server.run(&["set-option", "-g", "pane-base-index", "1"]);
    let agent = server.new_window("agent");
    let shell = server.run(&[
        "split-window",
        "-P",
        "-F",
        "#{pane_id}",
        "-t",
        &agent,
        "exec sleep 1000",
    ]);
    assert_eq!(server.format(&shell, "#{pane_active}"), "1");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let id: PaneId = agent.parse().unwrap();
    service.show(&[&server], &[lit(id.0, State::Working, 7)]);
    wait_for("the state", || {
        server.pane_option(&agent, "state") == "working"
    });
    assert_eq!(server.pane_option(&shell, "state"), "");
    assert_eq!(server.window_option("@1", "window"), "working");
    assert_eq!(server.pane_option("%0", "state"), "");
}

#[test]
fn case_b7_a_pane_that_moves_takes_its_state_along() {
    let world = World::new();
    let server = world.server("default");
    server.run(&["set-option", "-g", "renumber-windows", "on"]);
    let stays = server.new_window("from");
    let moves = server.run(&[
        "split-window",
        "-d",
        "-P",
        "-F",
        "#{pane_id}",
        "-t",
        &stays,
        "exec sleep 1000",
    ]);
    let id: PaneId = moves.parse().unwrap();
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    service.show(&[&server], &[lit(id.0, State::Blocked, 50)]);
    wait_for("the state", || {
        server.window_option("@1", "window") == "blocked"
    });
    server.run(&["join-pane", "-d", "-s", &moves, "-t", "%0"]);
    service.wait_for_view(&server, "the move", |view| {
        view.pane(id).is_some_and(|pane| pane.window == WindowId(0))
    });
    service.show(&[&server], &[lit(id.0, State::Blocked, 50)]);
    wait_for("the other window", || {
        server.window_option("@0", "window") == "blocked"
    });
    assert_eq!(server.window_option("@1", "window"), "");
    assert_eq!(server.pane_option(&moves, "since"), "50");
    server.run(&["swap-pane", "-d", "-s", &moves, "-t", &stays]);
    service.wait_for_view(&server, "the swap", |view| {
        view.pane(id).is_some_and(|pane| pane.window == WindowId(1))
    });
}

#[test]
fn case_g1_nothing_is_written_when_nothing_changes() {
    let world = World::new();
    let server = world.server("default");
    server.run(&["set-option", "-s", "message-limit", "10000"]);
    let _client = Client::attach(&world, &server, "one");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let writes = |server: &Server| {
        server
            .commands()
            .iter()
            .filter(|line| line.starts_with("set-"))
            .count()
    };
    let lines = |server: &Server| server.commands().len();
    service.show(&[&server], &[lit(0, State::Working, 7)]);
    wait_for("the state", || {
        server.pane_option("%0", "state") == "working"
    });
    std::thread::sleep(Duration::from_millis(300));
    let before = writes(&server);
    for _ in 0..10 {
        service.show(&[&server], &[lit(0, State::Working, 7)]);
        service.look.notify_one();
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(writes(&server), before, "{:#?}", server.commands());
    // One change is one call of tmux, and what it writes is what changed.
    let before = lines(&server);
    service.show(&[&server], &[lit(0, State::Done, 8)]);
    wait_for("the state", || server.pane_option("%0", "state") == "done");
    let commands: Vec<String> = server.commands().into_iter().skip(before).collect();
    let calls: Vec<_> = commands
        .iter()
        .filter(|line| line.starts_with("set-option"))
        .collect();
    assert!(!calls.is_empty());
    for name in ["agent", "machine_idle", "blocked"] {
        assert!(
            !calls
                .iter()
                .any(|line| line.contains(&(option(name) + " "))),
            "{name}: {calls:#?}"
        );
    }
}

#[test]
fn what_a_killed_daemon_left_is_put_right_and_a_stopped_one_leaves_nothing() {
    let world = World::new();
    let server = world.server("default");
    let agent = server.new_window("agent");
    for (flags, target) in [
        ("-p", "%0"),
        ("-p", agent.as_str()),
        ("-w", "@0"),
        ("-w", "@1"),
    ] {
        server.run(&[
            "set-option",
            flags,
            "-t",
            target,
            &option("state"),
            "blocked",
        ]);
    }
    server.run(&[
        "set-option",
        "-p",
        "-t",
        "%0",
        &option("kind"),
        "permission",
    ]);
    server.run(&["set-option", "-t", "=one:", &option("session"), "blocked"]);
    server.run(&["set-option", "-g", &option("blocked"), "4"]);
    server.run(&["set-option", "-g", "@tallylike", "mine"]);
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let id: PaneId = agent.parse().unwrap();
    service.show(&[&server], &[lit(id.0, State::Working, 9)]);
    wait_for("the state", || {
        server.pane_option(&agent, "state") == "working"
    });
    assert_eq!(server.pane_option("%0", "state"), "");
    assert_eq!(server.pane_option("%0", "kind"), "");
    assert_eq!(server.window_option("@0", "state"), "");
    assert_eq!(server.shown("-qv", "=one:", "session"), "working");
    assert_eq!(server.global_option("blocked"), "0");
    service.stop();
    for (flags, target) in [
        ("-p", "%0"),
        ("-p", agent.as_str()),
        ("-w", "@0"),
        ("-w", "@1"),
        ("-q", "=one:"),
        ("-gq", "=one:"),
    ] {
        let options = server.run(&["show-options", flags, "-t", target]);
        assert!(!options.contains(support::PREFIX), "{target}: {options}");
    }
    assert_eq!(server.global("@tallylike"), "mine");
}
