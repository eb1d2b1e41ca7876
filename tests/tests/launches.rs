//! Sessions that Tallylight starts itself: named, started again exactly, resumed, and read as what they are declared to be.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test stops at the first thing that is not as it must be"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use tally_tests::listing::{sessions, wait_for_state};
use tally_tests::{LIMIT, TmuxServer, World, wait_until};

/// A server with one session, and where asked a daemon.
fn server(world: &World, daemon: bool) -> TmuxServer {
    let server = TmuxServer::new(world, "default");
    drop(server.new_session("work", "first"));
    if daemon {
        world.expect_tally(&["up"]);
        let socket = server.socket().to_str().unwrap().to_owned();
        world.expect_tally(&["tmux", "load", "--socket", &socket]);
    }
    server
}

fn program(world: &World, name: &str, text: &str) {
    world.write(&format!("bin/{name}"), text);
    fs::set_permissions(world.bin(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// A program that writes down its directory and its arguments, each ended by a NUL, and goes on.
fn recorder(world: &World) {
    program(
        world,
        "recorder",
        "#!/bin/sh\n{ printf '%s\\0' \"$(pwd)\" \"$@\"; echo; } >> \"$HOME/recorded\"\nexec sleep 1000\n",
    );
}

fn recorded(world: &World, runs: usize) -> Vec<Vec<String>> {
    let path = world.home().join("recorded");
    let read = || {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let lines: Vec<Vec<String>> = text
            .split("\0\n")
            .filter(|run| !run.is_empty())
            .map(|run| run.split('\0').map(str::to_owned).collect())
            .collect();
        (lines.len() == runs && text.ends_with("\0\n")).then_some(lines)
    };
    wait_until(&format!("{runs} runs"), LIMIT, read, || {
        fs::read_to_string(&path).unwrap_or_default()
    })
}

fn named(world: &World, name: &str) -> Option<Value> {
    sessions(world)
        .into_iter()
        .find(|session| session["name"] == name)
}

const WORDS: [&str; 6] = [
    "two words",
    "a \"b\" 'c'",
    "line\nbreak",
    "",
    "$HOME #{x};",
    "--dash",
];

fn a_command_is_started_again_exactly(daemon: bool) {
    let world = World::with_tally();
    let server = server(&world, daemon);
    recorder(&world);
    let folder = world.home().join("a folder #{pane_id}");
    fs::create_dir(&folder).unwrap();
    let folder = folder.to_str().unwrap();
    let mut args = vec![
        "new",
        "--name",
        "api",
        "--command",
        "recorder",
        "--cwd",
        folder,
        "--",
    ];
    args.extend(WORDS);
    let id = world.expect_tally(&args).trim().to_owned();
    let first = recorded(&world, 1).remove(0);
    assert_eq!(first[0], folder);
    assert_eq!(first[1..], WORDS);
    let session = named(&world, "api").unwrap();
    assert_eq!(session["id"], id);
    assert_eq!(session["state"], "none", "a command is no idle agent");
    let pane = session["pane"]["pane_id"].as_str().unwrap().to_owned();
    assert_eq!(session["pane"]["window_name"], "api");
    let listed = world.expect_tally(&["list"]);
    assert!(listed.contains("api"), "{listed}");
    let rollup = world.tally_json(&["list", "--json"])["rollup"].clone();
    assert_eq!(rollup["counts"]["idle"], 0, "{rollup}");
    assert_eq!(rollup["counts"]["unknown"], 0, "{rollup}");
    assert_eq!(rollup["state"], "none");
    // A name is one session's.
    assert_eq!(world.tally(&["new", "--name", "api"]).status, 1);

    let before = server.format(&pane, "#{pane_pid}");
    world.expect_tally(&["reports-as", "api", "claude"]);
    let next = world.expect_tally(&["restart", "api"]).trim().to_owned();
    assert_ne!(next, id);
    let runs = recorded(&world, 2);
    assert_eq!(runs[0], runs[1], "the same command in the same directory");
    assert_ne!(server.format(&pane, "#{pane_pid}"), before);
    let session = named(&world, "api").unwrap();
    assert_eq!(session["id"], next);
    assert_eq!(session["pane"]["pane_id"], pane, "in the same pane");
    assert_eq!(session["reports_as"], "claude");
    // The daemon, where there is one, sees the new process and not the end of the session.
    if daemon {
        world.expect_tally(&["down"]);
        assert_eq!(named(&world, "api").unwrap()["id"], next);
    }
    // Where the pane is gone, a new window is opened, by the name of the session that is over.
    server.run(["kill-pane", "-t", &pane]);
    wait_until(
        "the end of the session",
        LIMIT,
        || named(&world, "api").is_none().then_some(()),
        || format!("{:#?}", sessions(&world)),
    );
    world.expect_tally(&["restart", "api"]);
    let runs = recorded(&world, 3);
    assert_eq!(runs[0], runs[2]);
    let session = named(&world, "api").unwrap();
    assert_ne!(session["pane"]["pane_id"], pane);
    assert_eq!(session["reports_as"], "claude");
}

#[test]
fn a_command_is_started_again_exactly_without_a_daemon() {
    a_command_is_started_again_exactly(false);
}

#[test]
fn a_command_is_started_again_exactly_with_a_daemon() {
    a_command_is_started_again_exactly(true);
}

#[test]
fn what_a_session_is_declared_to_be_is_what_its_coverage_is_read_against() {
    let world = World::with_tally();
    let _server = server(&world, true);
    world.expect_tally(&[
        "new",
        "--name",
        "mine",
        "--command",
        "sh",
        "--arg",
        "-c",
        "--arg",
        "tally signal --state working; exec sleep 1000",
    ]);
    let pane = named(&world, "mine").unwrap()["pane"]["pane_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let session = wait_for_state(&world, &pane, "working");
    assert_eq!(session["reports_as"], Value::Null);
    let silent = session["coverage"].clone();
    world.expect_tally(&["reports-as", "mine", "claude"]);
    let session = named(&world, "mine").unwrap();
    assert_eq!(session["reports_as"], "claude");
    assert_ne!(session["coverage"], silent);
    assert_eq!(session["state"], "working", "nothing else has changed");
    // What works is not cut off without a word.
    let refused = world.tally(&["restart", "mine"]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("--yes"), "{}", refused.stderr);
    world.expect_tally(&["restart", "mine", "--yes"]);
    let session = wait_for_state(&world, &pane, "working");
    assert_eq!(session["reports_as"], "claude");
    world.expect_tally(&["reports-as", "mine", "--clear"]);
    assert_eq!(named(&world, "mine").unwrap()["coverage"], silent);
    assert_eq!(world.tally(&["reports-as", "mine", "nobody"]).status, 2);
}

#[test]
fn an_agent_is_started_by_name_and_its_conversation_is_resumed_after_its_end() {
    let world = World::with_tally();
    let _server = server(&world, true);
    // What the agent reports, and what it was given.
    program(
        &world,
        "qwen",
        "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \"$HOME/given\"\n\
         echo '{\"hook_event_name\":\"SessionStart\",\"session_id\":\"it-is-7\",\"source\":\"startup\"}' | tally signal --from qwen\n\
         until [ -e \"$HOME/end\" ]; do sleep 0.1; done\n",
    );
    world.expect_tally(&["new", "--name", "q", "--agent", "qwen", "--", "-m", "x y"]);
    wait_until(
        "the conversation's id",
        LIMIT,
        || named(&world, "q").filter(|session| session["agent_session"] == "it-is-7"),
        || format!("{:#?}", sessions(&world)),
    );
    let given = fs::read_to_string(world.home().join("given")).unwrap();
    assert!(given.ends_with("-m\nx y\n"), "{given}");
    assert_eq!(
        world.expect_tally(&["resume", "q"]).trim(),
        "qwen --resume it-is-7"
    );
    fs::write(world.home().join("end"), "").unwrap();
    wait_until(
        "the end",
        LIMIT,
        || named(&world, "q").is_none().then_some(()),
        || format!("{:#?}", sessions(&world)),
    );
    assert_eq!(
        world.expect_tally(&["resume", "q"]).trim(),
        "qwen --resume it-is-7"
    );
    world.expect_tally(&["resume", "q", "--run"]);
    let given = fs::read_to_string(world.home().join("given")).unwrap();
    assert!(given.ends_with("--resume\nit-is-7\n"), "{given}");
}

#[test]
fn a_declaration_at_the_start_of_an_agent_is_its_sessions_whoever_begins_it() {
    let world = World::with_tally();
    let server = server(&world, true);
    // One that never signals, seen by the daemon; and one that signals first.
    program(&world, "crush", "#!/bin/sh\nwhile :; do sleep 1; done\n");
    let silent = server.new_window("work", "silent");
    silent.wait_for_shell();
    silent.submit("tally run --reports-as claude crush");
    let session = wait_for_state(&world, silent.id(), "running");
    assert_eq!(session["reports_as"], "claude");
    world.expect_tally(&["down"]);
    program(
        &world,
        "amp",
        "#!/bin/sh\ntally signal --state working\nwhile :; do sleep 1; done\n",
    );
    let heard = server.new_window("work", "heard");
    heard.wait_for_shell();
    heard.submit("tally run --reports-as codex amp");
    let session = wait_for_state(&world, heard.id(), "working");
    assert_eq!(session["reports_as"], "codex");
}

#[test]
fn outside_it_has_to_be_said_where_and_a_session_that_was_not_started_here_is_not_started_again() {
    let world = World::with_tally();
    let server = TmuxServer::new(&world, "default");
    let failed = world.tally(&["new", "--name", "x"]);
    assert_eq!(failed.status, 1);
    assert!(
        failed.stderr.contains("no tmux server"),
        "{}",
        failed.stderr
    );
    let pane = server.new_session("work", "first");
    drop(server.new_session("play", "first"));
    let failed = world.tally(&["new", "--name", "x"]);
    assert_eq!(failed.status, 3);
    assert!(
        failed.stderr.contains("--session play"),
        "{}",
        failed.stderr
    );
    world.expect_tally(&["new", "--name", "x", "--session", "play", "-d"]);
    assert_eq!(named(&world, "x").unwrap()["pane"]["mux_session"], "play");
    pane.wait_for_shell();
    pane.submit("tally signal --state idle");
    wait_for_state(&world, pane.id(), "idle");
    let refused = world.tally(&["restart", &format!("tmux:default:{}", pane.id())]);
    assert_eq!(refused.status, 1);
    assert!(
        refused.stderr.contains("not started by Tallylight"),
        "{}",
        refused.stderr
    );
    // Inside, it is here.
    pane.submit("tally new --name inside && echo opened");
    wait_until(
        "the window",
        LIMIT,
        || named(&world, "inside").filter(|session| session["pane"]["mux_session"] == "work"),
        || format!("{:#?}", sessions(&world)),
    );
}
