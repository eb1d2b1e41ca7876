//! The agent's own registry against its signals: the first exception of the rank table.

use super::play::{Play, ask, end, ms, named, start, stop};
use crate::evidence::EvidenceSource;
use crate::{Act, BlockedKind, Event, RegistryStatus, State};

#[test]
fn an_interrupt_that_fires_no_hook_shows_within_the_grace_time() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(100, start("x"));
    play.registry(5_100, 5_000, RegistryStatus::Idle, None);
    assert_eq!(play.state(5_100), State::Working);
    assert_eq!(play.verdict(5_100).until, Some(ms(5_500)));
    play.registry(5_500, 5_000, RegistryStatus::Idle, None);
    let verdict = play.verdict(5_500);
    assert_eq!(
        (verdict.state, verdict.source),
        (State::Idle, EvidenceSource::Registry)
    );
    play.at(9_000, Act::Prompt);
    assert_eq!(
        (
            play.state(9_000),
            play.session.turn.number,
            play.session.turn.queued
        ),
        (State::Working, 2, 0)
    );
}

#[test]
fn a_declined_dialog_shows_within_the_grace_time() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(100, start("x"))
        .at(150, ask(named()));
    play.registry(8_000, 7_900, RegistryStatus::Idle, None)
        .registry(8_400, 7_900, RegistryStatus::Idle, None);
    assert_eq!(play.state(8_400), State::Idle);
}

#[test]
fn an_old_reading_never_contradicts_a_newer_signal() {
    let mut play = Play::new();
    play.at(0, Act::SessionStart);
    play.registry(100, 50, RegistryStatus::Idle, None).registry(
        700,
        50,
        RegistryStatus::Idle,
        None,
    );
    play.at(60_000, Act::Prompt);
    assert_eq!(play.state(69_000), State::Working);
}

#[test]
fn a_registry_that_waits_for_our_own_hook_is_late_and_not_right() {
    let mut play = Play::new();
    play.at(0, Act::SessionStart);
    play.registry(100, 50, RegistryStatus::Idle, None);
    play.at(60_000, Act::Prompt);
    play.registry(61_000, 50, RegistryStatus::Idle, None);
    assert_eq!(play.state(61_000), State::Working);
    play.registry(65_000, 50, RegistryStatus::Idle, None);
    assert_eq!(play.state(65_000), State::Idle);
}

#[test]
fn a_permission_that_the_registry_saw_answered_is_work() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(100, start("x"))
        .at(150, ask(named()));
    play.registry(4_000, 3_900, RegistryStatus::Working, None)
        .registry(4_400, 3_900, RegistryStatus::Working, None);
    assert_eq!(play.state(4_400), State::Working);
    play.at(9_000, end("x")).at(9_100, stop(Some(false)));
    assert_eq!(play.state(9_100), State::Done);
}

#[test]
fn a_dialog_that_fired_no_hook_is_seen_by_the_registry() {
    let mut play = Play::new();
    play.at(0, Act::Prompt);
    let kind = Some(BlockedKind::Permission);
    play.registry(2_000, 1_900, RegistryStatus::Blocked, kind)
        .registry(2_400, 1_900, RegistryStatus::Blocked, kind);
    let verdict = play.verdict(2_400);
    assert_eq!(
        (verdict.state, verdict.blocked_kind, verdict.since),
        (State::Blocked, kind, ms(1_900))
    );
    play.registry(3_000, 2_990, RegistryStatus::Working, None);
    assert_eq!(play.state(3_000), State::Working);
}

#[test]
fn a_busy_registry_suspends_the_quiet_rule() {
    let mut play = Play::new();
    play.at(0, Act::Prompt);
    play.registry(200, 100, RegistryStatus::Working, None);
    assert_eq!(play.state(600_000), State::Working);
}

#[test]
fn a_queued_prompt_that_was_taken_into_the_open_turn_is_done_when_the_registry_is_idle() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(1_000, Act::Prompt)
        .at(2_000, stop(Some(false)));
    play.registry(2_100, 2_050, RegistryStatus::Idle, None)
        .registry(2_550, 2_050, RegistryStatus::Idle, None);
    play.event(2_551, Event::Tick);
    assert_eq!(play.shown(), [State::Working, State::Done]);
    play.at(9_000, Act::Prompt);
    assert_eq!(
        (play.state(9_000), play.session.turn.queued),
        (State::Working, 0)
    );
}

#[test]
fn a_turn_that_the_registry_saw_begin_behind_a_stop_is_work() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(1_000, stop(Some(false)));
    play.registry(1_100, 1_050, RegistryStatus::Working, None)
        .registry(1_550, 1_050, RegistryStatus::Working, None);
    assert_eq!(play.state(1_550), State::Working);
    play.at(5_000, stop(Some(false)));
    assert_eq!(play.state(5_000), State::Done);
}

#[test]
fn an_error_or_a_done_stands_beside_an_idle_registry() {
    for act in [stop(Some(false)), super::play::fail()] {
        let mut play = Play::new();
        play.at(0, Act::Prompt).at(1_000, act);
        let before = play.state(1_000);
        play.registry(9_000, 1_100, RegistryStatus::Idle, None);
        assert_eq!(play.state(9_000), before);
    }
}

#[test]
fn a_shell_in_the_background_is_no_contradiction() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(1_000, stop(Some(true)));
    play.registry(9_000, 1_100, RegistryStatus::Background, None);
    assert_eq!(play.state(9_000), State::Working);
}

#[test]
fn background_work_that_died_unheard_leaves_a_finished_turn() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(1_000, stop(Some(true)));
    play.registry(9_000, 8_000, RegistryStatus::Idle, None);
    assert_eq!(play.state(9_000), State::Done);
}
