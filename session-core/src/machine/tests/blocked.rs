//! Blocks: raised by questions, left by evidence, and by nothing else.

use super::play::{Play, ask, end, fail, ms, named, signal, start, stop, tool};
use crate::{Act, BlockedKind, Event, SignalSource, State, ToolRef};

fn asked() -> Play {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .at(100, start("x"))
        .at(150, ask(named()));
    assert_eq!(play.state(150), State::Blocked);
    play
}

#[test]
fn case_a6_a_block_is_left_when_the_tool_that_asked_ends() {
    let mut play = asked();
    play.at(5_000, end("x"));
    assert_eq!(
        play.shown(),
        [State::Working, State::Blocked, State::Working]
    );
}

#[test]
fn case_a6_a_notice_without_a_tool_is_left_when_any_tool_of_the_session_ends() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(1_000, ask(ToolRef::default()));
    assert_eq!(play.state(1_000), State::Blocked);
    play.at(2_000, end("whatever"));
    assert_eq!(play.state(2_000), State::Working);
}

#[test]
fn the_end_of_another_tool_does_not_answer_the_question() {
    let mut play = Play::new();
    let read = ToolRef {
        id: Some("r".into()),
        name: Some("Read".into()),
    };
    play.at(0, Act::Prompt)
        .at(90, Act::ToolStart { tool: read.clone() })
        .at(100, start("x"))
        .at(150, ask(named()));
    play.at(200, Act::ToolEnd { tool: read });
    assert_eq!(play.state(200), State::Blocked);
    play.at(210, start("z"));
    assert_eq!(play.state(210), State::Blocked);
    play.at(300, end("x"));
    assert_eq!(play.state(300), State::Working);
}

#[test]
fn a_script_that_is_blocked_again_is_so_by_its_newest_question() {
    let mut play = Play::new();
    let mut script = |at: i64, kind: BlockedKind, text: &str| {
        let act = Act::Ask {
            kind: Some(kind),
            tool: ToolRef::default(),
            heuristic: false,
            settle_ms: 0,
        };
        let mut said = signal(at, None, act, u64::try_from(at).unwrap());
        said.source = SignalSource::Script;
        said.message = Some(text.to_owned());
        play.event(at, Event::Signal(said));
        let verdict = play.verdict(at);
        let message = play.session.turn.blocks.first().unwrap().message.clone();
        (verdict.state, verdict.blocked_kind, message)
    };
    assert_eq!(
        script(10, BlockedKind::Permission, "May I?"),
        (
            State::Blocked,
            Some(BlockedKind::Permission),
            Some("May I?".to_owned())
        )
    );
    assert_eq!(
        script(20, BlockedKind::Question, "Which one?"),
        (
            State::Blocked,
            Some(BlockedKind::Question),
            Some("Which one?".to_owned())
        )
    );
}

#[test]
fn the_notice_that_follows_a_dialog_repeats_it() {
    let mut play = asked();
    play.at(6_500, ask(ToolRef::default()));
    assert_eq!(play.session.turn.blocks.len(), 1);
    play.at(7_000, end("x"));
    assert_eq!(play.state(7_000), State::Working);
}

#[test]
fn case_a8_a_block_is_left_neither_by_age_nor_by_being_looked_at() {
    let mut play = asked();
    play.event(1_000, Event::Viewed(true));
    play.event(60_000, Event::Viewed(false));
    assert_eq!(play.state(24 * 3_600_000), State::Blocked);
    assert_eq!(play.verdict(24 * 3_600_000).since, ms(150));
    play.at(25 * 3_600_000, Act::Interrupt);
    assert_eq!(play.state(25 * 3_600_000), State::Idle);
}

#[test]
fn a_block_is_left_by_a_batch_end_a_prompt_a_stop_a_failure_and_the_end_of_the_session() {
    for act in [
        Act::BatchEnd,
        Act::Prompt,
        stop(Some(false)),
        fail(),
        Act::Answered {
            tool: ToolRef::default(),
        },
        Act::Work,
        Act::Exit,
    ] {
        let mut play = asked();
        play.at(1_000, act.clone());
        assert_ne!(play.state(1_000), State::Blocked, "{act:?}");
    }
}

#[test]
fn case_a10_a_question_is_a_block_and_its_answer_is_work() {
    let mut play = Play::new();
    let question = ToolRef {
        id: Some("q".into()),
        name: Some("AskUserQuestion".into()),
    };
    let ask_question = |tool: ToolRef| Act::Ask {
        kind: Some(BlockedKind::Question),
        tool,
        heuristic: false,
        settle_ms: 0,
    };
    play.at(0, Act::Prompt)
        .at(100, ask_question(question.clone()));
    // Claude Code sends a PermissionRequest for the same question, without the call's id.
    play.at(
        130,
        ask_question(ToolRef {
            id: None,
            ..question.clone()
        }),
    );
    let verdict = play.verdict(200);
    assert_eq!(
        (verdict.state, verdict.blocked_kind),
        (State::Blocked, Some(BlockedKind::Question))
    );
    assert_eq!(play.session.turn.blocks.len(), 1);
    play.at(5_000, Act::ToolEnd { tool: question });
    assert_eq!(play.state(5_000), State::Working);
}

#[test]
fn a_subagent_that_asks_blocks_although_the_main_agent_stopped_just_before() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .sub(1_000, "a1", start("s"))
        .at(1_478, stop(Some(true)))
        .sub(1_484, "a1", ask(named()));
    assert_eq!(play.state(1_484), State::Blocked);
    play.sub(9_000, "a1", end("s"));
    assert_eq!(play.state(9_000), State::Working);
}

#[test]
fn a_subagent_that_asks_blocks_also_when_its_question_overtakes_the_stop() {
    let mut play = Play::new();
    play.at(0, Act::Prompt).sub(1_000, "a1", start("s"));
    play.signal(1_484, 1_490, Some("a1"), ask(named())).signal(
        1_478,
        1_495,
        None,
        stop(Some(true)),
    );
    assert_eq!(play.state(1_500), State::Blocked);
}

#[test]
fn what_the_main_agent_does_does_not_answer_a_subagent() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .sub(10, "a1", start("s"))
        .sub(20, "a1", ask(named()));
    play.at(30, start("x"))
        .at(40, end("x"))
        .at(50, Act::BatchEnd)
        .at(60, stop(Some(true)));
    play.at(70, Act::Prompt);
    assert_eq!(play.state(80), State::Blocked);
    play.sub(90, "a1", Act::SubagentEnd);
    assert_eq!(play.state(90), State::Working);
}

#[test]
fn two_questions_at_once_are_both_to_be_answered() {
    let mut play = Play::new();
    play.at(0, Act::Prompt)
        .sub(10, "a1", ask(tool("s")))
        .at(20, ask(tool("x")));
    play.at(30, end("x"));
    assert_eq!(play.state(30), State::Blocked);
    play.sub(40, "a1", end("s"));
    assert_eq!(play.state(40), State::Working);
}

#[test]
fn a_repeated_tool_start_does_not_answer_the_question_of_that_tool() {
    let mut play = asked();
    play.at(160, start("x"));
    assert_eq!(play.state(160), State::Blocked);
}

#[test]
fn a_question_answered_within_its_settle_time_never_shows() {
    let mut play = Play::new();
    let settling = Act::Ask {
        kind: Some(BlockedKind::Permission),
        tool: tool("x"),
        heuristic: false,
        settle_ms: 300,
    };
    play.at(0, Act::Prompt)
        .at(100, settling.clone())
        .at(124, Act::BatchEnd);
    play.event(1_000, Event::Tick);
    assert_eq!(play.shown(), [State::Working]);
    play.at(2_000, settling);
    assert_eq!(play.verdict(2_000).until, Some(ms(2_300)));
    play.event(2_300, Event::Tick);
    assert_eq!(play.shown(), [State::Working, State::Blocked]);
}

/// The clock of the reporter was ahead, or that of the reader was set back since.
#[test]
fn a_block_shows_to_a_clock_that_has_not_come_to_it() {
    let mut play = Play::new();
    play.at(600_000, Act::Prompt)
        .at(600_100, ask(ToolRef::default()));
    assert_eq!(play.state(0), State::Blocked);
    play.at(20, stop(None));
    assert_eq!(play.state(30), State::Done);
    assert_eq!(play.state(0), State::Done);
}

#[test]
fn a_script_with_a_right_clock_is_heard_after_one_whose_clock_was_ahead() {
    for ahead in [4_000, 60_000, 600_000] {
        let mut play = Play::new();
        let mut script = |at: i64, act: Act| {
            let mut said = signal(at, None, act, u64::try_from(at).unwrap());
            said.source = SignalSource::Script;
            play.event(at, Event::Signal(said));
            play.state(at)
        };
        assert_eq!(script(ahead, ask(ToolRef::default())), State::Blocked);
        assert_eq!(script(100, Act::Interrupt), State::Idle, "{ahead}");
    }
}
