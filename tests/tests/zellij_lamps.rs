//! The lamps in the bar of a real zellij, driven by signals.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use std::time::Duration;

use tally_tests::wait::wait_until;
use tally_tests::zellij::ZellijDesk;
use tally_tests::{LIMIT, Lamp};

const AGENT: &str = "--agent claude";

fn signal(state: &str) -> String {
    format!("--state {state} {AGENT}")
}

#[test]
fn a_turn_is_read_off_the_bar_through_a_rename_and_a_detach() {
    let mut desk = ZellijDesk::new();
    let terminal = desk.start();
    terminal.expect(&[Lamp::None]);
    terminal.signal(&signal("idle"));
    terminal.expect(&[Lamp::Idle]);
    terminal.signal(&signal("working"));
    terminal.expect(&[Lamp::Working]);

    desk.rename("play");
    terminal.wait_for_bar("play");
    // The pane's environment still has the old name.
    terminal.signal(&format!("{} --kind permission", signal("blocked")));
    terminal.expect(&[Lamp::Blocked]);
    assert_eq!(desk.listed(), [("%0".to_owned(), "blocked".to_owned())]);

    terminal.screen().press(["C-o", "d"]);
    assert!(terminal.has_left(), "{}", terminal.screen().capture());
    let again = desk.attach("second");
    again.expect(&[Lamp::Blocked]);
    again.signal(&signal("done"));
    again.expect(&[Lamp::Done]);
    assert!(desk.pipes().len() <= 2, "{:?}", desk.pipes());
}

#[test]
fn each_tab_has_its_own_lamp_wherever_it_is_moved_to() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    terminal.signal(&signal("blocked"));
    terminal.expect(&[Lamp::Blocked]);
    for (tabs, state) in [(2, "working"), (3, "done")] {
        desk.action(&["new-tab"]);
        wait_until(
            "the tab",
            LIMIT,
            || (terminal.lamps().len() == tabs).then_some(()),
            || terminal.bar(),
        );
        terminal
            .screen()
            .wait_for("the shell", |screen| screen.contains("ready$"));
        terminal.signal(&signal(state));
    }
    terminal.expect(&[Lamp::Blocked, Lamp::Working, Lamp::Done]);
    // A new tab's bar is right at once: that of the first one was never told in between.
    desk.action(&["go-to-tab", "1"]);
    terminal.expect(&[Lamp::Blocked, Lamp::Working, Lamp::Done]);
    desk.action(&["move-tab", "right"]);
    terminal.expect(&[Lamp::Working, Lamp::Blocked, Lamp::Done]);
    desk.action(&["close-tab"]);
    terminal.expect(&[Lamp::Working, Lamp::Done]);
    wait_until(
        "two sessions in the list",
        LIMIT,
        || (desk.listed().len() == 2).then_some(()),
        || format!("{:?}", desk.listed()),
    );
}

#[test]
fn a_finished_turn_is_acknowledged_by_looking_and_leaving() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    desk.action(&["new-tab"]);
    desk.action(&["go-to-tab", "1"]);
    terminal.expect(&[Lamp::None, Lamp::None]);
    terminal.submit("sleep 2; tally signal --state done --agent claude");
    desk.action(&["go-to-tab", "2"]);
    terminal.expect(&[Lamp::Done, Lamp::None]);
    desk.action(&["go-to-tab", "1"]);
    std::thread::sleep(Duration::from_secs(4));
    assert_eq!(
        terminal.lamps(),
        [Lamp::Done, Lamp::None],
        "{}",
        terminal.bar()
    );
    desk.action(&["go-to-tab", "2"]);
    terminal.expect(&[Lamp::Idle, Lamp::None]);
}

#[test]
fn two_people_see_the_same_lamps() {
    let desk = ZellijDesk::new();
    let first = desk.start();
    let second = desk.attach("second");
    first.signal(&signal("working"));
    first.expect(&[Lamp::Working]);
    second.expect(&[Lamp::Working]);
    assert!(desk.pipes().len() <= 2, "{:?}", desk.pipes());
}

#[test]
fn a_crashed_session_leaves_nothing_and_its_successor_begins_anew() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    terminal.signal(&signal("working"));
    terminal.expect(&[Lamp::Working]);
    desk.crash();
    wait_until(
        "an empty list and no pipe",
        LIMIT,
        || (desk.listed().is_empty() && desk.pipes().is_empty()).then_some(()),
        || format!("{:?} {:?}", desk.listed(), desk.pipes()),
    );
    // The session's name and the pane's number are the same, and the agent is not.
    let again = desk.start_in("again");
    again.expect(&[Lamp::None]);
    assert_eq!(desk.listed(), []);
}

#[test]
fn a_foreign_plugin_at_its_permission_prompt_holds_up_no_state() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    terminal.signal(&signal("idle"));
    terminal.expect(&[Lamp::Idle]);
    // The same program at another place is a stranger to zellij, and asks.
    let world = desk.world();
    let foreign = world.root().join("foreign.wasm");
    std::fs::copy(
        world.home().join(".local/share/tally-dev/tally.wasm"),
        &foreign,
    )
    .unwrap();
    let url = format!("file:{}", foreign.display());
    terminal.submit(&format!("zellij -s work plugin --floating {url} & sleep 3; for i in $(seq 250); do tally signal {}; tally signal {}; done; tally signal {}", signal("working"), signal("idle"), signal("blocked")));
    wait_until(
        "the last state in the list",
        LIMIT * 4,
        || (desk.listed() == [("%0".to_owned(), "blocked".to_owned())]).then_some(()),
        || format!("{:?}\n{}", desk.listed(), terminal.screen().capture()),
    );
    assert!(desk.pipes().len() <= 2, "{:?}", desk.pipes());
    terminal.expect(&[Lamp::Blocked]);
    terminal.screen().press(["y"]);
    terminal.expect(&[Lamp::Blocked]);
}
