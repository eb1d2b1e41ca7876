//! The main job on real input: a real Claude Code in a real tmux pane, and its state in the
//! status line of an attached client.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use std::time::{Duration, Instant};

use tally_tests::desk::tell_time;
use tally_tests::wait::{wait_until_steady, watch_for};
use tally_tests::world::kill;
use tally_tests::{ClaudeVersion, Desk, LIMIT, Lamp, wait_until};

/// Longer than a finished turn must be looked at for it to count as seen.
const A_GOOD_LOOK: Duration = Duration::from_secs(4);

/// Longer than anything that would follow at once.
const A_WHILE: Duration = Duration::from_secs(2);

#[test]
fn a_turn_is_shown_from_its_start_to_its_end() {
    whole_turn(ClaudeVersion::Current);
}

#[test]
fn a_turn_of_an_older_claude_is_shown_from_its_start_to_its_end() {
    whole_turn(ClaudeVersion::Older);
}

fn whole_turn(version: ClaudeVersion) {
    let desk = Desk::new(version);
    let seat = desk.seat(0);
    desk.expect(seat, Lamp::None);

    let claude = desk.launch(seat);
    let session = desk.expect(seat, Lamp::Idle);
    assert_eq!(session["agent"], "claude");

    claude.prompt("stub: bash sleep 3 ; bash touch made ; slow 3");
    desk.expect(seat, Lamp::Working);

    claude.wait_for_permission_dialog();
    let session = desk.expect(seat, Lamp::Blocked);
    assert_eq!(session["blocked_kind"], "permission");

    claude.accept();
    desk.expect(seat, Lamp::Working);
    let session = desk.expect(seat, Lamp::Done);
    assert_eq!(session["acknowledged"], false);

    // Looking does not put the lamp out, and passing through does not count.
    seat.client().go_to_window(0);
    let changed = watch_for(
        A_GOOD_LOOK,
        || seat.lamp(),
        |lamp| *lamp != Some(Lamp::Done),
    );
    assert_eq!(changed, None, "the lamp changed while it was looked at");
    seat.client().go_to_window(1);
    desk.expect(seat, Lamp::Idle);
}

#[test]
fn a_question_is_shown_as_blocked() {
    let desk = Desk::new(ClaudeVersion::Current);
    let seat = desk.seat(0);
    let claude = desk.launch(seat);
    claude.prompt("stub: ask ; slow 3");
    claude.wait_for_question();
    let session = desk.expect(seat, Lamp::Blocked);
    assert_eq!(session["blocked_kind"], "question");
    claude.accept();
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);
}

#[test]
fn a_failed_call_is_shown_as_an_error_with_its_kind() {
    let desk = Desk::new(ClaudeVersion::Current);
    let seat = desk.seat(0);
    let claude = desk.launch(seat);
    for (code, kind) in [(401, "auth"), (429, "rate_limit"), (500, "server")] {
        claude.prompt(&format!("stub: err {code}"));
        let error = wait_until(
            &format!("an error of the kind {kind}"),
            LIMIT,
            || Some(desk.expect(seat, Lamp::Error)).filter(|session| session["error_kind"] == kind),
            || format!("{:#?}", desk.listed(seat)),
        );
        assert_eq!(error["state"], "error");
    }
    claude.prompt("stub: text it works again");
    desk.expect(seat, Lamp::Done);
}

#[test]
fn an_interrupt_and_a_refusal_do_not_leave_the_lamp_on() {
    let desk = Desk::new(ClaudeVersion::Current);
    let seat = desk.seat(0);
    let claude = desk.launch(seat);

    claude.prompt("stub: slow 60");
    desk.expect(seat, Lamp::Working);
    claude.pane().wait_for_text("word 3");
    let pressed = Instant::now();
    claude.interrupt();
    desk.expect(seat, Lamp::Idle);
    tell_time("idle after Esc in a stream", pressed);

    claude.prompt("stub: bash sleep 20 ; text never said");
    desk.expect(seat, Lamp::Working);
    claude.pane().wait_for_text("sleep 20");
    let pressed = Instant::now();
    claude.interrupt();
    desk.expect(seat, Lamp::Idle);
    tell_time("idle after Esc in a tool", pressed);

    claude.prompt("stub: bash touch refused ; text never said");
    claude.wait_for_permission_dialog();
    desk.expect(seat, Lamp::Blocked);
    let pressed = Instant::now();
    claude.decline();
    desk.expect(seat, Lamp::Idle);
    tell_time("idle after a refused permission", pressed);

    claude.prompt("stub: ask ; text never said");
    claude.wait_for_question();
    desk.expect(seat, Lamp::Blocked);
    let pressed = Instant::now();
    claude.decline();
    desk.expect(seat, Lamp::Idle);
    tell_time("idle after a refused question", pressed);

    claude.prompt("stub: slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);
}

#[test]
fn a_queued_prompt_never_shows_done_in_between() {
    for version in [ClaudeVersion::Current, ClaudeVersion::Older] {
        let desk = Desk::new(version);
        let seat = desk.seat(0);
        let claude = desk.launch(seat);
        desk.expect(seat, Lamp::Idle);
        for (first, queued) in [
            // Waits for the end of the turn, and is a turn of its own.
            ("stub: slow 6", "stub: hang 3"),
            // Is taken into the turn when the tool ends.
            ("stub: bash sleep 6 ; text never said", "stub: slow 3"),
        ] {
            claude.prompt(first);
            desk.expect(seat, Lamp::Working);
            let lamps = seat.follow();
            claude.prompt(queued);
            desk.expect(seat, Lamp::Done);
            let answer = if queued.contains("hang") {
                "late answer"
            } else {
                "answer finished"
            };
            claude.pane().wait_for_text(answer);
            let is_done = || seat.lamp() == Some(Lamp::Done);
            wait_until_steady("the end", A_WHILE, is_done, || claude.pane().capture());
            let seen = lamps.lamps();
            assert_eq!(
                seen,
                [Lamp::Working, Lamp::Done],
                "{version:?}: {first:?}, {queued:?}"
            );
        }
    }
}

#[test]
fn a_subagents_question_is_shown_although_the_main_agent_has_stopped() {
    let desk = Desk::new(ClaudeVersion::Current);
    let seat = desk.seat(0);
    let claude = desk.launch(seat);
    desk.expect(seat, Lamp::Idle);
    let lamps = seat.follow();
    claude.prompt("stub: task <<bash touch sub | text sub done>> ; text main done");
    claude.wait_for_permission_dialog();
    claude.pane().wait_for_text("main done");
    let session = desk.expect(seat, Lamp::Blocked);
    assert_eq!(session["blocked_kind"], "permission");
    let changed = watch_for(A_WHILE, || seat.lamp(), |lamp| *lamp != Some(Lamp::Blocked));
    assert_eq!(changed, None, "the question is still open");
    claude.accept();
    desk.expect(seat, Lamp::Done);
    let is_done = || seat.lamp() == Some(Lamp::Done);
    wait_until_steady("the end", A_WHILE, is_done, || claude.pane().capture());
    let seen = lamps.lamps();
    let done = seen.iter().filter(|lamp| **lamp == Lamp::Done).count();
    assert_eq!(done, 1, "done is shown once, at the end: {seen:?}");
}

#[test]
fn a_stop_with_a_command_in_the_background_is_still_working() {
    let desk = Desk::new(ClaudeVersion::Current);
    let seat = desk.seat(0);
    let claude = desk.launch(seat);
    desk.expect(seat, Lamp::Idle);
    let lamps = seat.follow();
    claude.prompt("stub: bg sleep 5 ; text left it running");
    claude.pane().wait_for_text("left it running");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);
    assert_eq!(lamps.lamps(), [Lamp::Idle, Lamp::Working, Lamp::Done]);
}

#[test]
fn an_agent_that_leaves_or_is_killed_leaves_no_lamp() {
    let desk = Desk::new(ClaudeVersion::Current);
    let seat = desk.seat(0);

    let claude = desk.launch(seat);
    claude.prompt("stub: text said");
    desk.expect(seat, Lamp::Done);
    claude.exit();
    let left = Instant::now();
    desk.expect(seat, Lamp::None);
    tell_time("no lamp after /exit", left);

    let claude = desk.launch(seat);
    desk.expect(seat, Lamp::Idle);
    claude.prompt("stub: slow 60");
    desk.expect(seat, Lamp::Working);
    let killed = Instant::now();
    kill(claude.pid());
    desk.expect(seat, Lamp::None);
    tell_time("no lamp after kill -9", killed);
    // It had no time to tidy the screen up.
    claude.pane().submit("clear");

    let claude = desk.launch(seat);
    claude.prompt("stub: ask ; text never said");
    claude.wait_for_question();
    desk.expect(seat, Lamp::Blocked);
    seat.server().run(["kill-pane", "-t", claude.pane().id()]);
    wait_until(
        "an empty list",
        LIMIT,
        || desk.listed(seat).is_none().then_some(()),
        || format!("{:#?}", desk.listed(seat)),
    );
}

#[test]
fn agents_on_two_servers_never_mix() {
    let desk = Desk::with_servers(ClaudeVersion::Current, &["left", "right"]);
    let (left, right) = (desk.seat(0), desk.seat(1));
    assert_eq!(
        left.agent_pane().id(),
        right.agent_pane().id(),
        "the panes have the same name"
    );

    let on_the_left = desk.launch(left);
    desk.expect(left, Lamp::Idle);
    desk.expect(right, Lamp::None);
    let on_the_right = desk.launch(right);
    desk.expect(right, Lamp::Idle);

    let (left_lamps, right_lamps) = (left.follow(), right.follow());
    on_the_left.prompt("stub: bash touch left ; slow 2");
    on_the_left.wait_for_permission_dialog();
    desk.expect(left, Lamp::Blocked);
    desk.expect(right, Lamp::Idle);

    on_the_right.prompt("stub: slow 3");
    desk.expect(right, Lamp::Working);
    desk.expect(left, Lamp::Blocked);
    desk.expect(right, Lamp::Done);
    desk.expect(left, Lamp::Blocked);

    on_the_left.accept();
    desk.expect(left, Lamp::Done);
    assert!(
        !right_lamps.lamps().contains(&Lamp::Blocked),
        "the right one was never blocked"
    );
    assert_eq!(right_lamps.lamps(), [Lamp::Idle, Lamp::Working, Lamp::Done]);

    // A server that ends takes its own sessions with it, and no others.
    on_the_left.exit();
    desk.expect(left, Lamp::None);
    desk.expect(right, Lamp::Done);
    assert_eq!(left_lamps.lamps().last(), Some(&Lamp::None));
    right.server().run(["kill-server"]);
    wait_until(
        "an empty list",
        LIMIT,
        || {
            desk.world().tally_json(&["list", "--json"])["sessions"]
                .as_array()?
                .is_empty()
                .then_some(())
        },
        || desk.world().tally(&["list", "--json"]).stdout,
    );
}
