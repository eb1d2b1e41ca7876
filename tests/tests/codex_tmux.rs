//! A real Codex in a real tmux pane, and its state in the status line of an attached client.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use std::fs;

use tally_tests::agents::codex::{self, Codex};
use tally_tests::{Desk, Lamp};

/// A shell call that Codex may only make with an approval.
const ASKS: &str = r#"tool exec_command {"cmd":"touch made","sandbox_permissions":"require_escalated","justification":"the stub wants it"}"#;

#[test]
fn a_turn_is_shown_from_its_start_to_its_end_once_the_hooks_are_trusted() {
    let desk = Desk::with_agent(codex::install);
    let seat = desk.seat(0);
    desk.expect(seat, Lamp::None);

    let codex = Codex::launch(seat.agent_pane());
    codex.trust_hooks();
    // Codex says nothing before the first prompt.
    let session = desk.expect(seat, Lamp::Running);
    assert_eq!(session["agent"], "codex");

    codex.prompt("stub: bash sleep 2 ; slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);

    codex.prompt(&format!("stub: {ASKS} ; slow 2"));
    codex.wait_for_approval_dialog();
    let session = desk.expect(seat, Lamp::Blocked);
    assert_eq!(session["blocked_kind"], "permission");
    codex.approve();
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);

    codex.prompt(&format!("stub: {ASKS} ; text never said"));
    codex.wait_for_approval_dialog();
    desk.expect(seat, Lamp::Blocked);
    codex.decline();
    desk.expect(seat, Lamp::Idle);

    codex.prompt("stub: slow 60");
    desk.expect(seat, Lamp::Working);
    codex.pane().wait_for_text("word 3");
    codex.pane().press(["Escape"]);
    desk.expect(seat, Lamp::Idle);

    codex.exit();
    desk.expect(seat, Lamp::None);

    // The answer is kept, so that the next launch asks nothing.
    let codex = Codex::launch(seat.agent_pane());
    assert!(!codex.asks_about_hooks(), "{}", codex.pane().capture());
    codex.prompt("stub: slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);
    let config = fs::read_to_string(desk.world().home().join(".codex/config.toml")).unwrap();
    assert!(
        !config.contains("tally"),
        "only Codex wrote there: {config}"
    );
}
