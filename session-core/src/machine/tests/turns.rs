//! Turn ownership: who ends a turn, and who does not.

use super::play::{Play, ask, end, fail, ms, named, signal, start, stop, tool};
use crate::evidence::EvidenceSource;
use crate::{Act, ErrorKind, Event, Outcome, Phase, SignalSource, State};

#[test]
fn a_plain_turn_goes_from_idle_over_working_to_done() {
    let mut play = Play::new();
    play.at(0, Act::SessionStart)
        .at(1_000, Act::Prompt)
        .at(2_000, start("x"))
        .at(3_000, end("x"))
        .at(4_000, stop(Some(false)));
    assert_eq!(play.shown(), [State::Idle, State::Working, State::Done]);
    assert_eq!(play.session.turn.number, 1);
    assert_eq!(play.verdict(5_000).since, ms(4_000));
}

#[test]
fn case_a1_an_interrupted_turn_becomes_idle_when_it_is_quiet_and_never_done() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(1_000, start("x"))
        .at(2_000, end("x"));
    assert_eq!(play.state(11_000), State::Working);
    let verdict = play.verdict(13_000);
    assert_eq!(
        (verdict.state, verdict.reason.as_str(), verdict.source),
        (State::Idle, "quiet", EvidenceSource::Stall)
    );
    play.event(13_000, Event::Tick);
    play.at(20_000, Act::Prompt);
    assert_eq!(play.shown(), [State::Working, State::Idle, State::Working]);
    assert_eq!((play.session.turn.number, play.session.turn.queued), (2, 0));
}

#[test]
fn case_a1_output_of_the_pane_is_a_sign_of_life() {
    let mut play = Play::new();
    play.at(0, Act::Prompt);
    play.event(9_000, Event::Output(ms(9_000)));
    assert_eq!(play.state(18_000), State::Working);
    assert_eq!(play.state(19_000), State::Idle);
}

#[test]
fn case_a2_a_silent_tool_call_is_work_however_long_it_takes() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(100, start("x"));
    assert_eq!(play.state(30 * 60_000), State::Working);
    play.at(30 * 60_000, end("x"));
    assert_eq!(play.state(30 * 60_000 + 9_000), State::Working);
    assert_eq!(play.state(30 * 60_000 + 10_000), State::Idle);
}

#[test]
fn case_a3_a_stop_with_background_work_is_still_working() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(1_000, stop(Some(true)));
    assert_eq!(play.state(600_000), State::Working);
    play.at(601_000, stop(Some(false)));
    assert_eq!(play.shown(), [State::Working, State::Done]);
    assert_eq!(play.verdict(602_000).since, ms(601_000));
}

#[test]
fn case_a3_a_stop_that_says_nothing_about_background_work_is_done() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(1_000, stop(None));
    assert_eq!(play.state(1_000), State::Done);
}

#[test]
fn case_a4_a_child_that_ends_does_not_end_its_parent() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .sub(100, "a1", Act::SubagentStart)
        .sub(200, "a1", Act::SubagentEnd);
    assert_eq!(play.state(300), State::Working);
    play.sub(400, "a2", Act::SubagentStart)
        .sub(500, "a2", stop(None));
    assert_eq!(play.state(600), State::Working);
    play.at(700, stop(None));
    assert_eq!(play.shown(), [State::Working, State::Done]);
}

#[test]
fn a_stop_while_a_subagent_is_known_to_run_is_done_only_when_the_last_one_ends() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .sub(10, "a1", Act::SubagentStart)
        .sub(20, "a2", Act::SubagentStart)
        .at(30, stop(None));
    assert_eq!(play.state(40), State::Working);
    play.sub(50, "a1", Act::SubagentEnd);
    assert_eq!(play.state(60), State::Working);
    play.sub(70, "a2", Act::SubagentEnd);
    assert_eq!(play.state(80), State::Done);
}

#[test]
fn case_a12_a_failed_turn_is_an_error_until_it_goes_on() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(1_000, fail());
    let verdict = play.verdict(2_000);
    assert_eq!(
        (verdict.state, verdict.error_kind),
        (State::Error, Some(ErrorKind::RateLimit))
    );
    play.at(3_000, start("x"));
    assert_eq!(play.state(3_000), State::Working);
    assert_eq!(play.session.turn.number, 1);
    assert_eq!(play.shown(), [State::Working, State::Error, State::Working]);
}

/// A helper's request failed while the turn had a tool in flight: its end is a sign that the turn goes on.
#[test]
fn case_a12_the_end_of_a_tool_after_a_failure_is_work_again() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(500, start("x"))
        .at(1_000, fail());
    assert_eq!(play.state(2_000), State::Error);
    play.at(3_000, end("x"));
    assert_eq!(play.state(3_000), State::Working);
    assert_eq!(play.session.turn.number, 1, "the same turn");
}

#[test]
fn case_a12_fourteen_failures_of_one_kind_are_one_transition() {
    let mut play = Play::new();
    play.at(0, Act::Prompt);
    for second in 1..=14 {
        play.at(second * 1_000, fail());
    }
    assert_eq!(play.shown(), [State::Working, State::Error]);
    assert_eq!(play.verdict(20_000).since, ms(1_000));
}

#[test]
fn a_wired_stop_after_a_failure_does_not_wash_the_failure_away() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(1_000, fail())
        .at(1_001, stop(None));
    assert_eq!(play.state(1_002), State::Error);
}

#[test]
fn case_a14_a_done_that_goes_on_within_its_settle_time_never_shows() {
    let mut play = Play::new();
    let settling = Act::Stop {
        background: None,
        settle_ms: 2_000,
    };
    play.at(0, Act::Prompt)
        .at(1_000, settling.clone())
        .at(2_000, Act::Work)
        .at(3_000, settling);
    assert_eq!(play.state(4_999), State::Working);
    play.event(5_000, Event::Tick);
    assert_eq!(play.shown(), [State::Working, State::Done]);
    assert_eq!(play.verdict(5_000).since, ms(3_000));
}

/// Settling is for every act that has a settle time, not for the end of a turn alone.
#[test]
fn case_a14_blocked_working_and_blocked_again_within_the_settle_time_is_one_transition() {
    let mut play = Play::new();
    let settling = Act::Ask {
        kind: Some(crate::BlockedKind::Permission),
        tool: named(),
        heuristic: false,
        settle_ms: 2_000,
    };
    play.at(0, Act::Prompt)
        .at(500, start("x"))
        .at(1_000, settling.clone())
        .at(1_500, end("x"))
        .at(1_600, start("y"))
        .at(2_000, settling);
    assert_eq!(play.state(3_999), State::Working, "nothing has stood yet");
    play.event(4_000, Event::Tick);
    assert_eq!(play.shown(), [State::Working, State::Blocked]);
    assert_eq!(play.verdict(9_000).since, ms(2_000));
    let rows = play.journal.len();
    play.event(60_000, Event::Tick);
    assert_eq!(play.journal.len(), rows, "and it is told once");
}

#[test]
fn a_queued_prompt_never_shows_done_in_between() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(1_000, start("x"))
        .at(1_500, Act::Prompt)
        .at(2_000, end("x"))
        .at(3_000, stop(Some(false)));
    assert_eq!(play.state(3_000), State::Working);
    play.at(4_000, start("y"))
        .at(5_000, end("y"))
        .at(6_000, stop(Some(false)));
    assert_eq!(play.shown(), [State::Working, State::Done]);
    assert_eq!(play.session.turn.number, 2);
}

#[test]
fn a_queued_prompt_that_goes_to_the_model_with_a_batch_is_part_of_the_open_turn() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(1_000, start("x"))
        .at(1_500, Act::Prompt)
        .at(2_000, end("x"))
        .at(2_010, Act::BatchEnd);
    play.at(3_000, stop(Some(false)));
    assert_eq!(play.state(3_000), State::Done);
    assert_eq!(play.session.turn.number, 1);
}

#[test]
fn a_queued_prompt_that_was_taken_into_the_open_turn_is_done_once_nothing_follows() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(1_000, Act::Prompt)
        .at(2_000, stop(Some(false)));
    assert_eq!(play.state(11_999), State::Working);
    assert_eq!(play.state(12_000), State::Done);
}

#[test]
fn case_d7_the_same_report_twice_is_one() {
    let mut play = Play::new();
    play.at(0, Act::Prompt);
    play.event(
        1_000,
        Event::Signal(signal(1_000, None, stop(Some(false)), 99)),
    );
    let again = play.event(
        1_030,
        Event::Signal(signal(1_030, None, stop(Some(false)), 99)),
    );
    assert_eq!(again.outcome, Outcome::Repeated);
    assert!(again.effects.is_empty());
    assert_eq!(play.verdict(2_000).since, ms(1_000));
    play.event(2_000, Event::Tick);
    assert_eq!(play.shown(), [State::Working, State::Done]);
    let prompt = signal(3_000, None, Act::Prompt, 100);
    play.event(3_000, Event::Signal(prompt.clone()));
    play.event(
        3_030,
        Event::Signal(crate::Signal {
            at: ms(3_030),
            ..prompt
        }),
    );
    assert_eq!((play.session.turn.number, play.session.turn.queued), (2, 0));
}

#[test]
fn case_d7_the_same_question_asked_again_after_an_answer_is_a_new_block() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(100, start("x"));
    play.event(110, Event::Signal(signal(110, None, ask(named()), 7)));
    play.at(400, end("x")).at(500, start("y"));
    play.event(510, Event::Signal(signal(510, None, ask(named()), 7)));
    assert_eq!(play.state(520), State::Blocked);
}

#[test]
fn case_l1_the_start_stamp_orders_signals_whatever_order_they_arrive_in() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .signal(1_000, 1_000, None, stop(Some(false)))
        .signal(900, 1_010, None, end("x"));
    assert_eq!(play.state(1_020), State::Done);
}

#[test]
fn a_signal_from_before_what_is_settled_is_refused_and_kept_for_explain() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(60_000, start("x"))
        .at(120_000, end("x"));
    let late = play.event(
        120_001,
        Event::Signal(signal(1_000, None, stop(Some(false)), 50)),
    );
    assert!(matches!(late.outcome, Outcome::Refused(_)));
    assert_eq!(play.state(120_002), State::Working);
    assert_eq!(play.session.refused.len(), 1);
}

#[test]
fn a_clock_far_ahead_does_not_lock_out_later_signals() {
    let mut play = Play::new();
    play.signal(3_600_000, 0, None, Act::Prompt);
    play.at(1_000, stop(Some(false)));
    assert_eq!(play.state(1_000), State::Done);
}

#[test]
fn a_clock_that_is_set_back_does_not_lock_out_later_signals() {
    let mut play = Play::new();
    play.at(3_600_000, Act::Prompt);
    play.at(1_000, stop(Some(false)));
    assert_eq!(play.state(1_000), State::Done);
}

#[test]
fn an_interrupt_ends_everything_that_was_open() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(1, start("x"))
        .sub(2, "a1", ask(tool("s")))
        .at(3, Act::Interrupt);
    assert_eq!(play.state(4), State::Idle);
    assert_eq!(play.session.turn.phase, Phase::Rest { interrupted: true });
    play.at(5, Act::Prompt);
    assert_eq!((play.session.turn.number, play.session.turn.queued), (2, 0));
}

#[test]
fn a_rest_ends_an_open_turn_and_hides_no_end() {
    let mut play = Play::new();
    play.at(0, Act::Rest);
    assert_eq!(play.session.turn.phase, Phase::Silent);
    play.at(1, Act::Prompt).at(2, start("x")).at(3, Act::Rest);
    assert_eq!(play.session.turn.phase, Phase::Rest { interrupted: true });
    play.at(4, Act::Prompt).at(5, stop(None)).at(6, Act::Rest);
    assert_eq!(play.state(7), State::Done);
    let kind = ErrorKind::Server;
    play.at(8, Act::Prompt)
        .at(9, Act::Rest)
        .at(10, Act::Fail { kind })
        .at(11, Act::Rest);
    assert_eq!(play.state(12), State::Error);
}

#[test]
fn a_scripts_word_stands_until_it_says_otherwise() {
    let mut play = Play::new();
    let work = crate::Signal {
        source: SignalSource::Script,
        ..signal(0, None, Act::Work, 1)
    };
    play.event(0, Event::Signal(work));
    assert_eq!(play.state(3_600_000), State::Working);
}

#[test]
fn a_script_moves_the_state_freely() {
    let mut play = Play::new();
    let script = |play: &mut Play, at: i64, act: Act| {
        play.event(
            at,
            Event::Signal(crate::Signal {
                source: SignalSource::Script,
                ..signal(at, None, act, u64::try_from(at).unwrap())
            }),
        );
        play.state(at)
    };
    let ask = Act::Ask {
        kind: None,
        tool: crate::ToolRef::default(),
        heuristic: false,
        settle_ms: 0,
    };
    assert_eq!(script(&mut play, 10, Act::Work), State::Working);
    assert_eq!(script(&mut play, 20, ask.clone()), State::Blocked);
    assert_eq!(script(&mut play, 30, Act::Work), State::Working);
    assert_eq!(script(&mut play, 40, ask), State::Blocked);
    assert_eq!(script(&mut play, 50, stop(None)), State::Done);
    assert_eq!(script(&mut play, 60, fail()), State::Error);
    assert_eq!(script(&mut play, 70, stop(None)), State::Done);
    assert_eq!(script(&mut play, 80, Act::Interrupt), State::Idle);
    assert_eq!(script(&mut play, 90, stop(None)), State::Done);
}
