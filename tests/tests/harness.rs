//! The harness itself, on a real tmux, without any agent.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails loudly"
)]

use tally_tests::{Client, LIMIT, Lamp, LampLog, TmuxServer, World, wait_until};

/// A window's entry as the lamps of Tallylight stand in it.
const FORMAT: &str = "#I:#W#{?window_flags,#{window_flags}, } #{@lamp}";

#[test]
fn the_status_line_of_an_attached_client_is_read_as_it_is_painted() {
    let world = World::new();
    let server = TmuxServer::new(&world, "main");
    let agent = server.new_session("work", "claude");
    drop(server.new_window("work", "other"));
    for option in ["window-status-format", "window-status-current-format"] {
        server.run(["set-option", "-g", option, FORMAT]);
    }
    let client = Client::attach(&world, &server, "work");
    client.wait_for_status("the first window", |line| line.contains("0:claude*"));
    let lamps = LampLog::start(&client, "0:claude");
    let shown = || Lamp::of_window(&client.status_line(), "0:claude");
    for current in [1, 0] {
        client.go_to_window(current);
        for lamp in Lamp::ALL {
            server.run(["set-option", "-w", "-t", agent.id(), "@lamp", lamp.glyph()]);
            wait_until(
                &format!("{lamp:?}, on the screen and in the log"),
                LIMIT,
                || (shown() == Some(lamp) && lamps.lamps().last() == Some(&lamp)).then_some(()),
                || format!("{}\n{:?}", client.status_line(), lamps.lamps()),
            );
        }
    }
    let wanted = [&[Lamp::None][..], &Lamp::ALL, &Lamp::ALL].concat();
    assert_eq!(lamps.lamps(), wanted, "no lamp that was not there");
    assert!(
        client.status_line_styled().contains('\u{1b}'),
        "the styled line has its colours"
    );
}

#[test]
fn a_shell_in_a_pane_has_the_environment_of_its_world_and_no_other() {
    let mut world = World::new();
    world.set_env("OF_THIS_WORLD", "yes");
    let server = TmuxServer::new(&world, "main");
    let pane = server.new_session("work", "shell");
    pane.wait_for_shell();
    pane.submit(
        "env | cut -d= -f1 | sort | tr '\\n' ' ' > names; echo \"$HOME\" > home; echo don'e'",
    );
    pane.wait_for_text("\ndone");
    let read = |name: &str| std::fs::read_to_string(world.project().join(name)).unwrap();
    assert_eq!(read("home").trim_end(), world.home().to_str().unwrap());
    let names = read("names");
    assert!(
        names.contains("OF_THIS_WORLD") && names.contains("TMUX_PANE"),
        "{names}"
    );
    assert!(
        !names.contains("CARGO"),
        "nothing of the test's own environment: {names}"
    );
}

#[test]
fn a_world_takes_all_its_processes_with_it() {
    let world = World::new();
    let server = TmuxServer::new(&world, "main");
    let pane = server.new_session("work", "shell");
    pane.wait_for_shell();
    pane.submit("setsid sleep 300 & echo \"pid:$!:\"");
    let screen = pane.wait_for("the pid", |screen| {
        screen.lines().any(|line| line.starts_with("pid:"))
    });
    let line = screen
        .lines()
        .find(|line| line.starts_with("pid:"))
        .unwrap();
    let pid: u32 = line.split(':').nth(1).unwrap().parse().unwrap();
    let root = world.root().to_owned();
    drop(server);
    drop(world);
    let alive = || std::path::Path::new(&format!("/proc/{pid}")).exists();
    wait_until(
        "the process to end",
        LIMIT,
        || (!alive()).then_some(()),
        || format!("{pid} lives on"),
    );
    assert!(!root.exists(), "the folder goes too");
}
