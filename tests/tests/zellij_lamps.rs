//! The lamps in the bar of a real zellij, driven by signals.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use std::time::Duration;

use tally_tests::wait::{wait_until, watch_for};
use tally_tests::zellij::ZellijDesk;
use tally_tests::{LIMIT, Lamp};

/// Longer than a finished turn must be looked at for it to count as seen.
const A_GOOD_LOOK: Duration = Duration::from_secs(4);

/// What a plugin more, and a question more, may have open in the server; a leak by each of 500 signals is beyond it.
const A_FEW: usize = 24;

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
    // It is known by the name it has, and by the one it was made with.
    for name in ["play", "work"] {
        let said = desk
            .world()
            .tally(&["explain", &format!("zellij:{name}:0")]);
        assert_eq!(said.status, 0, "{said:?}");
    }

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
    // Long enough for the person to have left before it ends.
    let work = "sleep 5; tally signal --state done --agent claude";
    terminal.submit(work);
    terminal.wait_for_text(work);
    desk.action(&["new-tab"]);
    terminal.expect(&[Lamp::Done, Lamp::None]);
    desk.action(&["go-to-tab", "1"]);
    // The bar of a tab that comes into view is the one that it had, until the plugin has painted it anew.
    terminal.expect(&[Lamp::Done, Lamp::None]);
    let is_other = |lamps: &Vec<Lamp>| *lamps != [Lamp::Done, Lamp::None];
    let changed = watch_for(A_GOOD_LOOK, || terminal.lamps(), is_other);
    assert_eq!(changed, None, "the lamp changed while it was looked at");
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
    let before = desk.descriptors();
    // What is typed goes to the question from then on, so the signals wait for a file.
    terminal.submit(&format!(
        "zellij -s work plugin --floating -- {url} & until [ -e ~/go ]; do sleep 0.1; done; \
         for i in $(seq 250); do tally signal {}; tally signal {}; done; tally signal {}",
        signal("working"),
        signal("idle"),
        signal("blocked")
    ));
    terminal
        .screen()
        .wait_for("the question", |screen| screen.contains("asks permission"));
    world.write("home/go", "");
    wait_until(
        "the last state in the list",
        LIMIT * 4,
        || (desk.listed() == [("%0".to_owned(), "blocked".to_owned())]).then_some(()),
        || format!("{:?}\n{}", desk.listed(), terminal.screen().capture()),
    );
    assert!(terminal.screen().capture().contains("asks permission"));
    // The pipe that waits behind the question is ended and begun again, and none is left over.
    assert!(desk.pipes().len() <= 2, "{:?}", desk.pipes());
    let during = desk.descriptors();
    assert!(
        during <= before + A_FEW,
        "{before} descriptors became {during}"
    );
    terminal.expect(&[Lamp::Blocked]);
    terminal.screen().press(["y"]);
    terminal.expect(&[Lamp::Blocked]);
    terminal.signal(&signal("done"));
    terminal.expect(&[Lamp::Done]);
    wait_until(
        "as many descriptors as before",
        LIMIT,
        || (desk.descriptors() <= before + A_FEW).then_some(()),
        || format!("{before} became {}", desk.descriptors()),
    );
}
