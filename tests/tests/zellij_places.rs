//! Going to agents in zellij, and from zellij to agents in tmux.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use serde_json::Value;
use tally_tests::tmux::TmuxServer;
use tally_tests::wait::wait_until;
use tally_tests::zellij::{Terminal, ZellijDesk};
use tally_tests::{Client, LIMIT, Lamp};

/// The pane, by number, that the person is at, as the daemon has seen it.
fn viewed(desk: &ZellijDesk) -> Vec<String> {
    let list = desk.world().tally_json(&["list", "--json"]);
    let sessions = list["sessions"].as_array().cloned().unwrap_or_default();
    let of_zellij = sessions.iter().filter(|one| one["pane"]["mux"] == "zellij");
    of_zellij
        .filter(|one| one["viewed"] == true)
        .map(|one| {
            one["pane"]["pane_id"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

fn wait_for_viewed(desk: &ZellijDesk, terminal: &Terminal, pane: &str) {
    wait_until(
        &format!("{pane} to be viewed"),
        LIMIT,
        || (viewed(desk) == [pane]).then_some(()),
        || format!("{:?}\n{}", viewed(desk), terminal.screen().capture()),
    );
}

#[test]
fn focus_and_next_go_to_the_pane_and_next_passes_over_the_one_it_is_given_in() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    terminal.signal("--state blocked --agent claude");
    terminal.expect(&[Lamp::Blocked]);
    desk.action(&["new-tab"]);
    terminal.expect(&[Lamp::Blocked, Lamp::None]);
    terminal
        .screen()
        .wait_for("the shell", |screen| screen.contains("ready$"));
    terminal.signal("--state blocked --agent claude");
    terminal.expect(&[Lamp::Blocked, Lamp::Blocked]);
    wait_for_viewed(&desk, &terminal, "%1");

    desk.world().expect_tally(&["focus", "zellij:work:0"]);
    wait_for_viewed(&desk, &terminal, "%0");
    // zellij refuses to go where one is; to be there is what was wanted.
    desk.world().expect_tally(&["focus", "zellij:work:0"]);
    // The first one is the most urgent, and the person is there.
    terminal.submit("tally next");
    wait_for_viewed(&desk, &terminal, "%1");
    terminal.submit("tally next");
    wait_for_viewed(&desk, &terminal, "%0");

    let explained = desk.world().tally(&["explain", "zellij:work:1"]);
    assert_eq!(explained.status, 0, "{explained:?}");
    assert!(explained.stdout.contains("blocked"), "{explained:?}");
}

#[test]
fn focus_goes_to_the_pane_when_a_scripts_order_was_the_last_that_zellij_heard() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    terminal.signal("--state blocked --agent claude");
    terminal.expect(&[Lamp::Blocked]);
    let other = desk.attach("other");
    other.expect(&[Lamp::Blocked]);
    terminal.screen().press(["C-o", "d"]);
    wait_until(
        "one client",
        LIMIT,
        || terminal.has_left().then_some(()),
        || terminal.screen().capture(),
    );
    desk.action(&["new-tab"]);
    // No key is pressed by the one who is left.
    desk.world().expect_tally(&["focus", "zellij:work:0"]);
    wait_for_viewed(&desk, &other, "%0");
}

#[test]
fn the_list_shows_all_servers_and_a_choice_in_it_goes_to_a_pane_of_tmux() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    let tmux = TmuxServer::new(desk.world(), "default");
    let first = tmux.new_session("desk", "first");
    let second = tmux.new_window("desk", "second");
    let client = Client::attach(desk.world(), &tmux, "desk");
    second.wait_for_shell();
    second.submit("tally signal --state blocked --agent claude --message 'May I?'");
    client.go_to_window(0);
    terminal.signal("--state working --agent claude");
    terminal.expect(&[Lamp::Working]);

    let list = desk.world().tally_json(&["list", "--json"]);
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let sessions = list["sessions"].as_array().unwrap();
    let places: Vec<_> = sessions
        .iter()
        .map(|one| (word(&one["pane"]["mux"]), word(&one["state"])))
        .collect();
    let expected = [("tmux", "blocked"), ("zellij", "working")];
    assert_eq!(
        places,
        expected.map(|(mux, state)| (mux.to_owned(), state.to_owned()))
    );
    terminal
        .screen()
        .wait_for("the machine's counts", |screen| {
            let bar = screen.lines().next().unwrap_or_default();
            bar.contains("all") && bar.contains("!1")
        });

    desk.open_list();
    terminal.screen().wait_for("the list", |screen| {
        screen.contains("tmux desk: second") && screen.contains("Enter go")
    });
    terminal
        .screen()
        .wait_for("what it asks", |screen| screen.contains("May I?"));
    terminal.screen().press(["Escape"]);
    terminal
        .screen()
        .wait_for("no list", |screen| !screen.contains("Enter go"));
    desk.open_list();
    terminal
        .screen()
        .wait_for("the list", |screen| screen.contains("Enter go"));
    terminal.screen().press(["Enter"]);
    wait_until(
        "the window of the blocked agent",
        LIMIT,
        || (second.format("#{window_active}") == "1").then_some(()),
        || format!("{}\n{}", first.capture(), terminal.screen().capture()),
    );
}

#[test]
fn the_doctor_and_the_status_tell_which_sessions_have_the_plugin() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    let plain = desk.terminal("plain", "zellij -s plain");
    plain
        .screen()
        .wait_for("the shell", |screen| screen.contains("ready$"));
    let told = || {
        let status = desk.world().tally_json(&["zellij", "status", "--json"]);
        let servers = status["servers"].as_array().cloned().unwrap_or_default();
        let mut told: Vec<String> = servers
            .iter()
            .map(|one| format!("{} {}", one["socket"], one["loaded"]))
            .collect();
        told.sort();
        told
    };
    let expected = [r#""plain" "absent""#, r#""work" "loaded""#];
    wait_until(
        "what each session has",
        LIMIT,
        || (told() == expected).then_some(()),
        || format!("{:?}\n{}", told(), terminal.screen().capture()),
    );
    let doctor = desk.world().tally(&["doctor"]).stdout;
    for line in [
        "zellij session work: has the plugin",
        "zellij session plain: does not have the plugin",
    ] {
        assert!(doctor.contains(line), "{doctor}");
    }
}

#[test]
fn a_key_opens_the_picker_in_a_floating_pane_and_a_choice_in_it_goes_to_the_tab_or_to_tmux() {
    let desk = ZellijDesk::new();
    let config = desk.world().home().join(".config/zellij/config.kdl");
    let plugin = desk.plugin_url();
    let plugin = plugin.trim_start_matches("file:");
    let install = ["zellij", "install", "--keys", "--plugin", plugin];
    desk.world().expect_tally(&install);
    let text = std::fs::read_to_string(&config).unwrap();
    assert!(text.contains("bind \"Alt a\""), "{text}");
    let terminal = desk.start();
    terminal.signal("--state blocked --agent claude --message 'Which colour?'");
    terminal.expect(&[Lamp::Blocked]);
    desk.action(&["new-tab"]);
    terminal.expect(&[Lamp::Blocked, Lamp::None]);
    terminal.screen().press(["M-a"]);
    terminal
        .screen()
        .wait_for_text("claude waits for you: Which colour?");
    terminal.screen().press(["Enter"]);
    wait_for_viewed(&desk, &terminal, "%0");

    let tmux = TmuxServer::new(desk.world(), "default");
    let first = tmux.new_session("desk", "first");
    let second = tmux.new_window("desk", "second");
    let client = Client::attach(desk.world(), &tmux, "desk");
    second.wait_for_shell();
    second.submit("tally signal --state blocked --agent codex");
    client.go_to_window(0);
    terminal.screen().press(["M-a"]);
    terminal.screen().wait_for_text("2 blocked");
    terminal.screen().press(["Down", "Enter"]);
    wait_until(
        "the window of the blocked agent",
        LIMIT,
        || (second.format("#{window_active}") == "1").then_some(()),
        || format!("{}\n{}", first.capture(), terminal.screen().capture()),
    );
    desk.world().expect_tally(&["zellij", "uninstall"]);
    let text = std::fs::read_to_string(&config).unwrap();
    assert!(!text.contains("tally"), "{text}");
}
