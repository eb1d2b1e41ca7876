//! What `tally explain` says of evidence that does not decide: one thing, with its figures.

use super::play::{Play, ask, named, start, stop};
use crate::evidence::EvidenceSource;
use crate::{Act, Event, Exit, RegistryStatus, SignalSource, Time, explain};

/// Why this evidence does not decide; empty where it does.
fn why(play: &Play, at: i64, source: EvidenceSource) -> String {
    let told = explain(&play.session, &play.policy, super::play::ms(at));
    let piece = told.evidence.iter().find(|piece| piece.source == source);
    let piece = piece.unwrap_or_else(|| panic!("no evidence of {source:?}: {told:?}"));
    assert_eq!(piece.used, piece.why.is_empty(), "{piece:?}");
    piece.why.clone()
}

#[test]
fn the_registry_agrees_or_is_too_old_or_contradicts_too_briefly() {
    use EvidenceSource::Registry;
    let mut play = Play::new();
    play.at(1_000, Act::Prompt).at(1_100, start("x"));
    play.registry(400, 300, RegistryStatus::Idle, None);
    assert_eq!(
        why(&play, 2_000, Registry),
        "read 0.7 s before the newest signal"
    );
    play.registry(2_000, 1_900, RegistryStatus::Working, None);
    assert_eq!(
        why(&play, 2_000, Registry),
        "does not contradict the signals, which say working"
    );
    play.registry(3_200, 3_000, RegistryStatus::Idle, None);
    assert_eq!(
        why(&play, 3_200, Registry),
        "contradicts the signals, which say working, in a reading 0.2 s after them; one 0.5 s after them counts"
    );
    play.registry(3_200, 1_000, RegistryStatus::Idle, None);
    assert_eq!(
        why(&play, 3_200, Registry),
        "contradicts the signals, which say working, in a reading 2.1 s after them; one 5 s after them counts"
    );
    play.registry(3_600, 3_000, RegistryStatus::Idle, None);
    assert_eq!(why(&play, 3_600, Registry), "");
    assert_eq!(
        why(&play, 3_600, EvidenceSource::Signal),
        "registry decides"
    );
}

#[test]
fn the_quiet_rule_waits_for_one_thing() {
    use EvidenceSource::Stall;
    let mut play = Play::new();
    play.at(0, Act::Prompt);
    assert_eq!(why(&play, 3_200, Stall), "quiet for 3.2 s of 10 s");
    play.registry(4_000, 10, RegistryStatus::Working, None);
    assert_eq!(
        why(&play, 60_000, Stall),
        "the agent's own registry says busy"
    );
    play.at(5_000, start("x"))
        .at(5_010, start("y"))
        .sub(5_020, "sub", Act::SubagentStart);
    assert_eq!(
        why(&play, 60_000, Stall),
        "in flight: 2 tool calls, 1 subagent"
    );
    play.at(6_000, ask(named()));
    assert_eq!(
        why(&play, 60_000, Stall),
        "the turn waits for the person, however long that takes"
    );

    let mut play = Play::new();
    play.at(0, Act::Work);
    play.session.turn.by = SignalSource::Script;
    assert_eq!(
        why(&play, 60_000, Stall),
        "a script's word stands until it says otherwise"
    );

    let mut play = Play::new();
    play.at(0, Act::Prompt);
    assert_eq!(why(&play, 10_000, Stall), "");
    assert_eq!(why(&play, 10_000, EvidenceSource::Signal), "stall decides");
}

#[test]
fn of_a_session_that_is_over_nothing_else_is_weighed() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .registry(700, 100, RegistryStatus::Working, None);
    play.event(
        900,
        Event::Pane {
            pid: Some(1),
            dead: Some(Exit::Signal(9)),
        },
    );
    for source in [
        EvidenceSource::Signal,
        EvidenceSource::Registry,
        EvidenceSource::Stall,
    ] {
        assert_eq!(why(&play, 1_000, source), "process decides", "{source:?}");
    }
    let told = explain(&play.session, &play.policy, Time::from_ms(i64::MAX / 2_000));
    assert!(
        told.evidence
            .iter()
            .any(|piece| piece.says == "the pane's process was ended by signal 9"),
        "{told:?}"
    );
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(10, stop(Some(false)));
    play.session.corroboration = crate::Corroboration::Agent;
    assert_eq!(
        why(&play, 60_000, EvidenceSource::Process),
        "a lower rank than signal"
    );
}
