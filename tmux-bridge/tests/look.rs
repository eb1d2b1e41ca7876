//! Looks and probes at real servers.

mod support;

use std::time::Duration;

use session_core::{Exit, PaneId};
use session_host::bridge::PaneProbe;
use support::{Client, World, wait_for};
use tmux_bridge::{DEADLINE, Depth, Probe, TmuxError, look};

#[test]
fn a_hostile_folder_and_window_name_are_read_as_they_are() {
    let world = World::new();
    let server = world.server("default");
    let folder = world
        .path()
        .join("a\nb\tc %9 #(touch marker) #{q} $HOME \\$HOME");
    std::fs::create_dir(&folder).unwrap();
    let name = "x\ty #(touch marker)";
    let script = format!("cd '{}' && exec sleep 1000", folder.display());
    server.run(&["new-window", "-d", "-t", "=one:", &script]);
    server.run(&["set-option", "-g", "automatic-rename", "off"]);
    // From 3.7 on tmux refuses such a name.
    let renamed = server
        .attempt(&["rename-window", "-t", "@1", &name.replace('#', "##")])
        .status
        .success();
    // tmux asks the system for the folder, and the process may not be there yet.
    wait_for("the folder", || {
        server.format("@1", "#{pane_current_command}") == "sleep"
    });
    let view = look(&server.tmux(), Depth::Full, DEADLINE).unwrap().view;
    assert_eq!(view.panes.len(), 2);
    let pane = view.pane(PaneId(1)).unwrap();
    assert_eq!(pane.cwd.as_deref(), folder.to_str());
    assert_eq!(pane.command.as_deref(), Some("sleep"));
    assert!(
        !renamed || pane.window_name.ends_with("y #(touch marker)"),
        "{}",
        pane.window_name
    );
    assert!(!world.was_marked());
    let quick = look(&server.tmux(), Depth::Quick, DEADLINE).unwrap().view;
    assert_eq!(quick.pane(PaneId(1)).unwrap().cwd, None);
}

#[test]
fn panes_of_grouped_and_linked_windows_are_listed_once() {
    let world = World::new();
    let server = world.server("default");
    server.new_window("second");
    server.run(&["new-session", "-d", "-s", "group", "-t", "=one"]);
    server.run(&["new-session", "-d", "-s", "apart", "exec sleep 1000"]);
    server.run(&["link-window", "-d", "-s", "@0", "-t", "=apart:"]);
    let view = look(&server.tmux(), Depth::Full, DEADLINE).unwrap().view;
    let seen: Vec<_> = view
        .panes
        .iter()
        .map(|pane| {
            let mut names: Vec<_> = pane
                .mux_sessions
                .iter()
                .map(|(_, name)| name.as_str())
                .collect();
            names.sort_unstable();
            (pane.pane.to_string(), names.join(" "))
        })
        .collect();
    let names: Vec<_> = seen.iter().map(|(_, names)| names.as_str()).collect();
    assert_eq!(names, ["apart group one", "group one", "apart"], "{seen:?}");
}

#[test]
fn case_c5_a_dead_pane_tells_how_it_ended() {
    let world = World::new();
    let server = world.server("default");
    server.run(&["set-option", "-g", "remain-on-exit", "on"]);
    for script in ["exit 127", "exit 0", "kill -KILL $$"] {
        server.run(&["new-window", "-d", "-t", "=one:", script]);
    }
    let dead = || {
        let view = look(&server.tmux(), Depth::Quick, DEADLINE).unwrap().view;
        view.panes.iter().map(|pane| pane.dead).collect::<Vec<_>>()
    };
    wait_for("the panes to die", || {
        // tmux 3.3a can miss the end of a process until another one ends.
        server.run(&["run-shell", ":"]);
        dead().iter().skip(1).all(Option::is_some)
    });
    let killed = dead().pop().unwrap();
    assert_eq!(
        dead()[..3],
        [None, Some(Exit::Status(127)), Some(Exit::Status(0))]
    );
    assert!(matches!(killed, Some(Exit::Signal(9 | 0))), "{killed:?}");
}

#[test]
fn case_j4_a_person_looks_at_one_pane_and_a_follower_at_none() {
    let world = World::new();
    let server = world.server("default");
    let second = server.new_window("second");
    let client = Client::attach(&world, &server, "one");
    let view = look(&server.tmux(), Depth::Quick, DEADLINE).unwrap().view;
    assert_eq!(view.clients.len(), 1);
    assert_eq!(view.clients[0].client.0, client.name);
    assert!(view.viewed(PaneId(0)) && !view.viewed(second.parse().unwrap()));
    server.run(&["select-window", "-t", &second]);
    let view = look(&server.tmux(), Depth::Quick, DEADLINE).unwrap().view;
    assert!(!view.viewed(PaneId(0)) && view.viewed(second.parse().unwrap()));
    let mut robot = server
        .command()
        .args([
            "-C",
            "attach-session",
            "-t",
            "=one",
            "-f",
            "no-output,ignore-size,read-only",
        ])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    wait_for("the program to attach", || {
        server.run(&["list-clients"]).lines().count() == 2
    });
    let view = look(&server.tmux(), Depth::Quick, DEADLINE).unwrap().view;
    assert_eq!(
        view.clients.len(),
        1,
        "it wants no output: nobody sees anything there"
    );
    drop(robot.stdin.take());
    robot.wait().unwrap();
}

#[test]
fn case_b1_a_pane_that_is_not_there_is_told_from_a_server_that_does_not_answer() {
    let world = World::new();
    let server = world.server("default");
    let probe = Probe::new(&world.env(), Duration::from_secs(2));
    let socket = server.socket.to_str().unwrap();
    let found = probe.pane(socket, PaneId(0)).unwrap().unwrap();
    assert_eq!(found.pid.to_string(), server.format("%0", "#{pane_pid}"));
    assert_eq!(found.server_pid, server.pid());
    assert_eq!(
        found.server_started.to_string(),
        server.format("%0", "#{start_time}")
    );
    assert_eq!(probe.pane(socket, PaneId(77)), Ok(None));
    assert!(probe.pane("/nonexistent/socket", PaneId(0)).is_err());
    let pid = rustix::process::Pid::from_raw(i32::try_from(server.pid()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
    let begun = std::time::Instant::now();
    let failed = Probe::new(&world.env(), Duration::from_millis(100)).pane(socket, PaneId(0));
    rustix::process::kill_process(pid, rustix::process::Signal::CONT).unwrap();
    assert!(failed.is_err());
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_socket_without_a_server_is_not_reachable_and_none_is_started() {
    let world = World::new();
    let socket = world.named_socket("nobody");
    let tmux = tmux_bridge::Tmux::at(&socket, &world.env());
    assert!(matches!(
        look(&tmux, Depth::Quick, DEADLINE),
        Err(TmuxError::NotReachable { .. })
    ));
    assert!(!socket.exists());
}

#[test]
fn a_program_that_is_not_installed_is_named() {
    let world = World::new();
    let env = world.env_with(&[("PATH", "/nonexistent")]);
    let tmux = tmux_bridge::Tmux::at("/nonexistent/socket", &env);
    assert!(matches!(
        look(&tmux, Depth::Quick, DEADLINE),
        Err(TmuxError::NotInstalled)
    ));
}
