//! The running bridge on real tmux: unseen, woken by every change.

mod support;

use std::time::{Duration, Instant};

use session_core::{Exit, PaneId, State};
use support::picture::lit;
use support::service::Service;
use support::{Client, INDEX, LIMIT, Server, World, channel, option, wait_for};

fn sizes(server: &Server) -> String {
    server.run(&[
        "list-windows",
        "-a",
        "-F",
        "#{window_id} #{window_width}x#{window_height}",
    ])
}

#[test]
fn case_h3_nothing_of_the_bridge_can_be_seen_or_felt() {
    let world = World::new();
    let server = world.server("default");
    server.run(&[
        "new-session",
        "-d",
        "-s",
        "two",
        "-x",
        "80",
        "-y",
        "24",
        "exec sleep 1000",
    ]);
    let (before, option) = (sizes(&server), server.global("window-size"));
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    wait_for("the hooks", || {
        server.hooks().contains(&channel(server.pid()))
    });
    for _ in 0..5 {
        assert_eq!(server.run(&["list-clients"]), "");
        assert_eq!(
            server.run(&[
                "list-sessions",
                "-F",
                "#{session_attached}#{session_last_attached}"
            ]),
            "0\n0"
        );
        assert_eq!(sizes(&server), before);
        std::thread::sleep(Duration::from_millis(200));
    }
    let client = Client::attach(&world, &server, "one");
    service.wait_for_view(&server, "the person", |view| view.clients.len() == 1);
    assert_eq!(server.run(&["list-clients"]).lines().count(), 1);
    assert_eq!(
        server.run(&["display-message", "-p", "#{client_name}"]),
        client.name,
        "the default client"
    );
    drop(client);
    service.wait_for_view(&server, "the person to leave", |view| {
        view.clients.is_empty()
    });
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
    wait_for("the state", || {
        server.pane_option("%0", "state") == "working"
    });
    assert_eq!(server.run(&["list-sessions"]).lines().count(), 1);
    service.stop();
    assert_eq!(server.run(&["list-sessions"]).lines().count(), 1);
    let pid = server.pid();
    assert_eq!(
        support::processes_with("wait-for", &channel(pid)),
        [] as [u32; 0],
        "no follower is left"
    );
}

#[test]
fn each_change_wakes_the_follower() {
    let world = World::new();
    let server = world.server("default");
    server.new_window("second");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let channel = channel(server.pid());
    wait_for("the hooks", || {
        server.hooks().matches(&channel).count() >= 16
    });
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
        (
            "split",
            &["split-window", "-d", "-t", "%0", "exec sleep 1000"],
        ),
        ("select pane", &["select-pane", "-t", "%2"]),
        ("kill pane", &["kill-pane", "-t", "%2"]),
        (
            "new window",
            &["new-window", "-d", "-t", "=one:", "exec sleep 1000"],
        ),
        ("rename window", &["rename-window", "-t", "@1", "renamed"]),
        ("next window", &["next-window", "-t", "=one:"]),
        (
            "new session",
            &["new-session", "-d", "-s", "other", "exec sleep 1000"],
        ),
        (
            "rename session",
            &["rename-session", "-t", "=other", "more"],
        ),
        (
            "switch client",
            &["switch-client", "-c", &person, "-t", "=more"],
        ),
        (
            "switch back",
            &["switch-client", "-c", &person, "-t", "=one"],
        ),
        ("kill session", &["kill-session", "-t", "=more"]),
        (
            "background exit",
            &["new-window", "-d", "-t", "=one:", "exec true"],
        ),
        ("detach", &["detach-client", "-t", &person]),
    ];
    for (what, step) in steps {
        // What the step before has signalled late must not count for this one. A signal without a waiter is kept, and
        // a second one takes it back.
        std::thread::sleep(Duration::from_millis(100));
        let mut before = server
            .command()
            .args(["wait-for", &channel])
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(60));
        server.run(&["wait-for", "-S", &channel]);
        assert!(before.wait().unwrap().success());
        let begun = Instant::now();
        let mut waiter = server
            .command()
            .args(["wait-for", &channel])
            .spawn()
            .unwrap();
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

/// tmux forgets a signal that nobody waits for when a second one comes. Were the follower to rely on it, changes that
/// come in pairs would be seen by the slow poll only, two seconds later.
#[test]
fn changes_that_come_in_pairs_are_seen_at_once() {
    let world = World::new();
    let server = world.server("default");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    wait_for("the hooks", || {
        server.hooks().contains(&channel(server.pid()))
    });
    let pid = server.pid();
    let named = |name: &str| {
        let view = service.view(pid);
        view.is_some_and(|view| view.panes.iter().any(|pane| pane.window_name == name))
    };
    let mut late = 0;
    for round in 0..10 {
        std::thread::sleep(Duration::from_millis(700));
        let begun = Instant::now();
        let last = format!("last{round}");
        for name in ["first", "second", "third", &last] {
            server.run(&["rename-window", "-t", "@0", name]);
        }
        wait_for("the name", || named(&last));
        late += u32::from(begun.elapsed() > Duration::from_millis(1000));
    }
    assert!(late <= 3, "{late} of 10 were seen late");
}

/// A configuration that is read again may unset what it does not know.
#[test]
fn options_of_ours_that_somebody_unsets_come_back() {
    let world = World::new();
    let server = world.server("default");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    service.show(&[&server], &[lit(0, State::Working, 5)]);
    let formats = || ["lamp", "summary", "border"].map(|name| server.global(&option(name)));
    wait_for("the formats and the counts", || {
        formats().iter().all(|format| !format.is_empty())
            && server.global(&option("working")) == "1"
    });
    let before = formats();
    for name in ["summary", "blocked", "working"] {
        server.run(&["set-option", "-gu", &option(name)]);
    }
    wait_for("the format", || formats() == before);
    wait_for("the counts", || server.global(&option("working")) == "1");
    server.run(&["set-option", "-pu", "-t", "%0", &option("pane")]);
    server.run(&["set-option", "-wu", "-t", "@0", &option("window")]);
    wait_for("the lamps of the pane and its window", || {
        server.pane_option("%0", "pane") == "working"
            && server.format("@0", &format!("#{{{}}}", option("window"))) == "working"
    });
    wait_for("the right count", || {
        server.global(&option("working")) == "1"
    });
}

#[test]
fn case_h1_hooks_of_the_person_stay_and_ours_come_back_when_they_are_wiped() {
    let world = World::new();
    let server = world.server("default");
    server.run(&[
        "set-hook",
        "-g",
        "window-linked",
        "set-option -g @person linked",
    ]);
    server.run(&[
        "set-hook",
        "-g",
        "client-attached[3]",
        "set-option -g @person attached",
    ]);
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let channel = channel(server.pid());
    let ours = |server: &Server| server.hooks().matches(&channel).count();
    wait_for("the hooks", || ours(&server) >= 16);
    let all = ours(&server);
    server.new_window("more");
    assert_eq!(server.global("@person"), "linked");
    // Reading a configuration again, without an index.
    server.run(&[
        "set-hook",
        "-g",
        "window-linked",
        "set-option -g @person again",
    ]);
    assert!(ours(&server) < all);
    wait_for("the hooks to be healed", || ours(&server) == all);
    server.new_window("evenmore");
    assert_eq!(server.global("@person"), "again");
    service.stop();
    assert_eq!(ours(&server), 0);
    let hooks = server.hooks();
    assert!(!hooks.contains(&format!("[{INDEX}]")), "{hooks}");
    assert!(
        hooks.contains("window-linked[0] set-option -g @person again"),
        "{hooks}"
    );
    assert!(
        hooks.contains("client-attached[3] set-option -g @person attached"),
        "{hooks}"
    );
}

/// tmux 3.3a misses the end of about one process in ten until another one ends: with so many, some are missed.
#[test]
fn case_c5_a_server_that_missed_an_end_is_made_to_tell_of_it() {
    let world = World::new();
    let server = world.server("default");
    server.run(&["set-option", "-g", "remain-on-exit", "on"]);
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    for nth in 1..=20 {
        server.run(&["new-window", "-d", "-t", "=one:", "exit 3"]);
        service.wait_for_view(&server, "how the process ended", |view| {
            let pane = view.pane(PaneId(nth));
            pane.is_some_and(|pane| pane.dead == Some(Exit::Status(3)))
        });
    }
    service.stop();
}
