//! Qwen Code.

use session_core::State;

use crate::reader::{Reader, table};

#[test]
fn every_recorded_payload_means_what_it_should() {
    insta::assert_snapshot!(table("qwen"), @r#"
    Notification.idle_prompt: rest
    Notification.idle_prompt.subagent: ignore
    Notification.permission_prompt: ignore
    PermissionRequest.agent: ask {"kind":"permission","tool":{"name":"agent"}} "agent: d"
    PermissionRequest.ask_user_question: ask {"kind":"question","tool":{"name":"ask_user_question"}} "Which colour?"
    PermissionRequest: ask {"kind":"permission","tool":{"name":"run_shell_command"}} "run_shell_command: touch zz1"
    PermissionRequest.subagent: ask {"kind":"permission","settle_ms":500,"tool":{"name":"run_shell_command"}} by general-purpose-call_4 "run_shell_command: touch zz3"
    PostToolBatch: batch-end
    PostToolBatch.subagent: batch-end by general-purpose-call_4
    PostToolUse.agent: tool-end {"tool":{"id":"toolu_3","name":"agent"}}
    PostToolUse.ask_user_question: tool-end {"tool":{"id":"toolu_6","name":"ask_user_question"}}
    PostToolUse: tool-end {"tool":{"id":"toolu_1","name":"run_shell_command"}}
    PreToolUse.agent: tool-start {"tool":{"id":"toolu_3","name":"agent"}}
    PreToolUse.ask_user_question: tool-start {"tool":{"id":"toolu_6","name":"ask_user_question"}}
    PreToolUse: tool-start {"tool":{"id":"toolu_1","name":"run_shell_command"}}
    SessionEnd.prompt_input_exit: exit
    SessionStart.startup: session-start
    Stop.background: stop {"background":true} "done"
    Stop: stop "stub reply"
    StopFailure.invalid_request: fail {"kind":"request"} "[API Error: 400 stub error 400]"
    SubagentStart: subagent-start by general-purpose-call_4
    SubagentStop: subagent-end by general-purpose-call_4
    UserPromptSubmit.after_tools: answered
    UserPromptSubmit: answered
    "#);
}

/// A Qwen Code that has heard these, and its state after the last.
fn after(events: &[&str]) -> State {
    let mut qwen = Reader::new("qwen");
    let mut state = qwen.hear("SessionStart.startup");
    for event in events {
        state = qwen.hear(event);
    }
    state
}

const PROMPT: &str = "UserPromptSubmit";
const ASKED: [&str; 3] = [
    PROMPT,
    "PermissionRequest",
    "Notification.permission_prompt",
];
const REST: &str = "Notification.idle_prompt";

#[test]
fn a_turn_with_a_permission() {
    assert_eq!(after(&[REST]), State::Idle);
    assert_eq!(after(&[PROMPT]), State::Working);
    assert_eq!(after(&ASKED), State::Blocked);
    let allowed = [&ASKED[..], &["PreToolUse", "PostToolUse"]].concat();
    assert_eq!(after(&allowed), State::Working);
    let more = [
        &allowed[..],
        &["PostToolBatch", "UserPromptSubmit.after_tools"],
    ]
    .concat();
    assert_eq!(after(&more), State::Working);
    assert_eq!(after(&[&more[..], &["Stop", REST]].concat()), State::Done);
}

#[test]
fn a_refusal_and_an_interrupt_are_idle() {
    assert_eq!(
        after(&[&ASKED[..], &["PostToolBatch", REST]].concat()),
        State::Idle
    );
    assert_eq!(after(&[PROMPT, REST]), State::Idle);
    assert_eq!(after(&[PROMPT, REST, PROMPT, "Stop"]), State::Done);
}

#[test]
fn a_failure_comes_after_the_rest() {
    let failed = [PROMPT, REST, "StopFailure.invalid_request"];
    assert_eq!(after(&failed), State::Error);
}

#[test]
fn a_question_waits_until_it_is_answered() {
    let asked = [
        PROMPT,
        "PermissionRequest.ask_user_question",
        "Notification.permission_prompt",
    ];
    assert_eq!(after(&asked), State::Blocked);
    let answered = [&asked[..], &["PreToolUse.ask_user_question"]].concat();
    assert_eq!(after(&answered), State::Working);
}

#[test]
fn a_subagent_in_the_background_keeps_the_lamp_working() {
    let begun = [
        PROMPT,
        "PreToolUse.agent",
        "SubagentStart",
        "PostToolUse.agent",
        "Stop.background",
    ];
    assert_eq!(after(&begun), State::Working);
    let rests = [
        &begun[..],
        &["SubagentStop", "Notification.idle_prompt.subagent"],
    ]
    .concat();
    assert_eq!(after(&rests), State::Working);
    assert_eq!(after(&[&rests[..], &["Stop"]].concat()), State::Done);
}
