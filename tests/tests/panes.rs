//! What becomes of a state when its pane dies, is respawned, moves, or is looked at: real tmux, the real daemon.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test stops at the first thing that is not as it must be"
)]

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tally_tests::listing::{end_in, session_in, sessions, wait_for_state};
use tally_tests::{Client, LIMIT, Pane, TmuxServer, World, wait_until};

/// A server with a daemon, and a first window of no interest.
fn server(world: &World) -> TmuxServer {
    let server = TmuxServer::new(world, "default");
    drop(server.new_session("work", "first"));
    world.expect_tally(&["up"]);
    let socket = server.socket().to_str().unwrap().to_owned();
    world.expect_tally(&["tmux", "load", "--socket", &socket]);
    server
}

/// A window that runs a command, without going there.
fn window(server: &TmuxServer, name: &str, command: &str) -> Pane {
    let id = server.run([
        "new-window",
        "-d",
        "-P",
        "-F",
        "#{pane_id}",
        "-t",
        "=work:",
        "-n",
        name,
        command,
    ]);
    Pane::new((**server).clone(), id)
}

/// A command that reports a state and goes on.
fn reporting(state: &str) -> String {
    format!("tally signal --state {state} --agent mine; exec sleep 1000")
}

/// Reports a state of the session in a pane, from elsewhere.
fn report(world: &World, pane: &Pane, args: &[&str]) {
    let session = session_in(world, pane.id()).expect("a session");
    let id = session["id"].as_str().unwrap();
    world.expect_tally(&[&["signal", "--session", id], args].concat());
}

fn wait_for_end(world: &World, pane: &Pane, why: &str) {
    wait_until(
        &format!("the end of the session in {}", pane.id()),
        LIMIT,
        || (session_in(world, pane.id()).is_none()).then_some(()),
        || format!("{:#?}", sessions(world)),
    );
    assert_eq!(end_in(world, pane.id()).as_deref(), Some(why));
}

#[test]
fn case_c4_a_killed_agent_and_a_respawned_pane_leave_no_state_behind() {
    let world = World::with_tally();
    // An agent that is known by its name and tells its process.
    world.write(
        "bin/claude",
        "#!/bin/sh\nexport CLAUDE_PID=$$\necho '{\"hook_event_name\":\"UserPromptSubmit\",\"session_id\":\"s\",\"prompt\":\"x\"}' \
         | tally signal --from claude\necho $$ > \"$HOME/agent\"\nwhile :; do sleep 1; done\n",
    );
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(world.bin("claude"), executable).unwrap();
    let server = server(&world);
    let pane = server.new_window("work", "agent");
    pane.wait_for_shell();
    pane.submit("claude");
    let session = wait_for_state(&world, pane.id(), "working");
    let agent = std::fs::read_to_string(world.home().join("agent")).unwrap();
    let agent: i32 = agent.trim().parse().unwrap();
    assert_eq!(session["pid"], agent);
    kill_process(Pid::from_raw(agent).unwrap(), Signal::KILL).unwrap();
    wait_for_end(&world, &pane, "agent exited");
    let listed = world.expect_tally(&["list", "--all"]);
    assert!(listed.contains("agent exited"), "{listed}");
    assert!(pane.capture().contains("ready$"), "its shell lives on");

    let respawned = window(&server, "respawned", &reporting("blocked"));
    wait_for_state(&world, respawned.id(), "blocked");
    let before = respawned.format("#{pane_pid}");
    server.run([
        "respawn-pane",
        "-k",
        "-t",
        respawned.id(),
        "exec sleep 1000",
    ]);
    wait_for_end(&world, &respawned, "pane respawned");
    assert_ne!(respawned.format("#{pane_pid}"), before);
    // And what runs there now is a session of its own.
    server.run([
        "respawn-pane",
        "-k",
        "-t",
        respawned.id(),
        &reporting("working"),
    ]);
    wait_for_state(&world, respawned.id(), "working");
}

#[test]
fn case_c5_a_dead_pane_tells_its_status_or_its_signal() {
    let world = World::with_tally();
    let server = server(&world);
    server.run(["set-option", "-g", "remain-on-exit", "on"]);
    let dying = |name: &str, end: &str| {
        window(
            &server,
            name,
            &format!("tally signal --state working --agent mine; read -r _; {end}"),
        )
    };
    let panes = [
        dying("status", "exit 127"),
        dying("killed", "kill -9 $$"),
        dying("well", "exit 0"),
    ];
    for pane in &panes {
        wait_for_state(&world, pane.id(), "working");
        pane.press(["Enter"]);
    }
    let [status, killed, well] = &panes;
    let told = |pane: &Pane| {
        let session = wait_for_state(&world, pane.id(), "error");
        (session["error_kind"].clone(), session["exit"].clone())
    };
    assert_eq!(
        told(status),
        ("crash".into(), serde_json::json!({"status": 127}))
    );
    assert_eq!(
        told(killed),
        ("crash".into(), serde_json::json!({"signal": 9}))
    );
    wait_until(
        "no state in the pane that ended well",
        LIMIT,
        || session_in(&world, well.id()).is_none().then_some(()),
        || format!("{:#?}", sessions(&world)),
    );
}

#[test]
fn case_c7_a_dead_server_and_restored_titles_leave_no_agents() {
    let world = World::with_tally();
    let server = server(&world);
    let panes: Vec<Pane> = (0..20)
        .map(|number| window(&server, &format!("w{number}"), &reporting("working")))
        .collect();
    for pane in &panes {
        wait_for_state(&world, pane.id(), "working");
    }
    // As after a hard reset: neither a daemon nor tmux has said goodbye.
    let daemon = world.tally_json(&["daemon", "status", "--json"]);
    let daemon = i32::try_from(daemon["pid"].as_i64().unwrap()).unwrap();
    let tmux: i32 = server.format("work", "#{pid}").parse().unwrap();
    for pid in [daemon, tmux] {
        kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
    }
    let listed = || world.tally(&["list"]);
    let empty = |listed: &tally_tests::Outcome| {
        listed.stdout.is_empty()
            && listed
                .stderr
                .starts_with("No agents.\nNo tmux server is running.\n")
    };
    wait_until(
        "no agents, and no server",
        LIMIT,
        || Some(listed()).filter(empty),
        || format!("{:?}", listed()),
    );
    assert_eq!(sessions(&world), [] as [Value; 0]);

    // What restores a layout brings back names and titles, with plain shells in the panes.
    drop(server.new_session("work", "claude"));
    server.run(["select-pane", "-t", "=work:", "-T", "claude"]);
    world.expect_tally(&["up"]);
    let seen = || {
        let status = world.tally_json(&["daemon", "status", "--json"]);
        (status["servers"] == 1).then_some(())
    };
    wait_until("the server to be followed", LIMIT, seen, String::new);
    assert_eq!(sessions(&world), [] as [Value; 0]);
}

/// What shows a pane's state in its window's entry, as a client sees it.
fn entry(client: &Client, window: &str) -> String {
    let line = client.status_line();
    let (_, rest) = line.split_once(&format!(" {window}")).unwrap_or_default();
    rest.chars().take(4).collect()
}

#[test]
fn case_b7_a_pane_that_moves_takes_state_age_and_acknowledgement_to_its_new_window() {
    let world = World::with_tally();
    let server = server(&world);
    server.run(["set-option", "-g", "renumber-windows", "on"]);
    let client = Client::attach(&world, &server, "work");
    let stays = window(&server, "from", "exec sleep 1000");
    let target = window(&server, "to", "exec sleep 1000");
    let split = |command: &str| {
        let id = server.run([
            "split-window",
            "-d",
            "-P",
            "-F",
            "#{pane_id}",
            "-t",
            stays.id(),
            command,
        ]);
        Pane::new((*server).clone(), id)
    };
    let moves = split(&reporting("done"));
    wait_for_state(&world, moves.id(), "done");
    report(
        &world,
        &moves,
        &[
            "--state",
            "blocked",
            "--kind",
            "question",
            "--message",
            "Which?",
        ],
    );
    wait_for_state(&world, moves.id(), "blocked");
    let kept = || {
        let session = session_in(&world, moves.id()).unwrap();
        [
            "id",
            "state",
            "blocked_kind",
            "state_since_ms",
            "turn",
            "acknowledged",
            "message",
        ]
        .map(|field| session[field].clone())
    };
    let before = kept();
    client.wait_for_status("the lamp where it is", |line| line.contains("1:from  ◉"));
    let shows = |with: &str, without: &str| {
        client.wait_for_status("the lamp where it went", |line| {
            line.contains(&format!("{with}  ◉")) && !line.contains(&format!("{without}  ◉"))
        });
        assert_eq!(kept(), before);
    };
    server.run(["join-pane", "-d", "-s", moves.id(), "-t", target.id()]);
    shows("2:to", "1:from");
    server.run(["swap-pane", "-d", "-s", moves.id(), "-t", stays.id()]);
    shows("1:from", "2:to");
    // A window that goes gives its number to the next one.
    server.run(["break-pane", "-d", "-s", moves.id(), "-n", "alone"]);
    shows("3:alone", "2:to");
    server.run(["kill-window", "-t", target.id()]);
    client.wait_for_status("the new number", |line| {
        line.contains("alone  ◉") && !line.contains("3:alone")
    });
    assert_eq!(kept(), before);
    let place = session_in(&world, moves.id()).unwrap();
    assert_eq!(place["pane"]["window_name"], "alone");
}

#[test]
fn case_j4_only_a_long_look_acknowledges_and_no_look_answers() {
    let world = World::with_tally();
    world.configure("[timing]\ndwell_ms = 4000\n");
    let server = server(&world);
    let client = Client::attach(&world, &server, "work");
    let panes = ["done", "blocked", "error"].map(|state| window(&server, state, &reporting(state)));
    let [done, blocked, error] = &panes;
    for (pane, state) in panes.iter().zip(["done", "blocked", "error"]) {
        wait_for_state(&world, pane.id(), state);
    }
    let state = |pane: &Pane| session_in(&world, pane.id()).unwrap()["state"].clone();
    let viewed = |pane: &Pane, viewed: bool| {
        wait_until(
            &format!("{} to be viewed: {viewed}", pane.id()),
            LIMIT,
            || (session_in(&world, pane.id())?["viewed"] == viewed).then_some(()),
            || format!("{:#?}", session_in(&world, pane.id())),
        );
    };
    let pass = |pane: &Pane| {
        server.run(["select-window", "-t", pane.id()]);
        viewed(pane, true);
    };
    let away = || {
        server.run(["select-window", "-t", "=work:0"]);
    };
    // Passing through all of them, one after the other.
    for pane in &panes {
        pass(pane);
    }
    away();
    for pane in &panes {
        viewed(pane, false);
    }
    assert_eq!(panes.each_ref().map(state), ["done", "blocked", "error"]);
    // A focus hook without a pane in its hands names nobody.
    for command in ["ack", "clear"] {
        assert_ne!(world.tally(&[command, ""]).status, 0, "{command}");
    }
    assert_eq!(panes.each_ref().map(state), ["done", "blocked", "error"]);
    // Staying in each of them for longer than the dwell time, and leaving.
    for pane in &panes {
        pass(pane);
        let begun = std::time::Instant::now();
        wait_until(
            "the dwell time to pass",
            LIMIT,
            || (begun.elapsed() > Duration::from_millis(4500)).then_some(()),
            String::new,
        );
        if pane.id() == done.id() {
            assert_eq!(state(done), "done", "while it is looked at");
        }
        away();
        viewed(pane, false);
    }
    wait_for_state(&world, done.id(), "idle");
    assert_eq!([state(blocked), state(error)], ["blocked", "error"]);
    assert!(entry(&client, "2:blocked").contains('◉'));
}

#[test]
fn case_j6_a_window_shows_its_most_urgent_pane_whatever_its_neighbours_report() {
    let world = World::with_tally();
    let server = server(&world);
    let client = Client::attach(&world, &server, "work");
    let first = window(&server, "agents", &reporting("idle"));
    let beside = |command: &str| {
        let id = server.run([
            "split-window",
            "-d",
            "-P",
            "-F",
            "#{pane_id}",
            "-t",
            first.id(),
            command,
        ]);
        Pane::new((*server).clone(), id)
    };
    let (second, third) = (beside(&reporting("idle")), beside(&reporting("idle")));
    let panes = [&first, &second, &third];
    for pane in panes {
        wait_for_state(&world, pane.id(), "idle");
    }
    let window_id = first.format("#{window_id}");
    let rollup = || {
        let named = format!("tmux:default:{window_id}");
        let args = ["status", "--format", "json", "--window", &named];
        world.tally_json(&args)["rollup"].clone()
    };
    let shows = |states: [&str; 3], lamp: char, speaker: usize| {
        for (pane, state) in panes.iter().zip(states) {
            if state == "blocked" {
                let message = format!("from {}", pane.id());
                report(
                    &world,
                    pane,
                    &[
                        "--state",
                        state,
                        "--kind",
                        "question",
                        "--message",
                        &message,
                    ],
                );
            } else {
                report(&world, pane, &["--state", state]);
            }
        }
        client.wait_for_status("the lamp", |line| {
            line.contains(&format!("1:agents  {lamp}"))
        });
        let (rollup, state) = (rollup(), states[speaker]);
        let session = session_in(&world, panes[speaker].id()).unwrap();
        assert_eq!(
            (&rollup["state"], &rollup["session"]),
            (&state.into(), &session["id"])
        );
        session
    };
    shows(["done", "idle", "idle"], '✓', 0);
    let speaker = shows(["working", "blocked", "done"], '◉', 1);
    assert_eq!(speaker["message"], format!("from {}", second.id()));
    assert_eq!(speaker["agent"], "mine");
    for neighbour in ["working", "idle", "done"] {
        shows([neighbour, "blocked", neighbour], '◉', 1);
    }
    // Where nothing runs in a window there is no lamp and no state.
    for pane in panes {
        server.run(["respawn-pane", "-k", "-t", pane.id(), "exec sleep 1000"]);
    }
    client.wait_for_status("no lamp", |line| line.contains("1:agents "));
    wait_until(
        "no state of the window",
        LIMIT,
        || (rollup()["state"] == "none").then_some(()),
        || rollup().to_string(),
    );
    client.wait_for_status("no lamp", |line| {
        !"◉✗⟳✓▹◦?".chars().any(|lamp| line.contains(lamp))
    });
}
