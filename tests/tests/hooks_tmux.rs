//! The person's own commands on a real tmux: each runs exactly as often as the documentation says.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test stops at the first thing that is not as it must be"
)]

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;
use tally_tests::world::kill;
use tally_tests::{Client, LIMIT, Pane, TmuxServer, World, wait_until};

/// Writes the whole environment of a run into a file of its own.
const KEEP: &str =
    r#"f=$(mktemp "$HOME/../log/run-XXXXXX") && env -0 > "$f.part" && mv "$f.part" "$f.env""#;

fn world(hooks: &str) -> World {
    let world = World::with_tally();
    world.configure(hooks);
    world
}

fn keeping(more: &str) -> String {
    format!("{more}\n[hooks]\nafter-agent-state = '''{KEEP}'''\n")
}

/// The environments of all runs so far.
fn runs(world: &World) -> Vec<BTreeMap<String, String>> {
    let files = fs::read_dir(world.root().join("log")).unwrap().flatten();
    let mut runs: Vec<BTreeMap<String, String>> = files
        .filter(|file| file.path().extension().is_some_and(|end| end == "env"))
        .map(|file| {
            let text = fs::read(file.path()).unwrap();
            String::from_utf8_lossy(&text)
                .split('\0')
                .filter_map(|entry| entry.split_once('='))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect()
        })
        .collect();
    runs.sort_by_key(|run| run["TALLY_SEQ"].parse::<u64>().unwrap());
    runs
}

fn wait_for_runs(world: &World, count: usize) -> Vec<BTreeMap<String, String>> {
    wait_until(
        &format!("{count} runs"),
        LIMIT,
        || Some(runs(world)).filter(|runs| runs.len() >= count),
        || {
            format!(
                "{} runs; {:?}; {:?}",
                runs(world).len(),
                world.tally(&["hooks", "log"]),
                world.tally(&["hooks", "list"])
            )
        },
    )
}

/// Waits until nothing of the queue is open, and gives how many of each state there are.
fn settled(world: &World) -> BTreeMap<String, usize> {
    let states = || {
        let log = world.tally_json(&["hooks", "log", "--json"]);
        let mut states = BTreeMap::new();
        for happening in log["happenings"].as_array().unwrap() {
            let state = happening["state"].as_str().unwrap().to_owned();
            *states.entry(state).or_insert(0) += 1;
        }
        states
    };
    wait_until(
        "an empty queue",
        3 * LIMIT,
        || {
            Some(states())
                .filter(|states| !states.contains_key("waiting") && !states.contains_key("running"))
        },
        || format!("{:?}", states()),
    )
}

fn signal(pane: &Pane, words: &str) {
    pane.submit(&format!("tally signal --agent mine {words}; echo told-$?"));
    pane.wait_for_text("told-0");
    pane.submit("clear");
    pane.wait_for("a clear screen", |screen| !screen.contains("told-0"));
}

fn daemon(world: &World) -> u32 {
    let status = world.tally_json(&["daemon", "status", "--json"]);
    u32::try_from(status["pid"].as_u64().unwrap()).unwrap()
}

#[test]
fn case_j3_a_state_runs_the_command_once_with_nobody_attached() {
    a_state_runs_the_command_once(0);
}

#[test]
fn case_j3_a_state_runs_the_command_once_with_one_client() {
    a_state_runs_the_command_once(1);
}

#[test]
fn case_j3_a_state_runs_the_command_once_with_three_clients() {
    a_state_runs_the_command_once(3);
}

fn a_state_runs_the_command_once(clients: usize) {
    let world = world(&keeping(""));
    let server = TmuxServer::new(&world, "default");
    let pane = server.new_session("work", "first");
    pane.wait_for_shell();
    let _clients: Vec<Client> = (0..clients)
        .map(|_| Client::attach(&world, &server, "work"))
        .collect();
    world.expect_tally(&["up"]);
    signal(&pane, "--state working");
    signal(&pane, "--state blocked --message 'may I?'");
    let first = wait_for_runs(&world, 1);
    signal(&pane, "--state working");
    signal(&pane, "--state done");
    let runs = wait_for_runs(&world, 2);
    assert_eq!(settled(&world), BTreeMap::from([("done".to_owned(), 2)]));
    assert_eq!(runs.len(), 2);

    let told = |name: &str| first[0][name].as_str();
    let window = server.format("work", "#{window_id}");
    let project = world.project();
    let expected = [
        ("TALLY_EVENT", "after-agent-state"),
        ("TALLY_SEQ", "1"),
        ("TALLY_MUX", "tmux"),
        ("TALLY_SERVER", server.socket().to_str().unwrap()),
        ("TALLY_SESSION_ID", "work"),
        ("TALLY_WINDOW_ID", window.trim()),
        ("TALLY_WINDOW_NAME", "first"),
        ("TALLY_PANE_ID", pane.id()),
        ("TALLY_PREV_WORKSPACE", "0"),
        ("TALLY_LAYOUT", ""),
        ("TALLY_WIDTH", "0"),
        ("TALLY_HEIGHT", "0"),
        ("TALLY_AGENT_STATE", "blocked"),
        ("TALLY_AGENT_PREV_STATE", "working"),
        ("TALLY_AGENT_HARNESS", "mine"),
        ("TALLY_AGENT_MESSAGE", "may I?"),
        ("TALLY_COMMAND", ""),
        ("TALLY_EXIT_CODE", ""),
        ("TALLY_DURATION_MS", ""),
        ("TALLY_THEME", ""),
        ("TALLY_THEME_BG", ""),
        ("TALLY_THEME_LIGHT", "0"),
        ("TALLY_WORKTREE_PATH", ""),
        ("TALLY_WORKTREE_BRANCH", ""),
        ("TALLY_WORKTREE_REPO_ROOT", ""),
        ("TALLY_WORKTREE_CREATED_BRANCH", "0"),
        ("TALLY_SETTLE_REASON", ""),
        ("TALLY_CLIENT", ""),
        ("TALLY_CWD", project.to_str().unwrap()),
    ];
    for (name, value) in expected {
        assert_eq!(told(name), value, "{name}");
    }
    let index = server.format("work", "#{window_index}");
    assert_eq!(told("TALLY_WORKSPACE"), index.trim());
    assert_ne!(told("TALLY_AGENT_ID"), "");
    let json: Value = serde_json::from_str(told("TALLY_JSON")).unwrap();
    assert_eq!(json["event"], "after-agent-state");
    assert_eq!(json["agent"]["message"], "may I?");
    assert!(!first[0].contains_key("TMUX_PANE"));
    assert_eq!(runs[1]["TALLY_AGENT_STATE"], "done");
    assert_eq!(runs[1]["TALLY_AGENT_PREV_STATE"], "working");
}

#[test]
fn case_k1_the_words_of_an_agent_never_run() {
    let world = world(&keeping(""));
    let server = TmuxServer::new(&world, "default");
    let folder = world.project().join("a'b$(touch X)");
    fs::create_dir_all(&folder).unwrap();
    let pane = server.new_session("work", "first");
    pane.wait_for_shell();
    world.expect_tally(&["up"]);
    let message = r#""; do shell script "touch X'$(touch X)`touch X`\"#;
    let script = world.root().join("say");
    let quoted = message.replace('\'', r"'\''");
    fs::write(
        &script,
        format!("cd a*; tally signal --agent mine --state blocked --message '{quoted}'\n"),
    )
    .unwrap();
    pane.submit(&format!("bash {}", script.display()));
    let runs = wait_for_runs(&world, 1);
    assert_eq!(runs[0]["TALLY_AGENT_MESSAGE"], message);
    assert_eq!(settled(&world)["done"], 1);
    for place in [&folder, &world.project(), &world.home()] {
        assert!(!place.join("X").exists(), "{}", place.display());
    }
}

#[test]
fn a_daemon_that_is_killed_loses_no_run_and_repeats_none() {
    let gate = "until [ -e \"$HOME/../log/gate\" ]; do sleep 0.05; done";
    let world = world(&format!(
        "[hooks]\nafter-agent-state = ['''{gate}''', '''{KEEP}''']\n"
    ));
    let server = TmuxServer::new(&world, "default");
    let pane = server.new_session("work", "first");
    pane.wait_for_shell();
    world.expect_tally(&["up"]);
    for state in ["working", "blocked", "working", "blocked"] {
        signal(&pane, &format!("--state {state}"));
    }
    // The first one runs and the second one waits.
    let log = || world.tally_json(&["hooks", "log", "--json"]);
    let state = |index: usize| log()["happenings"][index]["state"].clone();
    wait_until(
        "one that runs and one that waits",
        LIMIT,
        || (state(0) == "running" && state(1) == "waiting").then_some(()),
        || log().to_string(),
    );
    let killed = daemon(&world);
    kill(killed);
    wait_until(
        "the daemon's end",
        LIMIT,
        || (world.tally(&["daemon", "status"]).status != 0).then_some(()),
        String::new,
    );
    // Nobody takes these up.
    for state in ["working", "done"] {
        signal(&pane, &format!("--state {state}"));
    }
    world.expect_tally(&["up"]);
    assert_ne!(daemon(&world), killed);
    world.append("log/gate", "");
    wait_for_runs(&world, 3);
    assert_eq!(settled(&world), BTreeMap::from([("done".to_owned(), 3)]));
    let states: Vec<String> = runs(&world)
        .into_iter()
        .map(|run| format!("{} {}", run["TALLY_SEQ"], run["TALLY_AGENT_STATE"]))
        .collect();
    assert_eq!(states, ["1 blocked", "2 blocked", "3 done"]);
}

#[test]
fn a_flood_waits_in_the_queue_and_the_oldest_is_dropped_and_told() {
    const TURNS: usize = 500;
    let world = world("[hooks]\nafter-agent-state = 'sleep 0.2'\n");
    let server = TmuxServer::new(&world, "default");
    let pane = server.new_session("work", "first");
    pane.wait_for_shell();
    world.expect_tally(&["up"]);
    let script = format!(
        "for i in $(seq {TURNS}); do tally signal --strict --agent mine --state working || echo no; \
         tally signal --strict --agent mine --state blocked || echo no; done; echo all-told\n"
    );
    fs::write(world.root().join("flood"), script).unwrap();
    pane.submit(&format!("bash {}/flood", world.root().display()));
    let screen = wait_until(
        "all signals",
        6 * LIMIT,
        || Some(pane.capture()).filter(|screen| screen.lines().any(|line| line == "all-told")),
        || pane.capture(),
    );
    assert!(!screen.lines().any(|line| line == "no"), "{screen}");
    settled(&world);
    let list = world.tally_json(&["hooks", "list", "--json"]);
    let hook = &list["hooks"][0];
    let (ran, dropped) = (
        hook["runs"].as_u64().unwrap(),
        hook["dropped"].as_u64().unwrap(),
    );
    assert_eq!(ran + dropped, u64::try_from(TURNS).unwrap());
    assert!(ran > 32 && dropped > 0, "{hook}");
    let log = world.expect_tally(&["hooks", "log"]);
    assert!(log.contains("done"), "{log}");
}

#[test]
fn a_command_that_fails_is_told_and_a_mistake_keeps_the_table() {
    let world = world("[hooks]\nafter-agent-state = 'echo no phone >&2; exit 7'\n");
    let server = TmuxServer::new(&world, "default");
    let pane = server.new_session("work", "first");
    pane.wait_for_shell();
    world.expect_tally(&["up"]);
    signal(&pane, "--state blocked");
    settled(&world);
    let run = || world.tally_json(&["hooks", "list", "--json"])["hooks"][0].clone();
    wait_until(
        "the run",
        LIMIT,
        || (run()["runs"] == 1).then_some(()),
        || run().to_string(),
    );
    assert_eq!(run()["last_exit"], 7);
    assert_eq!(run()["last_error"], "exit 7: no phone");
    let doctor = world.tally(&["doctor"]).stdout;
    assert!(doctor.contains("no phone"), "{doctor}");

    world.configure("[hooks]\nafter-agent-state = ['true', 7]\n");
    let check = world.tally(&["config", "check"]);
    assert_eq!(check.status, 1);
    assert!(
        check
            .stderr
            .contains("config.toml:2:30: hooks.after-agent-state"),
        "{check:?}"
    );
    std::thread::sleep(std::time::Duration::from_millis(1100));
    signal(&pane, "--state working");
    signal(&pane, "--state blocked");
    wait_until(
        "a second happening",
        LIMIT,
        || (settled(&world)["done"] == 2).then_some(()),
        || world.expect_tally(&["hooks", "log"]),
    );
}

/// The configuration under a heading of the recipes.
fn recipe(heading: &str) -> String {
    let path = tally_tests::tally::workspace().join("docs/recipes.md");
    let text = fs::read_to_string(path).unwrap();
    let section = text.split_once(&format!("## {heading}")).unwrap().1;
    let block = section.split_once("```toml\n").unwrap().1;
    block.split_once("```").unwrap().0.to_owned()
}

/// A program of this world that writes its arguments down, one a line, in place of the real one.
fn stub(world: &World, name: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let said = world.log(name);
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >> '{}'\n", said.display());
    fs::write(world.bin(name), script).unwrap();
    fs::set_permissions(world.bin(name), fs::Permissions::from_mode(0o755)).unwrap();
}

fn stub_said(world: &World, name: &str) -> String {
    wait_until(
        name,
        LIMIT,
        || {
            fs::read_to_string(world.log(name))
                .ok()
                .filter(|said| !said.is_empty())
        },
        || world.tally(&["hooks", "list"]).stdout,
    )
}

#[test]
fn the_recipes_for_a_phone_and_a_sound_do_what_they_say() {
    for (heading, program, expected) in [
        (
            "A push to your phone with ntfy",
            "curl",
            vec![
                "Title: mine: blocked",
                "work:first",
                "https://ntfy.sh/a-topic-that-nobody-guesses",
            ],
        ),
        ("A sound when an agent waits", "paplay", vec!["message.oga"]),
    ] {
        let world = world(&recipe(heading));
        stub(&world, program);
        let server = TmuxServer::new(&world, "default");
        let pane = server.new_session("work", "first");
        pane.wait_for_shell();
        world.expect_tally(&["up"]);
        signal(&pane, "--state blocked --message secret");
        let said = stub_said(&world, program);
        for words in expected {
            assert!(said.contains(words), "{said}");
        }
        assert!(!said.contains("secret"), "{said}");
        assert_eq!(settled(&world)["done"], 1);
    }
}

#[test]
fn the_recipe_for_a_tinted_window_tints_it_and_takes_the_tint_away() {
    let world = world(&recipe("A tinted window while an agent waits"));
    let server = TmuxServer::new(&world, "default");
    let pane = server.new_session("work", "first");
    pane.wait_for_shell();
    world.expect_tally(&["up"]);
    let style = || server.run(["show-options", "-wv", "-t", "work", "window-style"]);
    for (state, tint) in [("blocked", "bg=#3a1f1f"), ("working", "")] {
        signal(&pane, &format!("--state {state}"));
        wait_until(
            "the tint",
            LIMIT,
            || (style().trim() == tint).then_some(()),
            || format!("{:?} {}", style(), world.tally(&["hooks", "list"]).stdout),
        );
    }
}

#[test]
fn the_recipe_for_disk_space_runs_in_the_folder_of_the_agent_that_was_settled_once() {
    let world = world(&recipe("Free the disk space"));
    stub(&world, "cargo");
    world.write("home/project/Cargo.toml", "[package]\n");
    let server = TmuxServer::new(&world, "default");
    let pane = server.new_session("work", "first");
    pane.wait_for_shell();
    pane.submit(&format!("cd {}", world.home().join("project").display()));
    world.expect_tally(&["up"]);
    signal(&pane, "--state done");
    world.expect_tally(&["settle", "%0"]);
    assert_eq!(stub_said(&world, "cargo"), "clean\n");
    // To settle it again, to snooze it and to take it back is no news.
    for words in [
        &["settle", "%0"][..],
        &["snooze", "%0", "1h"],
        &["unsettle", "%0"],
    ] {
        world.expect_tally(words);
    }
    assert_eq!(settled(&world)["done"], 1);
}
