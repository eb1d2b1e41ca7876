//! Case K1: what an agent says, and what people call folders, windows and panes, is text on every surface: nothing
//! makes a command of it. Real tmux, the real daemon, an attached client.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test stops at the first thing that is not as it must be"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tally_tests::listing::{session_in, wait_for_state};
use tally_tests::wait::watch_for;
use tally_tests::{Client, LIMIT, Message, TmuxServer, World, wait_until};

/// Texts that break out of one quoting or another. `X` is where whatever is run leaves its mark.
const TEXTS: [&str; 8] = [
    "\"; do shell script \"touch X",
    "'$(touch X)'",
    "a'b$(touch X)`touch X`",
    "a final \\",
    "#(touch X) ##(touch X) #{pid} #[fg=red] #{?1,#(touch X),}",
    "%H:%M %d%n %(touch X)",
    "; touch X; #{E:@k1} ; touch X",
    "-t %0 --help $HOME ~ * ? ! { } \\033[31m",
];

/// Whatever has been run by mistake leaves this file somewhere.
fn marks(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name() == "X" {
            found.push(path);
        } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(marks(&path));
        }
    }
    found
}

#[test]
fn case_k1_what_an_agent_says_is_text_on_every_surface() {
    let world = World::with_tally();
    let server = TmuxServer::new(&world, "default");
    let folder = "a'b$(touch X) \"c\" #(touch X) #{pid} %H \\";
    let cwd = world.project().join(folder);
    fs::create_dir(&cwd).unwrap();
    let pane = server.new_session("work", "agent");
    Message::remember_all(&server);
    // What tmux shows of itself: a window's name, a pane's title, and where the pane is.
    server.run(["rename-window", "-t", pane.id(), "##(touch X) $(touch X)"]);
    server.run([
        "select-pane",
        "-t",
        pane.id(),
        "-T",
        "##(touch X) `touch X`",
    ]);
    world.expect_tally(&["up"]);
    let socket = server.socket().to_str().unwrap().to_owned();
    world.expect_tally(&["tmux", "load", "--socket", &socket]);
    let border = server
        .run(["show-options", "-gv", "status-right"])
        .replace("_summary", "_border");
    server.run(["set-option", "-g", "pane-border-format", &border]);
    server.run(["set-option", "-g", "pane-border-status", "top"]);
    let client = Client::attach(&world, &server, "work");
    pane.submit("tally signal --state idle --agent claude; exec sleep 1000");
    let session = wait_for_state(&world, pane.id(), "idle");
    let id = session["id"].as_str().unwrap();

    for text in TEXTS {
        // By a script, and by an agent's own report of a tool that asks.
        let payload = json!({
            "hook_event_name": "PermissionRequest", "session_id": text, "cwd": cwd, "tool_name": "Bash",
            "tool_input": { "command": text, "description": text }, "prompt_id": text,
        });
        let reports: [(&[&str], String); 2] = [
            (
                &[
                    "--state",
                    "blocked",
                    "--kind",
                    "question",
                    "--message",
                    text,
                ],
                String::new(),
            ),
            (&["--from", "claude"], payload.to_string()),
        ];
        for (report, stdin) in reports {
            let args = [&["signal", "--strict", "--session", id], report].concat();
            let outcome = world.tally_with(&args, &stdin);
            assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{text}");
            let said = || session_in(&world, pane.id()).unwrap()["message"].clone();
            let message = wait_until(
                "the message",
                LIMIT,
                || {
                    said()
                        .as_str()
                        .filter(|said| said.contains(text))
                        .map(str::to_owned)
                },
                || said().to_string(),
            );
            client.wait_for_status("the lamp", |line| line.contains('◉'));

            // The text is whole where it is shown, and nowhere in what tmux expands.
            for args in [
                &["list"][..],
                &["list", "--all"],
                &["explain", id],
                &["next", "--print"],
            ] {
                let shown = world.expect_tally(args);
                assert!(shown.contains(&message), "{args:?}: {shown}");
            }
            let explained = world.tally_json(&["explain", id, "--json"]);
            assert_eq!(
                explained["session"]["message"],
                Value::from(message.as_str())
            );
            for format in ["plain", "ansi", "tmux", "json"] {
                let status = world.expect_tally(&["status", "--format", format]);
                assert!(
                    !status.contains("touch") && !status.contains("$HOME"),
                    "{status}"
                );
            }
        }
    }
    // Every option of ours, in all the scopes that there are, and every command that was given.
    for args in [
        &["show-options", "-g"][..],
        &["show-options", "-gw"],
        &["show-options", "-t", "=work:"],
        &["show-options", "-w", "-t", "=work:"],
        &["show-options", "-p", "-t", "=work:"],
        &["show-hooks", "-g"],
    ] {
        let shown = String::from_utf8(server.attempt(args).stdout).unwrap();
        assert!(!shown.contains("touch"), "{args:?}: {shown}");
    }
    let of_test = ["rename-window", "select-pane"];
    for message in Message::of(&server) {
        let own = of_test.iter().any(|own| message.command.starts_with(own));
        assert!(own || !message.command.contains("touch"), "{message:?}");
    }
    // Drawn once more, with everything in place.
    let tty = server.run(["list-clients", "-F", "#{client_tty}"]);
    server.run(["refresh-client", "-t", &tty]);
    let screen = client.screen().capture();
    assert!(
        screen.contains("(touch X)"),
        "the names are shown as they are: {screen}"
    );
    let found = watch_for(
        Duration::from_millis(500),
        || marks(world.root()),
        |marks| !marks.is_empty(),
    );
    assert_eq!(found, None, "nothing was run");
}
