//! Servers that come, hang and go.

#![allow(
    clippy::unwrap_used,
    reason = "this is test code, outside the functions that are known to be tests"
)]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use session_core::{PaneId, State};
use support::picture::lit;
use support::service::Service;
use support::{Server, World, is_alive, wait_for};

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
    wait_for("the machine's count", || {
        b.global_option("machine_blocked") == "1"
    });
    assert_eq!(b.pane_option("%0", "state"), "");
    assert_eq!(b.global_option("blocked"), "0");
    assert_eq!(elsewhere.pane_option("%0", "state"), "");
    let found = tmux_bridge::servers(&world.env());
    let reachable: Vec<_> = found
        .iter()
        .map(|found| (found.socket.clone(), found.server.is_ok()))
        .collect();
    let wanted = [
        (a.socket.clone(), true),
        (b.socket.clone(), true),
        (stale, false),
        (elsewhere.socket.clone(), true),
    ];
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
    let stranger = Server::start(
        world.path().join("x"),
        world.env_with(&[("HOME", "/nonexistent")]),
    );
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
    wait_for("the hang to be noticed", || {
        service
            .view(pid)
            .is_some_and(|view| view.stale_since.is_some())
    });
    let begun = Instant::now();
    service.send(support::picture::picture(
        &[service.view(well.pid()).unwrap()],
        &[lit(0, State::Done, 3)],
    ));
    wait_for("the other server", || {
        well.pane_option("%0", "state") == "done"
    });
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
    assert!(!service.is_gone(pid), "no answer is no proof");
    signal(rustix::process::Signal::CONT);
    wait_for("the recovery", || {
        service
            .view(pid)
            .is_some_and(|view| view.stale_since.is_none())
    });
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
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    wait_for("the end to be noticed", || service.is_gone(pid));
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
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

/// A `tmux` that does not let anybody wait, and counts who tried.
fn impatient(world: &World) -> std::path::PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let real = std::env::split_paths(&path)
        .map(|folder| folder.join("tmux"))
        .find(|tmux| tmux.is_file())
        .unwrap();
    let folder = world.path().join("impatient");
    std::fs::create_dir(&folder).unwrap();
    let tmux = folder.join("tmux");
    let script = format!(
        "#!/bin/sh\ncase \" $* \" in *' wait-for tally'*) echo x >> '{}/tries'; exit 1;; esac\nexec '{}' \"$@\"\n",
        world.path().display(),
        real.display()
    );
    std::io::Write::write_all(
        &mut std::fs::File::create(&tmux).unwrap(),
        script.as_bytes(),
    )
    .unwrap();
    std::fs::set_permissions(&tmux, std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[test]
fn case_h2_h4_a_server_that_sends_followers_away_is_polled() {
    let world = World::new();
    let server = world.server("default");
    let path = format!(
        "{}:/usr/local/bin:/usr/bin:/bin",
        impatient(&world).display()
    );
    let service = Service::start(world.env_with(&[("PATH", &path)]));
    service.wait_for_server(&server);
    // Nothing tells of the pane's end but the next look.
    let pane: PaneId = server.new_window("agent").parse().unwrap();
    service.wait_for_view(&server, "the pane", |view| view.pane(pane).is_some());
    server.run(&["kill-pane", "-t", &pane.to_string()]);
    service.wait_for_view(&server, "the pane to go", |view| view.pane(pane).is_none());
    let view = service.view(server.pid()).unwrap();
    assert_eq!(view.stale_since, None, "it answers");
    std::thread::sleep(Duration::from_secs(2));
    let tries = std::fs::read_to_string(world.path().join("tries")).unwrap();
    assert_eq!(tries.lines().count(), 3, "three are enough");
    let pid = server.pid();
    wait_for("the service to be told", || service.is_polled(pid));
}

#[test]
fn the_socket_of_a_living_server_may_be_lost_and_that_is_not_its_end() {
    let world = World::new();
    let server = world.server("default");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let pid = server.pid();
    std::fs::rename(&server.socket, world.path().join("away")).unwrap();
    service.look.notify_one();
    wait_for("the loss to be noticed", || {
        service
            .view(pid)
            .is_some_and(|view| view.stale_since.is_some())
    });
    assert!(!service.is_gone(pid));
    std::fs::rename(world.path().join("away"), &server.socket).unwrap();
    wait_for("the recovery", || {
        service
            .view(pid)
            .is_some_and(|view| view.stale_since.is_none())
    });
}
