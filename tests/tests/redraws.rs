//! What tmux and the daemon do while nothing changes, and what one change costs: real tmux, the real daemon.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test stops at the first thing that is not as it must be"
)]

use rusqlite::Connection;
use tally_tests::{Census, Client, LIMIT, Message, TmuxServer, World, wait_until};

/// The daemon's process.
fn daemon(world: &World) -> u32 {
    let status = world.tally_json(&["daemon", "status", "--json"]);
    status["pid"].as_u64().unwrap().try_into().unwrap()
}

fn pid(server: &TmuxServer, session: &str) -> u32 {
    server.format(session, "#{pid}").parse().unwrap()
}

/// The channel that wakes the daemon's follower of a server: its hooks name it.
fn channel(server: &TmuxServer) -> String {
    let end = format!("-{}", pid(server, "work"));
    let channel = || {
        let hooks = server.run(["show-hooks", "-g"]);
        let channel = hooks.split_whitespace().find(|word| word.ends_with(&end));
        channel.map(str::to_owned)
    };
    wait_until("the hooks", LIMIT, channel, || {
        server.run(["show-hooks", "-g"])
    })
}

/// Has the client draw everything anew, and waits until it has.
fn redraw(server: &TmuxServer) {
    let client = server.run(["list-clients", "-F", "#{client_tty} #{client_written}"]);
    let (tty, before) = client.split_once(' ').unwrap();
    server.run(["refresh-client", "-t", tty]);
    let written = || server.run(["list-clients", "-F", "#{client_written}"]);
    wait_until(
        "the client to be drawn",
        LIMIT,
        || (written() != before).then_some(()),
        written,
    );
}

/// All that tmux holds in options and hooks, whatever the scope.
fn all_options(server: &TmuxServer) -> String {
    [
        &["show-options", "-s"][..],
        &["show-options", "-g"],
        &["show-options", "-gw"],
        &["show-options", "-t", "=work:"],
        &["show-options", "-w", "-t", "=work:"],
        &["show-options", "-p", "-t", "=work:"],
        &["show-hooks", "-g"],
        &["show-hooks", "-gw"],
    ]
    .map(|args| {
        let shown = server.attempt(args);
        assert!(shown.status.success(), "{args:?}");
        String::from_utf8(shown.stdout).unwrap()
    })
    .join("\n")
}

/// A desk whose one agent is blocked, with its lamp in the status line of an attached client.
fn blocked(world: &World) -> (TmuxServer, Client, String) {
    let server = TmuxServer::new(world, "default");
    let pane = server.new_session("work", "agent");
    Message::remember_all(&server);
    // Nothing but changes and what the test asks for has the status line drawn.
    server.run(["set-option", "-g", "status-interval", "0"]);
    world.expect_tally(&["up"]);
    let socket = server.socket().to_str().unwrap().to_owned();
    world.expect_tally(&["tmux", "load", "--socket", &socket]);
    let client = Client::attach(world, &server, "work");
    pane.submit("tally signal --state blocked --kind question");
    client.wait_for_status("the lamp and the count", |line| {
        line.contains("0:agent* ◉") && line.contains("◉ 1 blocked")
    });
    let list = world.tally_json(&["list", "--json"]);
    let session = list["sessions"][0]["id"].as_str().unwrap().to_owned();
    (server, client, session)
}

#[test]
fn case_g1_ten_redraws_start_no_process_and_write_no_option() {
    let world = World::with_tally();
    let (server, _client, _) = blocked(&world);
    let (daemon, tmux) = (daemon(&world), pid(&server, "work"));
    let writes = || {
        let messages = Message::of(&server);
        messages.iter().filter(|message| message.writes()).count()
    };
    let (children, written) = (Census::of(tmux), writes());
    let quiet = || {
        let before = Census::of(daemon);
        for _ in 0..10 {
            redraw(&server);
        }
        assert_eq!(Census::of(tmux), children, "the server starts nothing");
        assert_eq!(writes(), written, "nobody writes an option");
        (Census::of(daemon) == before).then_some(())
    };
    // The daemon's slow look, every few seconds and whether anything is drawn or not, may fall between ten redraws.
    wait_until(
        "ten redraws at which the daemon starts nothing",
        LIMIT,
        quiet,
        || format!("{:?}", Census::of(daemon)),
    );
    let options = all_options(&server);
    assert!(options.contains("◉"), "{options}");
    assert!(!options.contains("#("), "{options}");
}

#[test]
fn case_g1_a_transition_is_one_call_and_one_redraw() {
    let world = World::with_tally();
    let (server, client, session) = blocked(&world);
    let drawn = world.log("drawn");
    let screen = client.screen();
    let pipe = format!("cat > '{}'", drawn.display());
    screen.tmux().run(["pipe-pane", "-t", screen.id(), &pipe]);
    wait_until(
        "the pipe",
        LIMIT,
        || {
            redraw(&server);
            std::fs::read_to_string(&drawn)
                .ok()?
                .contains('◉')
                .then_some(())
        },
        || screen.capture(),
    );
    let before = Message::of(&server).len();
    for (state, lamp, count) in [
        ("working", "0:agent* ⟳", "⟳ 1 working"),
        ("error", "0:agent* ✗", "✗ 1 error"),
    ] {
        world.expect_tally(&["signal", "--state", state, "--session", &session]);
        client.wait_for_status(state, |line| line.contains(lamp) && line.contains(count));
    }
    let messages = Message::of(&server).split_off(before);
    let writes = messages.iter().filter(|message| message.writes());
    let calls = Message::clients(writes);
    assert_eq!(calls.len(), 2, "a call for each of the two: {messages:#?}");
    // The second transition was drawn after everything that the first one had drawn.
    let bytes = std::fs::read(&drawn).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert_eq!(
        text.matches('⟳').count(),
        2,
        "the lamp and the count were drawn once"
    );
}

#[test]
fn case_l2_a_look_at_fifty_panes_is_one_call_and_writes_nothing_when_nothing_has_changed() {
    const PANES: usize = 50;
    const ROUNDS: usize = 5;
    let world = World::with_tally();
    let server = TmuxServer::new(&world, "default");
    drop(server.new_session("work", "first"));
    Message::remember_all(&server);
    // Without one tmux does not tell what it remembers.
    let _client = Client::attach(&world, &server, "work");
    world.expect_tally(&["up"]);
    for number in 1..=PANES {
        let script = "tally signal --state working --agent mine; exec sleep 1000";
        let name = format!("w{number}");
        server.run(["new-window", "-d", "-t", "=work:", "-n", &name, script]);
    }
    let channel = channel(&server);
    let (flavour, _) = channel.rsplit_once('-').unwrap();
    let published = || {
        let format = format!("#{{@{}_pane}}", flavour.replace('-', "_"));
        let panes = server.run(["list-panes", "-a", "-F", &format]);
        panes.lines().filter(|state| *state == "working").count()
    };
    wait_until(
        "all lamps",
        LIMIT,
        || (published() == PANES).then_some(()),
        || {
            let list = world.tally(&["list", "--all"]);
            format!(
                "{} of {PANES}\n{}\n{}",
                published(),
                list.stdout,
                list.stderr
            )
        },
    );
    let looks = || {
        let messages = Message::of(&server);
        let looks = messages
            .iter()
            .filter(|message| message.command.starts_with("list-panes"));
        looks.count()
    };
    let store = world
        .home()
        .join(format!(".local/state/{flavour}/sessions.db"));
    let store = Connection::open(store).unwrap();
    let version = || -> i64 {
        store
            .query_row("pragma data_version", [], |row| row.get(0))
            .unwrap()
    };
    let round = || {
        let before = looks();
        server.run(["wait-for", "-S", &channel]);
        wait_until(
            "a look",
            LIMIT,
            || (looks() > before).then_some(()),
            || format!("{:#?}", Message::of(&server)),
        );
    };
    let quiet = || {
        let (from, before) = (Message::of(&server).len(), version());
        for _ in 0..ROUNDS {
            round();
        }
        let messages = Message::of(&server).split_off(from);
        let of_test = |message: &&Message| {
            ["show-messages", "wait-for -S"]
                .iter()
                .any(|own| message.command.starts_with(own))
        };
        let theirs: Vec<&Message> = messages
            .iter()
            .filter(|message| !of_test(message))
            .collect();
        // The last lamp may have been lit a moment ago.
        if version() != before || theirs.iter().any(|message| message.writes()) {
            return None;
        }
        for client in Message::clients(theirs.iter().copied()) {
            let calls = theirs.iter().filter(|message| message.client == client);
            let panes = calls.filter(|message| message.command.starts_with("list-panes"));
            assert_eq!(panes.count(), 1, "one call is one look: {messages:#?}");
        }
        Some(())
    };
    wait_until("rounds without a write", LIMIT, quiet, || {
        format!("{:#?}", Message::of(&server))
    });
}
