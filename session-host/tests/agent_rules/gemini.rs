//! Gemini CLI.

use session_core::State;

use crate::reader::{Reader, table};

#[test]
fn every_recorded_payload_means_what_it_should() {
    insta::assert_snapshot!(table("gemini"), @r#"
    AfterAgent: stop "done"
    AfterTool: tool-end {"tool":{"name":"run_shell_command"}}
    BeforeAgent: answered
    BeforeTool: tool-start {"tool":{"name":"run_shell_command"}}
    Notification.ask_user: ask {"kind":"question"} "Ask User"
    Notification.exec: ask {"kind":"permission"} "Confirm Shell Command: sleep 2; touch zz3"
    PreCompress: ignore
    SessionEnd: exit
    SessionStart: session-start
    "#);
}

#[test]
fn a_turn_goes_from_prompt_to_stop() {
    let mut gemini = Reader::new("gemini");
    for (event, state) in [
        ("SessionStart", State::Idle),
        ("BeforeAgent", State::Working),
        ("BeforeTool", State::Working),
        ("Notification.exec", State::Blocked),
        ("AfterTool", State::Working),
        ("AfterAgent", State::Done),
    ] {
        assert_eq!(gemini.hear(event), state, "{event}");
    }
    gemini.hear("BeforeAgent");
    let mut empty = gemini.fixture("AfterAgent");
    empty["prompt_response"] = "[no response text]".into();
    assert_eq!(gemini.hear_payload(&empty), State::Idle);
}
