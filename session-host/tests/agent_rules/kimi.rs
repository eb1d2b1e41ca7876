//! Kimi Code.

use session_core::State;

use crate::reader::{Reader, table};

#[test]
fn every_recorded_payload_means_what_it_should() {
    insta::assert_snapshot!(table("kimi"), @r#"
    Interrupt: interrupt
    PermissionRequest: ask {"kind":"permission","tool":{"id":"call_0000","name":"Bash"}} "Running: touch zz7"
    PermissionResult: answered {"tool":{"id":"call_0000","name":"Bash"}}
    PreToolUse: tool-start {"tool":{"id":"call_0000","name":"Bash"}}
    SessionEnd: exit
    SessionStart: ignore
    Stop: stop
    StopFailure: fail {"kind":"other"} "400 stub error 400"
    UserPromptSubmit: answered
    "#);
}

#[test]
fn a_turn_goes_from_prompt_to_stop() {
    let mut kimi = Reader::new("kimi");
    for (event, state) in [
        ("UserPromptSubmit", State::Working),
        ("PreToolUse", State::Working),
        ("PermissionRequest", State::Blocked),
        ("PermissionResult", State::Working),
        ("Stop", State::Done),
        ("UserPromptSubmit", State::Working),
        ("StopFailure", State::Error),
        ("UserPromptSubmit", State::Working),
        ("Interrupt", State::Idle),
    ] {
        assert_eq!(kimi.hear(event), state, "{event}");
    }
}
