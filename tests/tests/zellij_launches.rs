//! Sessions that Tallylight starts in tabs of a real zellij.

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
use tally_tests::listing::sessions;
use tally_tests::zellij::ZellijDesk;
use tally_tests::{LIMIT, World, wait_until};

const WORDS: [&str; 4] = ["two words", "a \"b\" 'c'", "line\nbreak", "--dash"];

/// A program that writes down its directory and its arguments, and goes on.
fn recorder(world: &World) {
    world.write(
        "bin/recorder",
        "#!/bin/sh\n{ printf '<%s>' \"$(pwd)\" \"$@\"; echo ';'; } >> \"$HOME/recorded\"\nexec sleep 1000\n",
    );
    fs::set_permissions(world.bin("recorder"), fs::Permissions::from_mode(0o755)).unwrap();
}

fn runs(world: &World, count: usize) -> Vec<String> {
    let path = world.home().join("recorded");
    let text = || fs::read_to_string(&path).unwrap_or_default();
    wait_until(
        &format!("{count} runs"),
        LIMIT,
        || {
            let runs: Vec<String> = text().split(";\n").map(str::to_owned).collect();
            (runs.len() == count + 1).then(|| runs[..count].to_vec())
        },
        text,
    )
}

fn named(world: &World, name: &str) -> Option<Value> {
    sessions(world)
        .into_iter()
        .find(|session| session["name"] == name)
}

#[test]
fn a_tab_has_a_command_that_is_started_again_in_its_place() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    let world = desk.world();
    recorder(world);
    let mut args = vec![
        "new",
        "--server",
        "zellij:work",
        "--name",
        "api",
        "--command",
        "recorder",
        "--cwd",
        "/tmp",
        "--",
    ];
    args.extend(WORDS);
    let id = world.expect_tally(&args).trim().to_owned();
    let first = runs(world, 1);
    assert_eq!(first[0], format!("</tmp><{}>", WORDS.join("><")));
    let session = named(world, "api").unwrap();
    assert_eq!(
        (&session["id"], &session["state"]),
        (&id.into(), &"none".into())
    );
    let pane = session["pane"]["pane_id"].clone();
    terminal.wait_for_text("api");

    world.expect_tally(&["restart", "api"]);
    let again = runs(world, 2);
    assert_eq!(again[0], again[1]);
    let session = named(world, "api").unwrap();
    let next = session["pane"]["pane_id"].clone();
    assert_ne!(next, pane, "zellij numbers panes anew");
    wait_until(
        "one tab of it",
        LIMIT,
        || {
            let listed = desk.action(&["list-panes"]);
            let number = |pane: &Value| pane.as_str().unwrap().replace('%', "terminal_");
            let has = |pane: &Value| listed.split_whitespace().any(|word| word == number(pane));
            (has(&next) && !has(&pane)).then_some(())
        },
        String::new,
    );
    let still = named(world, "api").unwrap();
    assert_eq!(still["id"], session["id"]);
}

#[test]
fn a_worktree_is_opened_in_a_tab_from_inside() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    let world = desk.world();
    world.write(
        "home/.gitconfig",
        "[user]\nname = x\nemail = x@example.org\n[init]\ndefaultBranch = main\n",
    );
    let app = world.home().join("app");
    for args in [
        &["init", "-q", app.to_str().unwrap()][..],
        &[
            "-C",
            app.to_str().unwrap(),
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "first",
        ],
    ] {
        assert!(world.command("git").args(args).status().unwrap().success());
    }
    terminal.submit(&format!("cd {} && tally worktree new side", app.display()));
    let session = wait_until(
        "the session",
        LIMIT,
        || named(world, "side"),
        || terminal.screen().capture(),
    );
    assert_eq!(session["pane"]["mux"], "zellij");
    assert_eq!(session["repo"], app.to_str().unwrap());
    terminal.submit("pwd");
    terminal.wait_for_text("app.worktrees/side");
}
