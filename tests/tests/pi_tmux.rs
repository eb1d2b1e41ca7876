//! A real Pi in a real tmux pane, and its state in the status line of an attached client.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use tally_tests::agents::pi::{self, Pi};
use tally_tests::{Desk, Lamp};

#[test]
fn a_run_is_shown_from_its_start_to_its_end() {
    let desk = Desk::with_agent(pi::install);
    let seat = desk.seat(0);
    desk.expect(seat, Lamp::None);

    let pi = Pi::launch(seat.agent_pane());
    let session = desk.expect(seat, Lamp::Idle);
    assert_eq!(session["agent"], "pi");

    pi.prompt("stub: bash sleep 2 ; slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);

    pi.prompt("stub: bash echo gated ; slow 2");
    pi.wait_for_dialog();
    let session = desk.expect(seat, Lamp::Blocked);
    assert_eq!(session["blocked_kind"], "permission");
    pi.confirm();
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);

    pi.prompt("stub: slow 60");
    desk.expect(seat, Lamp::Working);
    pi.pane().wait_for_text("word 3");
    pi.pane().press(["Escape"]);
    desk.expect(seat, Lamp::Idle);

    pi.prompt("stub: err 400");
    let session = desk.expect(seat, Lamp::Error);
    assert_eq!(session["error_kind"], "request");

    pi.prompt("stub: slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);

    pi.exit();
    desk.expect(seat, Lamp::None);
}
