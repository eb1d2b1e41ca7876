//! Processes, panes, looking, acknowledging: what is not a signal.

use rstest::rstest;

use super::play::{Play, ask, fail, ms, named, start, stop};
use crate::evidence::EvidenceSource;
use crate::{
    Act, Corroboration, ErrorKind, Event, Exit, GoneWhy, Outcome, ProcessRef, Session, State,
};

const CLAUDE: ProcessRef = ProcessRef {
    pid: 42,
    started: 7,
};

fn working() -> Play {
    let mut play = Play::new();
    play.event(
        0,
        Event::Pane {
            pid: Some(9),
            dead: None,
        },
    );
    play.at(0, Act::Prompt).at(1, start("x"));
    play
}

#[test]
fn an_agent_that_never_signalled_is_running() {
    let mut play = Play::new();
    let agent = Some(("claude".parse().unwrap(), CLAUDE));
    play.event(
        0,
        Event::Processes {
            corroboration: Corroboration::Agent,
            agent,
        },
    );
    let verdict = play.verdict(1_000);
    assert_eq!(
        (verdict.state, verdict.source),
        (State::Running, EvidenceSource::Process)
    );
    play.at(2_000, Act::SessionStart);
    assert_eq!(play.state(2_000), State::Idle);
}

#[test]
fn case_c3_a_wrapper_in_the_foreground_does_not_overwrite_a_signal() {
    let mut play = Play::new();
    play.at(0, Act::SessionStart);
    play.event(
        300_000,
        Event::Processes {
            corroboration: Corroboration::Other,
            agent: None,
        },
    );
    let verdict = play.verdict(300_000);
    assert_eq!(
        (verdict.state, verdict.source),
        (State::Idle, EvidenceSource::Signal)
    );
}

#[test]
fn case_b10_what_would_be_idle_is_unknown_while_something_remote_holds_the_foreground() {
    let holds = |corroboration| Event::Processes {
        corroboration,
        agent: None,
    };
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(1_000, stop(None));
    play.event(20_000, holds(Corroboration::Remote));
    assert_eq!(play.state(20_000), State::Done, "still unseen");
    play.at(21_000, Act::SessionStart);
    let verdict = play.verdict(21_000);
    assert_eq!(
        (verdict.state, verdict.source),
        (State::Unknown, EvidenceSource::Signal)
    );
    assert!(verdict.reason.contains("elsewhere"), "{}", verdict.reason);
    play.event(30_000, holds(Corroboration::Shell));
    assert_eq!(play.state(30_000), State::Idle);
}

#[test]
fn a_suspended_agent_does_not_work_but_still_waits_for_an_answer() {
    let holds = |corroboration| Event::Processes {
        corroboration,
        agent: None,
    };
    let mut play = working();
    play.event(2_000, holds(Corroboration::Suspended));
    let verdict = play.verdict(2_000);
    assert_eq!(verdict.state, State::Unknown);
    assert!(verdict.reason.contains("suspended"), "{}", verdict.reason);
    play.event(3_000, holds(Corroboration::Agent));
    assert_eq!(play.state(3_000), State::Working, "brought back with fg");
    play.at(4_000, ask(named()));
    play.event(5_000, holds(Corroboration::Suspended));
    assert_eq!(play.state(5_000), State::Blocked);
}

#[test]
fn case_c4_a_killed_agent_leaves_no_state_behind() {
    let mut play = working();
    play.event(5_000, Event::AgentExited);
    assert_eq!(play.state(5_000), State::None);
    assert_eq!(play.verdict(5_000).reason, "agent exited");
    assert!(matches!(
        play.event(6_000, Event::Tick).outcome,
        Outcome::Refused(_)
    ));
}

#[test]
fn case_c4_a_respawned_pane_drops_the_old_state() {
    let mut play = working();
    play.event(
        5_000,
        Event::Pane {
            pid: Some(10),
            dead: None,
        },
    );
    assert_eq!(
        play.session.gone.map(|gone| gone.why),
        Some(GoneWhy::PaneRespawned)
    );
}

#[rstest]
#[case(Exit::Status(127), State::Error, "exited with status 127")]
#[case(Exit::Status(0), State::None, "pane's process ended")]
#[case(Exit::Signal(9), State::Error, "ended by signal 9")]
fn case_c5_a_dead_pane_tells_how_it_ended(
    #[case] exit: Exit,
    #[case] state: State,
    #[case] reason: &str,
) {
    let mut play = working();
    play.event(
        5_000,
        Event::Pane {
            pid: Some(9),
            dead: Some(exit),
        },
    );
    let verdict = play.verdict(6_000);
    assert_eq!((verdict.state, verdict.reason.as_str()), (state, reason));
    assert_eq!(
        verdict.error_kind,
        (state == State::Error).then_some(ErrorKind::Crash)
    );
}

#[test]
fn case_c5_a_dead_pane_is_told_also_when_the_missing_process_was_noticed_first() {
    let mut play = working();
    play.event(5_000, Event::AgentExited);
    play.event(
        5_010,
        Event::Pane {
            pid: Some(9),
            dead: Some(Exit::Status(127)),
        },
    );
    assert_eq!(play.state(5_020), State::Error);
}

#[rstest]
#[case(Event::Gone(GoneWhy::PaneClosed))]
#[case(Event::Gone(GoneWhy::ServerGone))]
#[case(Event::AgentExited)]
fn every_pane_gone_leaves_nothing_behind(#[case] event: Event) {
    for act in [ask(named()), stop(Some(false)), fail(), start("y")] {
        let mut play = working();
        play.at(10, act);
        play.event(20, event.clone());
        assert_eq!(play.state(30), State::None);
    }
}

#[test]
fn case_j4_passing_through_does_not_acknowledge_and_staying_does() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(1_000, stop(Some(false)));
    play.event(2_000, Event::Viewed(true));
    play.event(2_300, Event::Viewed(false));
    assert_eq!(play.state(3_000), State::Done);
    play.event(4_000, Event::Viewed(true));
    assert_eq!(play.state(20_000), State::Done);
    play.event(7_000, Event::Viewed(false));
    assert_eq!(play.state(7_000), State::Idle);
}

#[test]
fn case_j4_the_dwell_time_counts_from_when_there_was_something_to_see() {
    let mut play = Play::new();
    play.event(0, Event::Viewed(true));
    play.at(0, Act::Prompt).at(60_000, stop(Some(false)));
    play.event(60_500, Event::Viewed(false));
    assert_eq!(play.state(61_000), State::Done);
}

#[test]
fn case_j4_neither_a_block_nor_an_error_is_cleared_by_looking() {
    for (act, state) in [(ask(named()), State::Blocked), (fail(), State::Error)] {
        let mut play = working();
        play.at(10, act);
        play.event(20, Event::Viewed(true));
        play.event(60_000, Event::Viewed(false));
        play.event(60_001, Event::Acknowledge { turn: None });
        assert_eq!(play.state(60_001), state);
    }
}

#[test]
fn acknowledging_an_old_turn_does_not_clear_a_newer_one() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(1_000, stop(Some(false)))
        .at(2_000, Act::Prompt)
        .at(3_000, stop(Some(false)));
    play.event(4_000, Event::Acknowledge { turn: Some(1) });
    assert_eq!(play.state(4_000), State::Done);
    play.event(5_000, Event::Acknowledge { turn: Some(2) });
    assert_eq!(play.state(5_000), State::Idle);
    play.at(6_000, start("x")).at(7_000, stop(Some(false)));
    assert_eq!(play.state(7_000), State::Done);
}

#[test]
fn a_finished_turn_says_since_when_it_is_idle() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(1_000, stop(Some(false)));
    play.event(4_000, Event::Acknowledge { turn: None });
    assert_eq!(play.verdict(9_000).since, ms(4_000));
}

#[test]
fn a_record_survives_being_written_and_read() {
    let mut play = working();
    play.sub(10, "a1", ask(named())).at(20, Act::Prompt);
    let text = serde_json::to_string(&play.session).unwrap();
    assert_eq!(
        serde_json::from_str::<Session>(&text).unwrap(),
        play.session
    );
}
