//! A real opencode in a real tmux pane, and its state in the status line of an attached client.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use tally_tests::agents::opencode::{self, Opencode};
use tally_tests::{Desk, Lamp};

#[test]
fn a_turn_is_shown_from_its_start_to_its_end() {
    let desk = Desk::with_agent(opencode::install);
    let seat = desk.seat(0);
    desk.expect(seat, Lamp::None);

    let opencode = Opencode::launch(seat.agent_pane());
    let session = desk.expect(seat, Lamp::Idle);
    assert_eq!(session["agent"], "opencode");

    opencode.prompt("stub: bash sleep 2 ; slow 2");
    opencode.wait_for_permission_dialog();
    let session = desk.expect(seat, Lamp::Blocked);
    assert_eq!(session["blocked_kind"], "permission");
    opencode.allow();
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);

    opencode.prompt("stub: bash touch refused ; text never said");
    opencode.wait_for_permission_dialog();
    desk.expect(seat, Lamp::Blocked);
    opencode.refuse();
    desk.expect(seat, Lamp::Idle);

    opencode.prompt("stub: slow 60");
    desk.expect(seat, Lamp::Working);
    opencode.pane().wait_for_text("word 3");
    opencode.interrupt();
    desk.expect(seat, Lamp::Idle);

    // The idle that follows an error does not hide it.
    opencode.prompt("stub: err 400");
    let session = desk.expect(seat, Lamp::Error);
    assert_eq!(session["error_kind"], "request");

    opencode.prompt("stub: slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);

    opencode.exit();
    desk.expect(seat, Lamp::None);
}
