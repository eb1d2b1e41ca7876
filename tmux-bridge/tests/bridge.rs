//! The running bridge on real tmux.

mod support;

use std::time::{Duration, Instant};

use session_core::{PaneId, State, WindowId};
use support::picture::lit;
use support::service::Service;
use support::{Client, INDEX, LIMIT, Server, World, channel, is_alive, option, wait_for};

fn sizes(server: &Server) -> String {
    server.run(&["list-windows", "-a", "-F", "#{window_id} #{window_width}x#{window_height}"])
}

#[test]
fn case_h3_nothing_of_the_bridge_can_be_seen_or_felt() {
    let world = World::new();
    let server = world.server("default");
    server.run(&["new-session", "-d", "-s", "two", "-x", "80", "-y", "24", "exec sleep 1000"]);
    let (before, option) = (sizes(&server), server.global("window-size"));
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    wait_for("the hooks", || server.hooks().contains(&channel(server.pid())));
    for _ in 0..5 {
        assert_eq!(server.run(&["list-clients"]), "");
        assert_eq!(server.run(&["list-sessions", "-F", "#{session_attached}#{session_last_attached}"]), "0\n0");
        assert_eq!(sizes(&server), before);
        std::thread::sleep(Duration::from_millis(200));
    }
    let client = Client::attach(&world, &server, "one");
    service.wait_for_view(&server, "the person", |view| view.clients.len() == 1);
    assert_eq!(server.run(&["list-clients"]).lines().count(), 1);
    assert_eq!(server.run(&["display-message", "-p", "#{client_name}"]), client.name, "the default client");
    drop(client);
    service.wait_for_view(&server, "the person to leave", |view| view.clients.is_empty());
    service.stop();
    assert_eq!(server.global("window-size"), option);
    assert_eq!(server.run(&["list-sessions"]).lines().count(), 2);
}

#[test]
fn case_h4_no_session_is_made_and_none_is_left() {
    let world = World::new();
    let server = world.server("default");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    service.show(&[&server], &[lit(0, State::Working, 5)]);
    wait_for("the state", || server.pane_option("%0", "state") == "working");
    assert_eq!(server.run(&["list-sessions"]).lines().count(), 1);
    service.stop();
    assert_eq!(server.run(&["list-sessions"]).lines().count(), 1);
    let pid = server.pid();
    assert_eq!(support::processes_with("wait-for", &channel(pid)), [] as [u32; 0], "no follower is left");
}

#[test]
fn each_change_wakes_the_follower() {
    let world = World::new();
    let server = world.server("default");
    server.new_window("second");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let channel = channel(server.pid());
    wait_for("the hooks", || server.hooks().matches(&channel).count() >= 16);
    // The bridge's own follower would take some of the signals: its hooks without it.
    let hooks = server.hooks();
    service.stop();
    for hook in hooks.lines().filter(|line| line.ends_with(&channel)) {
        let (name, command) = hook.split_once(' ').unwrap();
        server.run(&["set-hook", "-g", name, command]);
    }
    let client = Client::attach(&world, &server, "one");
    let person = client.name.clone();
    let steps: &[(&str, &[&str])] = &[
        ("split", &["split-window", "-d", "-t", "%0", "exec sleep 1000"]),
        ("select pane", &["select-pane", "-t", "%2"]),
        ("kill pane", &["kill-pane", "-t", "%2"]),
        ("new window", &["new-window", "-d", "-t", "=one:", "exec sleep 1000"]),
        ("rename window", &["rename-window", "-t", "@1", "renamed"]),
        ("next window", &["next-window", "-t", "=one:"]),
        ("new session", &["new-session", "-d", "-s", "other", "exec sleep 1000"]),
        ("rename session", &["rename-session", "-t", "=other", "more"]),
        ("switch client", &["switch-client", "-c", &person, "-t", "=more"]),
        ("switch back", &["switch-client", "-c", &person, "-t", "=one"]),
        ("kill session", &["kill-session", "-t", "=more"]),
        ("background exit", &["new-window", "-d", "-t", "=one:", "exec true"]),
        ("detach", &["detach-client", "-t", &person]),
    ];
    for (what, step) in steps {
        // What the step before has signalled late must not count for this one. A signal without a waiter is kept, and
        // a second one takes it back.
        std::thread::sleep(Duration::from_millis(100));
        let mut before = server.command().args(["wait-for", &channel]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60));
        server.run(&["wait-for", "-S", &channel]);
        assert!(before.wait().unwrap().success());
        let begun = Instant::now();
        let mut waiter = server.command().args(["wait-for", &channel]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60));
        server.run(step);
        while waiter.try_wait().unwrap().is_none() {
            if begun.elapsed() > LIMIT {
                waiter.kill().unwrap();
                panic!("{what} wakes nobody");
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

#[test]
fn a_pane_that_comes_and_goes_is_seen() {
    let world = World::new();
    let server = world.server("default");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let pane: PaneId = server.new_window("agent").parse().unwrap();
    let view = service.wait_for_view(&server, "the pane", |view| view.pane(pane).is_some());
    assert_eq!(view.pane(pane).unwrap().window_name, "agent");
    server.run(&["kill-pane", "-t", &pane.to_string()]);
    service.wait_for_view(&server, "the pane to go", |view| view.pane(pane).is_none());
}

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
    wait_for("the state", || server.pane_option(&agent, "state") == "blocked");
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
    wait_for("the state to go", || server.pane_option(&agent, "state").is_empty());
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
    let shell = server.run(&["split-window", "-P", "-F", "#{pane_id}", "-t", &agent, "exec sleep 1000"]);
    assert_eq!(server.format(&shell, "#{pane_active}"), "1");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let id: PaneId = agent.parse().unwrap();
    service.show(&[&server], &[lit(id.0, State::Working, 7)]);
    wait_for("the state", || server.pane_option(&agent, "state") == "working");
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
    let moves = server.run(&["split-window", "-d", "-P", "-F", "#{pane_id}", "-t", &stays, "exec sleep 1000"]);
    let id: PaneId = moves.parse().unwrap();
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    service.show(&[&server], &[lit(id.0, State::Blocked, 50)]);
    wait_for("the state", || server.window_option("@1", "window") == "blocked");
    server.run(&["join-pane", "-d", "-s", &moves, "-t", "%0"]);
    service.wait_for_view(&server, "the move", |view| view.pane(id).is_some_and(|pane| pane.window == WindowId(0)));
    service.show(&[&server], &[lit(id.0, State::Blocked, 50)]);
    wait_for("the other window", || server.window_option("@0", "window") == "blocked");
    assert_eq!(server.window_option("@1", "window"), "");
    assert_eq!(server.pane_option(&moves, "since"), "50");
    server.run(&["swap-pane", "-d", "-s", &moves, "-t", &stays]);
    service.wait_for_view(&server, "the swap", |view| view.pane(id).is_some_and(|pane| pane.window == WindowId(1)));
}

#[test]
fn case_h1_hooks_of_the_person_stay_and_ours_come_back_when_they_are_wiped() {
    let world = World::new();
    let server = world.server("default");
    server.run(&["set-hook", "-g", "window-linked", "set-option -g @person linked"]);
    server.run(&["set-hook", "-g", "client-attached[3]", "set-option -g @person attached"]);
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let channel = channel(server.pid());
    let ours = |server: &Server| server.hooks().matches(&channel).count();
    wait_for("the hooks", || ours(&server) >= 16);
    let all = ours(&server);
    server.new_window("more");
    assert_eq!(server.global("@person"), "linked");
    // Reading a configuration again, without an index.
    server.run(&["set-hook", "-g", "window-linked", "set-option -g @person again"]);
    assert!(ours(&server) < all);
    wait_for("the hooks to be healed", || ours(&server) == all);
    server.new_window("evenmore");
    assert_eq!(server.global("@person"), "again");
    service.stop();
    assert_eq!(ours(&server), 0);
    let hooks = server.hooks();
    assert!(!hooks.contains(&format!("[{INDEX}]")), "{hooks}");
    assert!(hooks.contains("window-linked[0] set-option -g @person again"), "{hooks}");
    assert!(hooks.contains("client-attached[3] set-option -g @person attached"), "{hooks}");
}

#[test]
fn case_g1_nothing_is_written_when_nothing_changes() {
    let world = World::new();
    let server = world.server("default");
    server.run(&["set-option", "-s", "message-limit", "10000"]);
    let _client = Client::attach(&world, &server, "one");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let writes = |server: &Server| server.commands().iter().filter(|line| line.starts_with("set-")).count();
    let lines = |server: &Server| server.commands().len();
    service.show(&[&server], &[lit(0, State::Working, 7)]);
    wait_for("the state", || server.pane_option("%0", "state") == "working");
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
    let calls: Vec<_> = commands.iter().filter(|line| line.starts_with("set-option")).collect();
    assert!(!calls.is_empty());
    for name in ["agent", "machine_idle", "blocked"] {
        assert!(!calls.iter().any(|line| line.contains(&(option(name) + " "))), "{name}: {calls:#?}");
    }
}

#[test]
fn what_a_killed_daemon_left_is_put_right_and_a_stopped_one_leaves_nothing() {
    let world = World::new();
    let server = world.server("default");
    let agent = server.new_window("agent");
    for (flags, target) in [("-p", "%0"), ("-p", agent.as_str()), ("-w", "@0"), ("-w", "@1")] {
        server.run(&["set-option", flags, "-t", target, &option("state"), "blocked"]);
    }
    server.run(&["set-option", "-p", "-t", "%0", &option("kind"), "permission"]);
    server.run(&["set-option", "-t", "=one:", &option("session"), "blocked"]);
    server.run(&["set-option", "-g", &option("blocked"), "4"]);
    server.run(&["set-option", "-g", "@tallylike", "mine"]);
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let id: PaneId = agent.parse().unwrap();
    service.show(&[&server], &[lit(id.0, State::Working, 9)]);
    wait_for("the state", || server.pane_option(&agent, "state") == "working");
    assert_eq!(server.pane_option("%0", "state"), "");
    assert_eq!(server.pane_option("%0", "kind"), "");
    assert_eq!(server.window_option("@0", "state"), "");
    assert_eq!(server.shown("-qv", "=one:", "session"), "working");
    assert_eq!(server.global_option("blocked"), "0");
    service.stop();
    for (flags, target) in
        [("-p", "%0"), ("-p", agent.as_str()), ("-w", "@0"), ("-w", "@1"), ("-q", "=one:"), ("-gq", "=one:")]
    {
        let options = server.run(&["show-options", flags, "-t", target]);
        assert!(!options.contains(support::PREFIX), "{target}: {options}");
    }
    assert_eq!(server.global("@tallylike"), "mine");
}

#[test]
fn case_b6_every_server_of_the_user_is_found_and_none_is_mixed_up() {
    let world = World::new();
    let (a, b) = (world.server("a"), world.server("b"));
    let elsewhere = world.server_at("elsewhere");
    let stale = world.named_socket("stale");
    drop(std::os::unix::net::UnixListener::bind(&stale).unwrap());
    let service = Service::start(world.env());
    service.wait_for_server(&a);
    service.wait_for_server(&b);
    let view = service.wait_for_server(&elsewhere);
    assert_eq!(view.server.socket, elsewhere.socket.to_str().unwrap());
    assert_eq!(service.views().len(), 3);
    service.show(&[&a, &b], &[lit(0, State::Blocked, 5)]);
    wait_for("the state", || a.pane_option("%0", "state") == "blocked");
    wait_for("the machine's count", || b.global_option("machine_blocked") == "1");
    assert_eq!(b.pane_option("%0", "state"), "");
    assert_eq!(b.global_option("blocked"), "0");
    assert_eq!(elsewhere.pane_option("%0", "state"), "");
    let found = tmux_bridge::servers(&world.env());
    let reachable: Vec<_> = found.iter().map(|found| (found.socket.clone(), found.server.is_ok())).collect();
    let wanted = [(a.socket.clone(), true), (b.socket.clone(), true), (stale, false), (elsewhere.socket.clone(), true)];
    assert_eq!(reachable.len(), 4, "{reachable:?}");
    for row in wanted {
        assert!(reachable.contains(&row), "{row:?} in {reachable:?}");
    }
}

#[test]
fn a_server_that_starts_later_or_again_is_found() {
    let world = World::new();
    let service = Service::start(world.env());
    let first = world.server("later");
    service.wait_for_server(&first);
    let pid = first.pid();
    first.run(&["kill-server"]);
    wait_for("the end to be noticed", || service.is_gone(pid));
    assert!(service.view(pid).is_none());
    first.new_session("one");
    assert_ne!(first.pid(), pid);
    service.wait_for_server(&first);
}

#[test]
fn a_socket_that_a_signal_named_is_followed_whatever_world_its_server_is_from() {
    let world = World::new();
    let stranger = Server::start(world.path().join("x"), world.env_with(&[("HOME", "/nonexistent")]));
    let service = Service::start(world.env());
    std::thread::sleep(Duration::from_millis(500));
    assert!(service.views().is_empty(), "another store, another daemon");
    service.name_socket(stranger.socket.clone());
    service.wait_for_server(&stranger);
    service.name_socket(world.path().join("nothing"));
}

#[test]
fn a_server_that_hangs_is_stale_and_holds_up_no_other() {
    let world = World::new();
    let (hung, well) = (world.server("hung"), world.server("well"));
    let service = Service::start(world.env());
    service.wait_for_server(&hung);
    service.wait_for_server(&well);
    let pid = hung.pid();
    let signal = |signal| {
        let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
    };
    signal(rustix::process::Signal::STOP);
    service.look.notify_one();
    wait_for("the hang to be noticed", || service.view(pid).is_some_and(|view| view.stale_since.is_some()));
    let begun = Instant::now();
    service.send(support::picture::picture(
        &[service.view(well.pid()).unwrap()],
        &[lit(0, State::Done, 3)],
    ));
    wait_for("the other server", || well.pane_option("%0", "state") == "done");
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert!(!service.is_gone(pid), "no answer is no proof");
    signal(rustix::process::Signal::CONT);
    wait_for("the recovery", || service.view(pid).is_some_and(|view| view.stale_since.is_none()));
}

#[test]
fn case_h4_kill_server_ends_while_it_is_followed() {
    let world = World::new();
    let server = world.server("default");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let pid = server.pid();
    let begun = Instant::now();
    server.run(&["kill-server"]);
    wait_for("the server to end", || !is_alive(pid));
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    wait_for("the end to be noticed", || service.is_gone(pid));
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}

#[test]
fn the_last_session_takes_the_server_with_it_although_it_is_followed() {
    let world = World::new();
    let server = world.server("default");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let pid = server.pid();
    server.run(&["kill-session", "-t", "=one"]);
    wait_for("the server to end", || !is_alive(pid));
    wait_for("the end to be noticed", || service.is_gone(pid));
}
