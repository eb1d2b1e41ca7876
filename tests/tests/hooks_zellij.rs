//! The person's own commands, for an agent in a real zellij.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test stops at the first thing that is not as it must be"
)]

use std::fs;

use tally_tests::lamp::{ASCII_CONFIG, Lamp};
use tally_tests::zellij::ZellijDesk;
use tally_tests::{LIMIT, wait_until};

#[test]
fn a_state_runs_the_command_once_and_tells_the_pane_of_zellij() {
    let desk = ZellijDesk::new();
    let told = desk.world().log("told");
    let hook = format!("env | grep ^TALLY_ >> '{}'", told.display());
    desk.world().configure(&format!(
        "{ASCII_CONFIG}\n[hooks]\nafter-agent-state = \"\"\"{hook}\"\"\"\n"
    ));
    // The daemon that runs since the plugin was installed looks at the file once a second at most.
    desk.world().expect_tally(&["down"]);
    desk.world().expect_tally(&["up"]);
    let terminal = desk.start();
    terminal.signal("--state working --agent claude");
    terminal.expect(&[Lamp::Working]);
    terminal.signal("--state blocked --agent claude --message 'May I?'");
    terminal.expect(&[Lamp::Blocked]);
    let read = || fs::read_to_string(&told).unwrap_or_default();
    let text = wait_until(
        "the command",
        LIMIT,
        || Some(read()).filter(|text| text.contains("TALLY_JSON=")),
        || desk.world().tally(&["hooks", "log"]).stdout,
    );
    for line in [
        "TALLY_EVENT=after-agent-state",
        "TALLY_MUX=zellij",
        "TALLY_PANE_ID=%0",
        "TALLY_AGENT_HARNESS=claude",
        "TALLY_AGENT_STATE=blocked",
        "TALLY_AGENT_PREV_STATE=working",
        "TALLY_AGENT_MESSAGE=May I?",
    ] {
        assert!(text.lines().any(|told| told == line), "{line}: {text}");
    }
    terminal.signal("--state working --agent claude");
    terminal.expect(&[Lamp::Working]);
    assert_eq!(read().matches("TALLY_EVENT=").count(), 1);
}
