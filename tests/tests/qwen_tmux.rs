//! A real Qwen Code in a real tmux pane, and its state in the status line of an attached client.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use tally_tests::agents::qwen::{self, Qwen};
use tally_tests::{Desk, Lamp};

#[test]
fn a_turn_is_shown_from_its_start_to_its_end() {
    let desk = Desk::with_agent(qwen::install);
    let seat = desk.seat(0);
    desk.expect(seat, Lamp::None);

    let qwen = Qwen::launch(seat.agent_pane());
    let session = desk.expect(seat, Lamp::Idle);
    assert_eq!(session["agent"], "qwen");

    qwen.prompt("stub: bash touch made ; slow 2");
    qwen.wait_for_permission_dialog();
    let session = desk.expect(seat, Lamp::Blocked);
    assert_eq!(session["blocked_kind"], "permission");
    qwen.allow();
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);

    qwen.prompt("stub: bash touch refused ; text never said");
    qwen.wait_for_permission_dialog();
    desk.expect(seat, Lamp::Blocked);
    qwen.refuse();
    desk.expect(seat, Lamp::Idle);

    qwen.prompt("stub: slow 60");
    desk.expect(seat, Lamp::Working);
    qwen.pane().wait_for_text("word 3");
    qwen.pane().press(["Escape"]);
    desk.expect(seat, Lamp::Idle);
    qwen.empty_box();

    qwen.prompt("stub: err 400");
    let session = desk.expect(seat, Lamp::Error);
    assert_eq!(session["error_kind"], "request");

    qwen.prompt("stub: slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);

    qwen.exit();
    desk.expect(seat, Lamp::None);
}
