//! What the doctor finds: each ailment in a world that has it.

#![expect(clippy::panic, reason = "the helpers of a test may fail it")]

mod common;

use std::fs;
use std::os::unix::fs::symlink;

use common::servers::{Servers, wait};
use common::{FLAVOUR, Home, Outcome};
use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

const CANNOT: &str = "States do not arrive until what is broken is repaired.\n";

/// The doctor's line about something.
fn line<'d>(doctor: &'d Outcome, about: &str) -> &'d str {
    let lines = || doctor.stdout.lines();
    lines()
        .find(|line| line.get(9..).is_some_and(|rest| rest.starts_with(about)))
        .unwrap_or_else(|| panic!("nothing about {about}: {doctor:?}"))
}

#[rstest]
#[case::a_file_in_the_way(".local", "cannot be made below")]
#[case::a_link_that_leads_nowhere(".local/state", "cannot be made below")]
fn case_d8_a_state_folder_that_cannot_be_made_is_broken(#[case] place: &str, #[case] why: &str) {
    let home = Home::new();
    let path = home.path(place);
    match place {
        ".local" => drop(fs::File::create(&path).unwrap()),
        _ => {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            symlink("/nonexistent/folder", &path).unwrap();
        }
    }
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.status, Some(1), "{doctor:?}");
    let told = line(&doctor, "state folder");
    assert!(
        told.starts_with("broken") && told.contains(why) && told.contains(path.to_str().unwrap()),
        "{told}"
    );
    assert!(doctor.stderr.ends_with(CANNOT), "{doctor:?}");
    let strict = home.run(&["signal", "--state", "done", "--strict"]);
    assert_eq!(
        strict.status,
        Some(4),
        "it waits in the runtime folder: {strict:?}"
    );
}

#[test]
fn a_store_that_cannot_be_opened_for_writing_is_broken() {
    let home = Home::new();
    let store = home.path(&format!(".local/state/{FLAVOUR}/sessions.db"));
    fs::create_dir_all(&store).unwrap();
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.status, Some(1), "{doctor:?}");
    let told = line(&doctor, "store");
    assert!(told.contains("cannot be written"), "{told}");
}

#[test]
fn a_spool_that_cannot_be_written_is_told() {
    let home = Home::new();
    home.write(&format!(".local/state/{FLAVOUR}/spool"), "a file");
    let doctor = home.run(&["doctor"]);
    let told = line(&doctor, "spool");
    assert!(
        told.starts_with("warning") && told.contains("cannot be"),
        "{told}"
    );
}

/// A socket's name has room for about a hundred bytes.
#[rstest]
#[case::too_long(80, "is too long for a socket")]
#[case::a_file_in_the_way(1, "cannot be made below")]
fn a_runtime_folder_that_cannot_hold_a_socket_is_broken(#[case] length: usize, #[case] why: &str) {
    let home = Home::new();
    let folder = home.path(&"x".repeat(length));
    if length == 1 {
        fs::File::create(&folder).unwrap();
    }
    let runtime = folder.to_str().unwrap();
    let vars = [("XDG_RUNTIME_DIR", runtime)];
    let doctor = home.run_with(&["doctor"], b"", &vars);
    assert_eq!(doctor.status, Some(1), "{doctor:?}");
    let told = line(&doctor, "runtime folder");
    assert!(
        told.starts_with("broken") && told.contains(runtime) && told.contains(why),
        "{told}"
    );
    assert!(doctor.stderr.ends_with(CANNOT), "{doctor:?}");
    let up = home.run_with(&["up"], b"", &vars);
    assert_eq!(up.status, Some(1), "{up:?}");
    assert!(up.stderr.contains(runtime), "{up:?}");
}

#[test]
fn equal_signals_without_a_pane_are_told_once_with_their_number() {
    let home = Home::new();
    for state in ["done", "done", "working"] {
        assert_eq!(home.run(&["signal", "--state", state]), Outcome::silent());
    }
    let doctor = home.run(&["doctor"]);
    let told = line(&doctor, "signals without a pane");
    assert!(
        told.contains("3 in the last hour, 3 in all: a script, working (")
            && told.contains("; 2 × a script, done ("),
        "{told}"
    );
    let list = home.run(&["list"]);
    assert!(
        list.stderr
            .contains("Signals of the last hour that named no live pane: 3;"),
        "{list:?}"
    );
}

/// Such an alias starts the agent as if there were no Tallylight, and nothing says so.
#[test]
fn an_alias_that_goes_past_the_shell_function_is_told_with_its_line() {
    let home = Home::new();
    home.write(
        ".bashrc",
        "eval \"$(tally init bash)\"\nalias claude='/x/claude'\n",
    );
    home.write(".zshrc", "alias claude='claude --mine'\n");
    home.write(".config/fish/config.fish", "alias claude 'claude --mine'\n");
    let doctor = home.run(&["doctor"]);
    let told: Vec<&str> = doctor
        .stdout
        .lines()
        .filter(|line| line.contains("alias claude: "))
        .collect();
    assert_eq!(told.len(), 2, "{doctor:?}");
    assert!(
        told[0].ends_with(".bashrc:2: alias claude='/x/claude'")
            && told[1].contains("config.fish:1"),
        "{told:?}"
    );
}

/// A server that is stopped is not a leftover: a person who removes its socket loses the sessions behind it.
#[test]
fn a_server_that_hangs_is_told_with_its_process() {
    let servers = Servers::start(&["a"]);
    let list = servers.list();
    let pid = list
        .pointer("/servers/0/pid")
        .and_then(Value::as_i64)
        .unwrap();
    let process = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    kill_process(process, Signal::STOP).unwrap();
    let doctor = servers.home.run(&["doctor"]);
    let list = servers.list();
    kill_process(process, Signal::CONT).unwrap();
    let told = line(&doctor, "tmux server");
    assert!(
        told.starts_with("warning") && told.contains(&format!("(pid {pid}) is there and hangs")),
        "{told}"
    );
    assert!(!doctor.stdout.contains("leftover"), "{doctor:?}");
    assert_eq!(
        list.pointer("/servers/0/pid").and_then(Value::as_i64),
        Some(pid)
    );
    assert_eq!(
        list.pointer("/servers/0/reachable"),
        Some(&Value::Bool(false))
    );
}

/// An option of a mux session or a window comes before the server's.
#[test]
fn who_hides_the_lamps_by_an_option_of_its_own_is_named() {
    let servers = Servers::start(&["a"]);
    servers.type_in("a", "%0", "tally tmux load --quiet");
    let tmux = |args: &[&str]| {
        let ran = servers.tmux("a", args);
        assert_eq!(ran.status, Some(0), "{args:?}: {ran:?}");
    };
    tmux(&["new-session", "-d", "-s", "own", "sh"]);
    tmux(&["new-window", "-d", "-t", "=0:", "-n", "logs", "sh"]);
    let hides = || {
        let doctor = servers.home.run(&["doctor"]).stdout;
        let line = doctor.lines().find(|line| line.contains(" the lamps"));
        line.map(str::to_owned)
    };
    assert_eq!(hides(), None);
    tmux(&["set-option", "-t", "=own:", "status-right", "mine"]);
    let told = hides().unwrap();
    assert!(
        told.starts_with("warning")
            && told.ends_with(
                "the mux session own (status-right) has an option of its own that hides the lamps"
            ),
        "{told}"
    );
    tmux(&[
        "set-option",
        "-w",
        "-t",
        "=0:1",
        "window-status-format",
        "#I",
    ]);
    let told = hides().unwrap();
    assert!(
        told.contains(
            "the mux session own (status-right), the window 0:1 logs (window-status-format) have"
        ),
        "{told}"
    );
    tmux(&["set-option", "-u", "-t", "=own:", "status-right"]);
    tmux(&[
        "set-option",
        "-w",
        "-u",
        "-t",
        "=0:1",
        "window-status-format",
    ]);
    assert_eq!(hides(), None);
}

/// Case H4: such a server is looked at every few seconds, and lamps that are late by that have a reason.
#[test]
fn case_h4_a_server_that_sends_followers_away_is_told() {
    let servers = Servers::start(&["a"]);
    servers.home.program(
        "tmux",
        "#!/bin/sh\ncase \" $* \" in *' wait-for tally'*) exit 1;; esac\nexec /usr/bin/tmux \"$@\"\n",
    );
    let told = || {
        let doctor = servers.home.run(&["doctor"]).stdout;
        doctor.contains("sends every follower away at once")
    };
    assert!(!told());
    assert_eq!(servers.home.run(&["up"]).status, Some(0));
    let socket = servers.list().pointer("/servers/0/socket").unwrap().clone();
    let polled = || -> Value {
        let status = servers.home.run(&["daemon", "status", "--json"]);
        let status: Value = serde_json::from_str(&status.stdout).unwrap();
        status.get("polled").unwrap().clone()
    };
    wait("the daemon to give up", || {
        polled()
            .as_array()
            .is_some_and(|polled| polled.contains(&socket))
    });
    assert!(told());
}

#[test]
fn a_format_that_refers_to_an_option_that_is_not_set_is_told_and_a_daemon_heals_it() {
    let servers = Servers::start(&["a"]);
    servers.type_in("a", "%0", "tally tmux load --quiet");
    let first = servers.home.run(&["doctor"]).stdout;
    assert!(first.contains("lamps in "), "{first}");
    assert_eq!(servers.home.run(&["down"]).status, Some(0));
    let doctor = servers.home.run(&["doctor"]);
    let prefix = FLAVOUR.replace('-', "_");
    assert!(
        doctor.stdout.contains(&format!(
            "window-status-format, window-status-current-format refer to @{prefix}_lamp, which is not set"
        )) && doctor
            .stdout
            .contains(&format!("status-right refers to @{prefix}_summary, which is not set"))
            && !doctor.stdout.contains(&format!("@{prefix}_border")),
        "{doctor:?}"
    );
    assert_eq!(servers.home.run(&["up"]).status, Some(0));
    wait("the formats", || {
        servers.home.run(&["doctor"]).stdout.contains("lamps in ")
    });
}
