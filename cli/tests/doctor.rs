//! What the doctor finds: each ailment in a world that has it.

#![expect(clippy::panic, reason = "the helpers of a test may fail it")]

mod common;

use common::servers::{Servers, wait};
use common::{FLAVOUR, Outcome};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// The doctor's line about something.
fn line<'d>(doctor: &'d Outcome, about: &str) -> &'d str {
    let lines = || doctor.stdout.lines();
    lines()
        .find(|line| line.get(9..).is_some_and(|rest| rest.starts_with(about)))
        .unwrap_or_else(|| panic!("nothing about {about}: {doctor:?}"))
}

/// A server that is stopped is not a leftover: a person who removes its socket loses the sessions behind it.
#[test]
fn a_server_that_hangs_is_told_with_its_process() {
    let Some(servers) = Servers::start(&["a"]) else {
        return;
    };
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

#[test]
fn a_format_that_refers_to_an_option_that_is_not_set_is_told_and_a_daemon_heals_it() {
    let Some(servers) = Servers::start(&["a"]) else {
        return;
    };
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
