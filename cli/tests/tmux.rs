//! The commands on real tmux servers: on sockets in a folder of the test's own, with no configuration of anybody's.

mod common;

use std::os::unix::net::UnixListener;

use common::servers::{Servers, wait};
use common::{Home, outcome};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

#[test]
fn case_b6_a_signal_belongs_to_the_server_it_came_from_and_a_dead_socket_is_told_apart() {
    let servers = Servers::start(&["a", "b"]);
    servers.type_in(
        "a",
        "%0",
        "tally signal --state blocked --kind question --message 'Which colour?'",
    );
    servers.type_in("b", "%0", "tally signal --state done");
    let row = |server: &str, state: &str| (server.to_owned(), "%0".to_owned(), state.to_owned());
    assert_eq!(servers.states(), [row("a", "blocked"), row("b", "done")]);
    let list = servers.home.run(&["list"]).stdout;
    assert!(
        list.contains("%0 a/0:") && list.contains("%0 b/0:") && list.contains("Which colour?"),
        "{list}"
    );

    // A pane of two servers, and a pane of one.
    assert_eq!(servers.home.run(&["explain", "%0"]).status, Some(3));
    for reference in ["tmux:a:%0", "a"] {
        let expected = if reference == "a" { Some(1) } else { Some(0) };
        assert_eq!(
            servers.home.run(&["explain", reference]).status,
            expected,
            "{reference}"
        );
    }
    servers.type_in("b", "%0", "tally ack %0");
    assert_eq!(
        servers.states(),
        [row("a", "blocked"), row("b", "idle")],
        "here, %0 is the pane of this server"
    );
    servers.type_in("a", "%0", "tally clear");
    assert_eq!(servers.states(), [row("a", "idle"), row("b", "idle")]);

    // A window of two servers, of the one that is named, of the one it is asked in, and of none.
    let status = |window: &str, vars: &[(&str, &str)]| {
        servers
            .home
            .run_with(&["status", "--window", window], b"", vars)
    };
    let ambiguous = status("@0", &[]);
    assert_eq!(ambiguous.status, Some(3), "{ambiguous:?}");
    assert!(ambiguous.stderr.contains("/b:@0"), "{ambiguous:?}");
    assert_eq!(status("tmux:b:@0", &[]).stdout, "◦ 1 idle\n");
    let nowhere = status("@7", &[]);
    assert_eq!(
        (nowhere.status, nowhere.stderr.as_str()),
        (
            Some(1),
            "tally: no tmux server that can be seen has a window @7\n`tally tmux status` lists the servers.\n"
        )
    );
    servers.type_in("a", "%0", "tally status --window @0 >$HOME/status");
    assert_eq!(
        std::fs::read_to_string(servers.home.path("status")).unwrap(),
        "◦ 1 idle\n"
    );

    // A socket file that nobody listens on.
    let socket = servers.home.run(&["tmux", "status", "--json"]).stdout;
    let socket: Value = serde_json::from_str(&socket).unwrap();
    let folder = socket
        .pointer("/servers/0/socket")
        .and_then(Value::as_str)
        .unwrap()
        .to_owned();
    let folder = std::path::Path::new(&folder).parent().unwrap().to_owned();
    drop(UnixListener::bind(folder.join("stale")).unwrap());
    drop(UnixListener::bind(folder.join("older")).unwrap());
    let list = servers.home.run(&["list"]);
    assert!(!list.stderr.contains("stale"), "{list:?}");
    let doctor = servers.home.run(&["doctor"]).stdout;
    let told: Vec<&str> = doctor
        .lines()
        .filter(|line| line.contains("stale"))
        .collect();
    assert!(
        matches!(told[..], [line] if line.contains("2 sockets without a server")),
        "{doctor}"
    );
}

#[test]
fn lamps_are_loaded_once_and_taken_back_and_the_doctor_sees_them() {
    let servers = Servers::start(&["a"]);
    let formats = || {
        servers.tmux("a", &["show-options", "-g"]).stdout
            + &servers.tmux("a", &["show-options", "-gw"]).stdout
    };
    let before = formats();
    let doctor = servers.home.run(&["doctor"]);
    assert!(
        doctor
            .stdout
            .contains("nothing in its status line shows a lamp"),
        "{doctor:?}"
    );
    let outside = servers.home.run(&["tmux", "load"]);
    assert_eq!(outside.status, Some(1));
    assert!(outside.stderr.contains("not inside tmux"), "{outside:?}");
    let nowhere = servers
        .home
        .run(&["tmux", "load", "--socket", "/nonexistent/socket"]);
    assert_eq!(nowhere.status, Some(1));
    assert!(
        nowhere.stderr.contains("/nonexistent/socket"),
        "{nowhere:?}"
    );
    assert_eq!(
        servers.home.run(&["daemon", "status"]).status,
        Some(1),
        "no daemon is left behind"
    );

    servers.type_in("a", "%0", "tally tmux load --quiet");
    // What the daemon publishes comes in its own time.
    let theirs = || {
        formats()
            .lines()
            .filter(|line| !line.starts_with('@'))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let loaded = theirs();
    assert!(
        loaded
            .iter()
            .any(|line| line.starts_with("status-right") && line.contains("@tally"))
    );
    servers.type_in("a", "%0", "tally tmux load");
    assert_eq!(theirs(), loaded);
    assert_eq!(
        servers.home.run(&["daemon", "status"]).status,
        Some(0),
        "the daemon came up with it"
    );
    servers.type_in("a", "%0", "tally signal --state blocked");
    let lamp = || {
        servers
            .tmux(
                "a",
                &[
                    "display-message",
                    "-p",
                    "-t",
                    "%0",
                    "#{E:window-status-format}",
                ],
            )
            .stdout
    };
    wait("the lamp", || lamp().contains("◉"));
    let doctor = servers.home.run(&["doctor"]);
    assert!(
        doctor.stdout.contains("lamps in ") && doctor.stdout.contains("daemon: runs"),
        "{doctor:?}"
    );

    servers.tmux("a", &["set-option", "-g", "status", "off"]);
    let unseen = servers.home.run(&["doctor"]);
    assert!(
        unseen.stdout.contains("its status line is off"),
        "{unseen:?}"
    );
    servers.tmux("a", &["set-option", "-g", "status", "on"]);

    servers.type_in("a", "%0", "tally tmux unload");
    let down = servers.home.run(&["down"]);
    assert_eq!(down.status, Some(0), "{down:?}");
    assert!(
        down.stderr.starts_with("The daemon has stopped (pid ")
            && down.stderr.ends_with("lamps are out on 1 server.\n"),
        "{down:?}"
    );
    assert_eq!(formats(), before, "everything is as it was");
    assert_eq!(
        servers.home.run(&["down"]).stderr,
        "No daemon is running.\n"
    );
}

/// A daemon that is told to stop puts its lamps out first; a server that hangs holds it up for a while.
#[test]
fn a_daemon_has_ended_when_down_says_so_and_can_be_started_again_at_once() {
    let servers = Servers::start(&["a"]);
    assert_eq!(servers.home.run(&["up"]).status, Some(0));
    let status = || -> Value {
        serde_json::from_str(&servers.home.run(&["daemon", "status", "--json"]).stdout).unwrap()
    };
    wait("the daemon to follow the server", || {
        status().get("servers").and_then(Value::as_u64) == Some(1)
    });
    let daemon = status().get("pid").and_then(Value::as_u64).unwrap();
    let pid = servers
        .list()
        .pointer("/servers/0/pid")
        .and_then(Value::as_i64)
        .unwrap();
    let server = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    kill_process(server, Signal::STOP).unwrap();
    let down = servers.home.run(&["down"]);
    let left = std::fs::read_to_string(format!("/proc/{daemon}/stat")).unwrap_or_default();
    let up = servers.home.run(&["up"]);
    kill_process(server, Signal::CONT).unwrap();
    assert_eq!(down.status, Some(0), "{down:?}");
    assert!(left.is_empty() || left.contains(") Z "), "{left}");
    assert_eq!(up.status, Some(0), "{up:?}");
}

#[test]
fn daemons_that_come_and_go_do_not_stumble_over_each_other() {
    let servers = Servers::start(&["a"]);
    let rounds: Vec<_> = (0..4)
        .map(|_| {
            let [mut up, mut down] = [(); 2].map(|()| servers.home.command(Home::tally()));
            up.args(["up"]);
            down.args(["down"]);
            std::thread::spawn(move || (outcome(down, b""), outcome(up, b"")))
        })
        .collect();
    for round in rounds {
        let (down, up) = round.join().unwrap();
        assert_eq!(down.status, Some(0), "{down:?}");
        assert_eq!(up.status, Some(0), "{up:?}");
    }
}

#[test]
fn a_pane_means_the_session_that_is_in_it_now_not_those_that_were() {
    let servers = Servers::start(&["a", "b"]);
    let home = &servers.home;
    let explained = |field: &str| -> Value {
        let told = home.run(&["explain", "tmux:a:%0", "--json"]);
        assert_eq!(told.status, Some(0), "{told:?}");
        let told: Value = serde_json::from_str(&told.stdout).unwrap();
        told.pointer(field).unwrap().clone()
    };
    for message in ["first", "second", "third"] {
        let signal = format!("tally signal --state blocked --message {message}");
        servers.type_in("a", "%0", &signal);
        assert_eq!(explained("/session/state"), "blocked");
        assert_eq!(explained("/session/message"), message);
        assert_eq!(
            explained("/session/pane/window_id"),
            "@0",
            "also without a daemon"
        );
        let id = explained("/session/id");
        // The server starts anew, and its first pane has the same name again.
        servers.tmux("a", &["kill-server"]);
        let begin = || servers.tmux("a", &["-f", "/dev/null", "new-session", "-d", "sh"]);
        wait("the server's end", || begin().status == Some(0));
        assert_eq!(explained("/session/id"), id);
    }
    // Here, a pane is one of this server, also where only another one has a session in such a pane.
    servers.type_in("b", "%0", "tally clear %0 2>$HOME/said");
    let said = std::fs::read_to_string(home.path("said")).unwrap();
    assert!(
        said.contains("no session in the pane %0 of this tmux server"),
        "{said}"
    );
}

#[test]
fn a_server_of_another_state_folder_is_said_to_be_one() {
    let servers = Servers::start(&["a"]);
    servers.type_in(
        "a",
        "%0",
        "XDG_STATE_HOME=$HOME/other tally list 2>$HOME/said",
    );
    let said = std::fs::read_to_string(servers.home.path("said")).unwrap();
    assert!(said.contains("belongs to another Tallylight"), "{said}");
    servers.type_in("a", "%0", "tally list 2>$HOME/said");
    let said = std::fs::read_to_string(servers.home.path("said")).unwrap();
    assert!(!said.contains("tmux server"), "{said}");
}

/// As after `su` or in `cron`: the same store, and no runtime folder in the environment.
#[test]
fn a_daemon_with_another_runtime_folder_is_found_by_its_store() {
    let servers = Servers::start(&[]);
    let home = &servers.home;
    assert_eq!(home.run(&["up"]).status, Some(0));
    let without = |args: &[&str]| {
        let mut command = home.command(Home::tally());
        command.args(args).env_remove("XDG_RUNTIME_DIR");
        outcome(command, b"")
    };
    let status = without(&["daemon", "status"]);
    assert_eq!(status.status, Some(0), "{status:?}");
    let up = without(&["up"]);
    assert!(
        up.status == Some(0) && up.stderr.contains("already running"),
        "{up:?}"
    );
    // A folder that is not ours alone is not used, and said.
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    let folder = home.path("run").join(common::FLAVOUR);
    std::fs::set_permissions(&folder, open).unwrap();
    let status = without(&["daemon", "status"]);
    assert_eq!(status.status, Some(1), "{status:?}");
    assert!(
        status.stderr.contains("set XDG_RUNTIME_DIR as it has it")
            && status.stderr.contains(&*folder.to_string_lossy()),
        "{status:?}"
    );
    let closed = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&folder, closed).unwrap();
    assert_eq!(without(&["down"]).status, Some(0));
    assert_eq!(home.run(&["daemon", "status"]).status, Some(1));
}

#[test]
fn of_many_daemons_that_are_started_at_once_one_stays() {
    let servers = Servers::start(&[]);
    let ups: Vec<_> = (0..6)
        .map(|_| {
            let mut command = servers.home.command(Home::tally());
            command.args(["up"]);
            std::thread::spawn(move || outcome(command, b""))
        })
        .collect();
    let mut pids: Vec<String> = Vec::new();
    for up in ups {
        let up = up.join().unwrap();
        assert_eq!(up.status, Some(0), "{up:?}");
        pids.extend(up.stderr.split("pid ").nth(1).map(str::to_owned));
    }
    pids.dedup();
    assert_eq!(pids.len(), 1, "{pids:?}");
    let second = servers.home.run(&["daemon", "run"]);
    assert_eq!(second.status, Some(1));
    assert!(second.stderr.contains("already running"), "{second:?}");
    let status: Value =
        serde_json::from_str(&servers.home.run(&["daemon", "status", "--json"]).stdout).unwrap();
    assert_eq!(status.get("running"), Some(&Value::Bool(true)));
}

#[test]
fn the_next_session_is_the_most_urgent_one_and_then_the_one_after_it() {
    let servers = Servers::start(&["a"]);
    servers.tmux("a", &["split-window", "-t", "%0", "sh"]);
    servers.type_in("a", "%0", "tally signal --state done");
    servers.type_in("a", "%1", "tally signal --state blocked");
    let next = |pane: &str| {
        let socket = servers
            .list()
            .pointer("/servers/0/socket")
            .and_then(Value::as_str)
            .unwrap()
            .to_owned();
        let tmux = format!("{socket},1,0");
        let vars = [("TMUX", tmux.as_str()), ("TMUX_PANE", pane)];
        let next = servers.home.run_with(&["next", "--print"], b"", &vars);
        assert_eq!(next.status, Some(0), "{next:?}");
        next.stdout
    };
    assert!(next("%7").contains("blocked"));
    assert!(next("%1").contains("done"));
    assert!(next("%0").contains("blocked"));
}

#[test]
fn a_pane_that_no_terminal_shows_is_chosen_and_the_status_says_that_nobody_sees_it() {
    let servers = Servers::start(&["a"]);
    servers.tmux("a", &["new-window", "-t", "0:", "sh"]);
    servers.type_in("a", "%0", "tally signal --state blocked");
    let active = || {
        servers
            .tmux("a", &["display-message", "-p", "-t", "0:", "#{pane_id}"])
            .stdout
    };
    for command in [&["focus", "%0"][..], &["next"]] {
        servers.tmux("a", &["select-window", "-t", "0:1"]);
        assert_eq!(active(), "%1\n");
        let gone = servers.home.run(command);
        assert_eq!(gone.status, Some(1), "{gone:?}");
        assert!(
            gone.stderr.contains("No terminal is attached") && gone.stderr.contains("%0"),
            "{gone:?}"
        );
        assert!(gone.stdout.contains("attach-session"), "{gone:?}");
        assert_eq!(active(), "%0\n");
    }
}
