//! The main job on real input in zellij: a real Claude Code in a pane, and its state in the bar that is painted.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use std::time::Duration;

use serde_json::Value;
use tally_tests::wait::watch_for;
use tally_tests::world::kill;
use tally_tests::zellij::{Terminal, ZellijDesk};
use tally_tests::{ClaudeVersion, LIMIT, Lamp, wait_until};

/// Longer than a finished turn must be looked at for it to count as seen.
const A_GOOD_LOOK: Duration = Duration::from_secs(4);

/// The one session that is listed, once it is in that state.
fn listed(desk: &ZellijDesk, terminal: &Terminal, lamp: Lamp) -> Value {
    terminal.expect(&[lamp]);
    wait_until(
        lamp.word(),
        LIMIT,
        || {
            let list = desk.world().tally_json(&["list", "--json"]);
            let sessions = list["sessions"].as_array()?;
            let one = (sessions.len() == 1).then(|| sessions[0].clone())?;
            (one["state"] == lamp.word()).then_some(one)
        },
        || desk.world().tally(&["list"]).stdout,
    )
}

#[test]
fn a_turn_is_shown_from_its_start_to_its_end_through_a_rename_and_a_detach() {
    let mut desk = ZellijDesk::with_claude(ClaudeVersion::Current);
    let terminal = desk.start();
    terminal.expect(&[Lamp::None]);

    let claude = desk.launch(&terminal);
    let session = listed(&desk, &terminal, Lamp::Idle);
    assert_eq!(session["agent"], "claude");
    assert_eq!(session["pane"]["mux"], "zellij");

    claude.prompt("stub: bash sleep 3 ; bash touch made ; slow 3");
    listed(&desk, &terminal, Lamp::Working);
    // The agent's environment keeps the old name.
    desk.rename("play");
    terminal.wait_for_bar("play");

    claude.wait_for_permission_dialog();
    let session = listed(&desk, &terminal, Lamp::Blocked);
    assert_eq!(session["blocked_kind"], "permission");
    assert_eq!(session["pane"]["mux_session"], "play");

    terminal.screen().press(["C-o", "d"]);
    assert!(terminal.has_left(), "{}", terminal.screen().capture());
    let again = desk.attach("second");
    again.expect(&[Lamp::Blocked]);
    let claude = claude.shown_in(again.screen());
    claude.wait_for_permission_dialog();

    claude.accept();
    listed(&desk, &again, Lamp::Working);
    let session = listed(&desk, &again, Lamp::Done);
    assert_eq!(session["acknowledged"], false);

    // Looking does not put the lamp out; having looked and leaving does.
    let is_other = |lamps: &Vec<Lamp>| *lamps != [Lamp::Done];
    let changed = watch_for(A_GOOD_LOOK, || again.lamps(), is_other);
    assert_eq!(changed, None, "the lamp changed while it was looked at");
    desk.action(&["new-tab"]);
    again.expect(&[Lamp::Idle, Lamp::None]);
}

#[test]
fn an_interrupt_a_refusal_and_an_end_leave_no_lamp_on() {
    let desk = ZellijDesk::with_claude(ClaudeVersion::Current);
    let terminal = desk.start();
    let claude = desk.launch(&terminal);

    claude.prompt("stub: slow 60");
    terminal.expect(&[Lamp::Working]);
    claude.pane().wait_for_text("word 3");
    claude.interrupt();
    terminal.expect(&[Lamp::Idle]);

    claude.prompt("stub: ask ; text never said");
    claude.wait_for_question();
    let session = listed(&desk, &terminal, Lamp::Blocked);
    assert_eq!(session["blocked_kind"], "question");
    claude.decline();
    terminal.expect(&[Lamp::Idle]);

    claude.prompt("stub: err 429");
    let session = listed(&desk, &terminal, Lamp::Error);
    assert_eq!(session["error_kind"], "rate_limit");

    kill(claude.pid());
    terminal.expect(&[Lamp::None]);
    assert_eq!(desk.listed(), []);
}
