//! Agents that a person describes: recognised, started, wired and understood as those of the build are.

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

use tally_tests::listing::wait_for_state;
use tally_tests::{TmuxServer, World};

/// The configuration of the flavour under test.
fn config(world: &World, name: &str) -> String {
    let path = world.expect_tally(&["config", "path"]);
    let folder = std::path::Path::new(path.trim())
        .parent()
        .unwrap()
        .to_owned();
    let below = folder.strip_prefix(world.root()).unwrap();
    below.join(name).to_str().unwrap().to_owned()
}

fn program(world: &World, name: &str, text: &str) {
    world.write(&format!("bin/{name}"), text);
    fs::set_permissions(world.bin(name), fs::Permissions::from_mode(0o755)).unwrap();
}

const SEEN: &str = "[[agent]]
schema = 1
name = \"seen\"
title = \"Seen\"
process.names = [\"seen\"]
executable.command = \"seen\"
coverage = {}
";

/// As on the page about adding an agent.
const WIRED: &str = "schema = 1
name = \"robin\"
title = \"Robin\"

[process]
names = [\"robin\"]

[executable]
command = \"robin\"

[coverage]
reportable = [\"working\", \"blocked\", \"done\"]
blocked = \"structured\"

[[external_files]]
name = \"hooks.json\"

[[agent_patches]]
args = [\"--hooks\", \"{file:hooks.json}\"]

[fields]
event = \"event\"
session = \"id\"

[[rules]]
events = [\"prompt\"]
act = \"prompt\"

[[rules]]
events = [\"ask\"]
act = \"ask\"
kind = \"permission\"

[[rules]]
events = [\"end\"]
act = \"stop\"

[resume]
args = [\"--continue\", \"{id}\"]
";

#[test]
fn an_agent_of_ones_own_is_recognised_started_wired_and_understood() {
    let page = include_str!("../../docs/adding-an-agent.md");
    assert!(
        page.contains(SEEN) && page.contains(WIRED),
        "what the page tells is what is tried"
    );
    let world = World::with_tally();
    let seen = config(&world, "agents.toml");
    let folder = config(&world, "extensions/robin");
    world.write(&seen, SEEN);
    world.write(&format!("{folder}/extension.toml"), WIRED);
    world.write(
        &format!("{folder}/hooks.json"),
        "{\"run\": \"{command}\"}\n",
    );
    let checked = world.tally(&["extension", "check"]);
    assert_eq!(checked.status, 0, "{checked:?}");
    assert!(checked.stderr.contains("(seen, robin)"), "{checked:?}");

    // It runs its one hook for each of its events, as an agent does.
    program(
        &world,
        "robin",
        "#!/bin/sh\nhook=$(sed 's/.*\"run\": \"\\(.*\\)\"}/\\1/' \"$2\")\n\
         echo \"$@\" > \"$HOME/given\"\n\
         echo '{\"event\":\"prompt\",\"id\":\"r-1\"}' | sh -c \"$hook\"\n\
         echo '{\"event\":\"ask\",\"id\":\"r-1\"}' | sh -c \"$hook\"\n\
         while :; do sleep 1; done\n",
    );
    program(&world, "seen", "#!/bin/sh\nwhile :; do sleep 1; done\n");
    let server = TmuxServer::new(&world, "default");
    let pane = server.new_session("work", "first");
    world.expect_tally(&["up"]);
    let socket = server.socket().to_str().unwrap().to_owned();
    world.expect_tally(&["tmux", "load", "--socket", &socket]);

    pane.wait_for_shell();
    pane.submit("seen");
    let session = wait_for_state(&world, pane.id(), "running");
    assert_eq!(session["agent"], "seen");

    let other = server.new_window("work", "other");
    other.wait_for_shell();
    other.submit("tally run robin it");
    let session = wait_for_state(&world, other.id(), "blocked");
    assert_eq!(session["agent"], "robin");
    assert_eq!(session["blocked_kind"], "permission");
    assert_eq!(session["coverage"]["blocked"], "structured");
    let given = fs::read_to_string(world.home().join("given")).unwrap();
    assert!(
        given.starts_with("--hooks /") && given.ends_with("hooks.json it\n"),
        "{given}"
    );
    let resume = world.expect_tally(&["resume", session["id"].as_str().unwrap()]);
    assert_eq!(resume.trim(), "robin --continue r-1");
}

#[test]
fn a_mistake_is_told_and_costs_no_other_agent() {
    let world = World::with_tally();
    let file = config(&world, "agents.toml");
    world.write(
        &file,
        &format!("{SEEN}[[agent]]\nname = \"bad\"\ncolour = 1\n"),
    );
    let checked = world.tally(&["extension", "check"]);
    assert_eq!(checked.status, 1);
    assert!(
        checked
            .stderr
            .contains("agents.toml:10: unknown field `colour`"),
        "{}",
        checked.stderr
    );
    let listed = world.tally(&["agent", "list"]);
    assert!(
        listed.stdout.contains("seen") && listed.stderr.contains("agents.toml:10"),
        "{listed:?}"
    );
    // Nothing of it disturbs an agent.
    let signal = world.tally_with(&["signal", "--from", "bad"], "{}");
    assert_eq!(
        (
            signal.status,
            signal.stdout.as_str(),
            signal.stderr.as_str()
        ),
        (0, "", "")
    );
}
