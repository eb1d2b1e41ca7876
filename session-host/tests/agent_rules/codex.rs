//! Codex.

use session_core::State;

use crate::reader::{Reader, table};

#[test]
fn every_recorded_payload_means_what_it_should() {
    insta::assert_snapshot!(table("codex"), @r#"
    Interrupt: interrupt
    PermissionRequest: ask {"kind":"permission","tool":{"name":"Bash"}} "Bash: touch /etc/example"
    PermissionRequest.subagent: ask {"kind":"permission","tool":{"name":"Bash"}} by 00000000-0000-4000-8000-000000000003 "Bash: touch /etc/example"
    PostToolUse: tool-end {"tool":{"id":"call_111_0","name":"Bash"}}
    PostToolUse.request_user_input: tool-end {"tool":{"id":"call_2_0","name":"request_user_input"}}
    PostToolUse.spawn_agent: tool-end {"tool":{"id":"call_1_0","name":"spawn_agent"}}
    PostToolUse.subagent: tool-end {"tool":{"id":"call_3_0","name":"Bash"}} by 00000000-0000-4000-8000-000000000003
    PreToolUse: tool-start {"tool":{"id":"call_111_0","name":"Bash"}}
    PreToolUse.request_user_input: ask {"kind":"question","tool":{"id":"call_138_0","name":"request_user_input"}} "Which colour?"
    PreToolUse.spawn_agent: tool-start {"tool":{"id":"call_1_0","name":"spawn_agent"}}
    PreToolUse.subagent: tool-start {"tool":{"id":"call_3_0","name":"Bash"}} by 00000000-0000-4000-8000-000000000003
    SessionStart.clear: session-start
    SessionStart.compact: ignore
    SessionStart.resume: session-start
    SessionStart.startup: session-start
    Stop: stop "all done"
    SubagentStart: subagent-start by 00000000-0000-4000-8000-000000000003
    SubagentStop: subagent-end by 00000000-0000-4000-8000-000000000003
    UserPromptSubmit: answered
    UserPromptSubmit.subagent: answered by 00000000-0000-4000-8000-000000000003
    "#);
}

#[test]
fn a_turn_with_a_permission() {
    let mut codex = Reader::new("codex");
    assert_eq!(codex.hear("SessionStart.startup"), State::Idle);
    assert_eq!(codex.hear("UserPromptSubmit"), State::Working);
    assert_eq!(codex.hear("PreToolUse"), State::Working);
    assert_eq!(codex.hear("PermissionRequest"), State::Blocked);
    assert_eq!(codex.hear("PostToolUse"), State::Working);
    assert_eq!(codex.hear("Stop"), State::Done);
}

#[test]
fn a_refusal_is_an_interrupt() {
    let mut codex = Reader::new("codex");
    for event in ["UserPromptSubmit", "PreToolUse", "PermissionRequest"] {
        codex.hear(event);
    }
    assert_eq!(codex.hear("Interrupt"), State::Idle);
    assert_eq!(codex.hear("UserPromptSubmit"), State::Working);
    assert_eq!(codex.hear("Stop"), State::Done);
}

#[test]
fn a_prompt_that_steers_the_open_turn_does_not_wait_behind_it() {
    let mut codex = Reader::new("codex");
    codex.hear("UserPromptSubmit");
    assert_eq!(codex.hear("UserPromptSubmit"), State::Working);
    assert_eq!(codex.hear("Stop"), State::Done);
}

#[test]
fn a_question_waits_until_it_is_answered() {
    let mut codex = Reader::new("codex");
    codex.hear("UserPromptSubmit");
    assert_eq!(codex.hear("PreToolUse.request_user_input"), State::Blocked);
    assert_eq!(
        codex.hear("PreToolUse"),
        State::Blocked,
        "another call answers nothing"
    );
    let mut answer = codex.fixture("PostToolUse.request_user_input");
    answer["tool_use_id"] = codex.fixture("PreToolUse.request_user_input")["tool_use_id"].clone();
    assert_eq!(codex.hear_payload(&answer), State::Working);
}

#[test]
fn a_subagents_question_outlives_the_stop_of_the_main_agent() {
    let mut codex = Reader::new("codex");
    for event in [
        "UserPromptSubmit",
        "SubagentStart",
        "UserPromptSubmit.subagent",
    ] {
        codex.hear(event);
    }
    assert_eq!(codex.hear("Stop"), State::Working, "the subagent works");
    codex.hear("PreToolUse.subagent");
    assert_eq!(codex.hear("PermissionRequest.subagent"), State::Blocked);
    assert_eq!(codex.hear("PostToolUse.subagent"), State::Working);
    assert_eq!(codex.hear("SubagentStop"), State::Done);
}

#[test]
fn compaction_in_the_middle_of_a_turn_says_nothing() {
    let mut codex = Reader::new("codex");
    codex.hear("UserPromptSubmit");
    assert_eq!(codex.hear("SessionStart.compact"), State::Working);
}
