//! Prompt marks of shells and agents (OSC 133), which are partial, doubled or lost: they say nothing about a state.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it must be"
)]

use serde_json::Value;
use tally_tests::{LIMIT, TmuxServer, World, wait_until};

#[test]
fn case_l4_prompt_marks_never_change_the_state_of_an_agent() {
    let world = World::with_tally();
    let server = TmuxServer::new(&world, "marks");
    let pane = server.new_session("work", "shell");
    assert_eq!(world.tally(&["up"]).status, 0);
    let listed = || {
        let list = world.tally_json(&["list", "--json"]);
        let session = list["sessions"].get(0)?.clone();
        // No mark tells how anything ended: an exit status that nobody gave is none, and not 0.
        assert_eq!(session["exit"], Value::Null);
        assert_eq!(session["error_kind"], Value::Null);
        Some((
            session["state"].as_str()?.to_owned(),
            session["turn"].as_u64()?,
        ))
    };
    let journal = || {
        let status = world.tally_json(&["daemon", "status", "--json"]);
        status["seq"].as_u64().unwrap()
    };
    pane.submit("tally signal --state blocked --kind question");
    let blocked = Some(("blocked".to_owned(), 1));
    wait_until(
        "the block",
        LIMIT,
        || (listed() == blocked).then_some(()),
        || pane.capture(),
    );

    let before = journal();
    // An end without an exit status, the same end again, and a prompt that was never closed.
    pane.submit(r"printf '\033]133;D\007\033]133;D\007\033]133;A\007'; echo marks were sent");
    pane.wait_for("the marks", |screen| {
        screen.lines().any(|line| line == "marks were sent")
    });
    pane.submit("tally signal --state blocked --kind question; echo a later signal was sent");
    pane.wait_for("a later signal", |screen| {
        screen.lines().any(|line| line == "a later signal was sent")
    });
    assert_eq!(listed(), blocked);
    assert_eq!(journal(), before, "no transition came of a mark");
}
