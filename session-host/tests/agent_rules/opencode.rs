//! opencode: what the plugin forwarded, in the order in which it came.

use session_core::State;

use crate::reader::{Reader, table};

#[test]
fn every_recorded_payload_means_what_it_should() {
    insta::assert_snapshot!(table("opencode"), @r#"
    permission.asked: ask {"kind":"permission","tool":{"id":"call_0001","name":"bash"}} "bash: touch no"
    permission.asked.subagent: ask {"kind":"permission","tool":{"id":"call_0005","name":"bash"}} by ses_0002 "bash: echo sub"
    permission.replied.once.subagent: answered {"tool":{"id":"call_0005"}} by ses_0002
    permission.replied.reject: answered {"tool":{"id":"call_0001"}}
    plugin.loaded: session-start
    question.asked: ask {"kind":"question","tool":{"id":"call_0002"}} "Which colour?"
    question.rejected: answered {"tool":{"id":"call_0003"}}
    question.replied: answered {"tool":{"id":"call_0002"}}
    session.created: subagent-start by ses_0002
    session.error.APIError: fail {"kind":"request"} "stub error 400"
    session.error.MessageAbortedError: interrupt
    session.idle.after-APIError: ignore
    session.idle.after-MessageAbortedError: ignore
    session.idle.after-refused: interrupt
    session.idle: stop
    session.idle.subagent: subagent-end by ses_0002
    session.status.busy: prompt
    session.status.busy.subagent: subagent-start by ses_0002
    session.status.retry: answered
    tool.ended: tool-end {"tool":{"id":"call_0001","name":"bash"}}
    tool.ended.question: tool-end {"tool":{"id":"call_0002","name":"question"}}
    tool.ended.subagent: tool-end {"tool":{"id":"call_0005","name":"bash"}} by ses_0002
    tool.ended.task: tool-end {"tool":{"id":"call_0004","name":"task"}}
    tool.running: tool-start {"tool":{"id":"call_0001","name":"bash"}}
    tool.running.question: tool-start {"tool":{"id":"call_0002","name":"question"}}
    tool.running.subagent: tool-start {"tool":{"id":"call_0005","name":"bash"}} by ses_0002
    tool.running.task: tool-start {"tool":{"id":"call_0004","name":"task"}}
    "#);
}

/// An opencode that has heard these, and its state after the last.
fn after(events: &[&str]) -> State {
    let mut opencode = Reader::new("opencode");
    let mut state = opencode.hear("plugin.loaded");
    assert_eq!(state, State::Idle);
    for event in events {
        state = opencode.hear(event);
    }
    state
}

const BUSY: &str = "session.status.busy";

#[test]
fn a_turn_with_a_tool() {
    assert_eq!(after(&[BUSY]), State::Working);
    assert_eq!(after(&[BUSY, "tool.running", "tool.ended"]), State::Working);
    assert_eq!(
        after(&[BUSY, "tool.running", "tool.ended", "session.idle"]),
        State::Done
    );
    assert_eq!(after(&[BUSY, "session.idle", BUSY]), State::Working);
}

#[test]
fn a_permission_and_a_refusal() {
    let asked = [BUSY, "tool.running", "permission.asked"];
    assert_eq!(after(&asked), State::Blocked);
    let refused = [
        BUSY,
        "tool.running",
        "permission.asked",
        "permission.replied.reject",
        "tool.ended",
    ];
    assert_eq!(after(&refused), State::Working);
    assert_eq!(
        after(&[&refused[..], &["session.idle.after-refused"]].concat()),
        State::Idle
    );
}

#[test]
fn a_question_is_asked_before_its_tool_runs() {
    assert_eq!(
        after(&[BUSY, "question.asked", "tool.running.question"]),
        State::Blocked
    );
    assert_eq!(
        after(&[
            BUSY,
            "question.asked",
            "tool.running.question",
            "question.replied"
        ]),
        State::Working
    );
}

#[test]
fn the_idle_after_an_error_or_an_interrupt_does_not_hide_it() {
    let failed = [
        BUSY,
        "session.error.APIError",
        "session.idle.after-APIError",
    ];
    assert_eq!(after(&failed), State::Error);
    let aborted = [
        BUSY,
        "session.error.MessageAbortedError",
        "session.idle.after-MessageAbortedError",
    ];
    assert_eq!(after(&aborted), State::Idle);
    assert_eq!(after(&[BUSY, "session.status.retry"]), State::Working);
    assert_eq!(
        after(&[&failed[..], &[BUSY, "session.idle"]].concat()),
        State::Done
    );
}

#[test]
fn a_subagents_permission_blocks_and_its_end_ends_nothing_else() {
    let begun = [
        BUSY,
        "session.created",
        "tool.running.task",
        "session.status.busy.subagent",
    ];
    assert_eq!(after(&begun), State::Working);
    let asked = [&begun[..], &["permission.asked.subagent"]].concat();
    assert_eq!(after(&asked), State::Blocked);
    let ended = [
        &asked[..],
        &["permission.replied.once.subagent", "tool.ended.subagent"],
    ]
    .concat();
    assert_eq!(after(&ended), State::Working);
    let ended = [&ended[..], &["session.idle.subagent", "tool.ended.task"]].concat();
    assert_eq!(after(&ended), State::Working, "the main agent goes on");
    assert_eq!(
        after(&[&ended[..], &["session.idle"]].concat()),
        State::Done
    );
}
