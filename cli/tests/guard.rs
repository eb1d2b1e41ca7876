//! What is left when the daemon does not end but dies, on a real tmux server.

#![allow(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

mod common;

use std::path::Path;
use std::process::Stdio;

use common::servers::{Servers, wait};
use common::{FLAVOUR, Home};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// The daemon's process, once it follows a server.
fn daemon(servers: &Servers) -> Option<u32> {
    let status = servers.home.run(&["daemon", "status", "--json"]).stdout;
    let status: Value = serde_json::from_str(&status).ok()?;
    let follows = status.get("servers").and_then(Value::as_u64) >= Some(1);
    let pid = u32::try_from(status.get("pid")?.as_u64()?).ok()?;
    follows.then_some(pid)
}

fn followed(servers: &Servers) -> u32 {
    wait("the daemon to follow the server", || {
        daemon(servers).is_some()
    });
    daemon(servers).unwrap()
}

/// The processes of a command that has this word among its arguments.
fn processes(word: &str) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid: &u32| {
            let argv = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            argv.split(|byte| *byte == 0)
                .any(|other| other == word.as_bytes())
        })
        .collect()
}

/// What of ours is set on the server: options at every scope, and hooks.
fn ours(servers: &Servers) -> String {
    let questions: [&[&str]; 6] = [
        &["show-options", "-g"],
        &["show-options", "-gw"],
        &["show-options", "-t", "0"],
        &["show-options", "-w", "-t", "0:0"],
        &["show-options", "-p", "-t", "%0"],
        &["show-hooks", "-g"],
    ];
    let told: String = questions
        .iter()
        .map(|question| servers.tmux("a", question).stdout)
        .collect();
    let mention = |line: &&str| line.contains("tally");
    told.lines().filter(mention).collect::<Vec<_>>().join("\n")
}

/// The guards of this home's daemons.
fn guards(servers: &Servers) -> Vec<u32> {
    let home = format!("HOME={}", servers.home.path("").display());
    let home = home.trim_end_matches('/').as_bytes();
    let mut guards = processes("__guard");
    guards.retain(|pid| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|entry| entry == home)
    });
    guards
}

fn kill(pid: u32) {
    let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
}

fn servers_with_a_lamp() -> (Servers, u32) {
    let servers = Servers::start(&["a"]);
    assert_eq!(servers.home.run(&["up"]).status, Some(0));
    let daemon = followed(&servers);
    servers.type_in("a", "%0", "tally signal --state blocked");
    // The server's own options are asked for first: when they are there, so are all others.
    wait("the lamp", || ours(&servers).contains("_server blocked"));
    (servers, daemon)
}

#[test]
fn case_h4_a_daemon_that_is_killed_leaves_no_client_no_hook_and_no_lamp() {
    let (servers, daemon) = servers_with_a_lamp();
    let server = servers.list();
    let server = server.pointer("/servers/0/pid").unwrap().as_u64().unwrap();
    let channel = format!("{FLAVOUR}-{server}");
    wait("its follower", || !processes(&channel).is_empty());
    kill(daemon);
    wait("its followers to end", || processes(&channel).is_empty());
    wait("everything to be taken back", || ours(&servers).is_empty());
    let status = servers.home.run(&["daemon", "status"]);
    assert_eq!(status.status, Some(1), "it died young: {status:?}");
    let log = servers
        .home
        .path(&format!(".local/state/{FLAVOUR}/daemon.log"));
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("the daemon died"), "{log}");

    // The session is in the store, and a daemon shows it again.
    assert_eq!(servers.home.run(&["up"]).status, Some(0));
    wait("the lamp", || ours(&servers).contains("blocked"));
    assert_eq!(servers.home.run(&["down"]).status, Some(0));
    assert_eq!(ours(&servers), "");
}

/// The guard is started by hand, since the daemon's own does not replace one that dies young.
#[test]
fn a_daemon_that_had_run_for_a_while_is_replaced_when_it_is_killed() {
    let (servers, first) = servers_with_a_lamp();
    guards(&servers).into_iter().for_each(kill);
    let mut guard = servers.home.command(Home::tally());
    guard
        .args(["__guard", "--restart-after=0"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null());
    let mut guard = guard.spawn().unwrap();
    kill(first);
    drop(guard.stdin.take());
    assert!(guard.wait().unwrap().success());
    wait("a new daemon", || {
        daemon(&servers).is_some_and(|second| second != first)
    });
    wait("the lamp", || ours(&servers).contains("blocked"));
}

#[test]
fn a_guard_does_nothing_while_a_daemon_runs_and_when_it_is_told_good_bye() {
    let (servers, first) = servers_with_a_lamp();
    let lamps = ours(&servers);
    for input in [&b""[..], b"."] {
        let guard = servers
            .home
            .run_with(&["__guard", "--restart-after=0"], input, &[]);
        assert_eq!((guard.status, guard.stderr.as_str()), (Some(0), ""));
        assert_eq!(daemon(&servers), Some(first));
        assert_eq!(ours(&servers), lamps);
    }
    assert_eq!(guards(&servers).len(), 1);
    assert_eq!(servers.home.run(&["down"]).status, Some(0));
    wait("the daemon's own guard to end", || {
        guards(&servers).is_empty()
    });
    assert!(!Path::new(&format!("/proc/{first}/cwd")).exists());
}
