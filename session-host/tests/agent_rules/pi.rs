//! Pi: what our extension forwarded.

use session_core::State;

use crate::reader::{Reader, table};

#[test]
fn every_recorded_payload_means_what_it_should() {
    insta::assert_snapshot!(table("pi"), @r#"
    agent_settled.aborted: interrupt
    agent_settled.error: fail {"kind":"request"} "400: {"message":"stub error 400","type":"stub_error","code":400,"status":"STUB"}"
    agent_settled.stop: stop
    agent_start: answered
    session_start: session-start
    tool_execution_end: tool-end {"tool":{"id":"call_0001","name":"bash"}}
    tool_execution_start: tool-start {"tool":{"id":"call_0001","name":"bash"}}
    ui_prompt_end: answered
    ui_prompt_start: ask {"kind":"permission"} "Run this?"
    "#);
}

/// A Pi that has heard these, and its state after the last.
fn after(events: &[&str]) -> State {
    let mut pi = Reader::new("pi");
    let mut state = pi.hear("session_start");
    for event in events {
        state = pi.hear(event);
    }
    state
}

#[test]
fn a_run_with_a_tool_and_a_dialog() {
    let asked = ["agent_start", "tool_execution_start", "ui_prompt_start"];
    assert_eq!(after(&[]), State::Idle);
    assert_eq!(after(&asked[..2]), State::Working);
    assert_eq!(after(&asked), State::Blocked);
    let answered = [&asked[..], &["ui_prompt_end", "tool_execution_end"]].concat();
    assert_eq!(after(&answered), State::Working);
    assert_eq!(
        after(&[&answered[..], &["agent_settled.stop"]].concat()),
        State::Done
    );
}

#[test]
fn case_a14_another_try_of_a_run_is_the_same_turn() {
    assert_eq!(after(&["agent_start", "agent_start"]), State::Working);
    assert_eq!(
        after(&["agent_start", "agent_start", "agent_settled.stop"]),
        State::Done
    );
}

/// `agent_end` comes before an automatic retry, a compaction and a queued prompt as well.
#[test]
fn case_a14_only_the_event_that_a_run_has_settled_ends_it() {
    let run = ["agent_start", "tool_execution_start", "tool_execution_end"];
    for last in [
        "session_start",
        "agent_start",
        "tool_execution_start",
        "tool_execution_end",
        "ui_prompt_start",
        "ui_prompt_end",
    ] {
        assert_ne!(after(&[&run[..], &[last]].concat()), State::Done, "{last}");
    }
    assert_eq!(
        after(&[&run[..], &["agent_settled.stop"]].concat()),
        State::Done
    );
    let manifest = session_host::manifests::find("pi").unwrap();
    let payload = serde_json::json!({ "event": "agent_end" });
    let reading = manifest.read(&payload, &|_| None, session_core::Time::default());
    assert_eq!((reading.rule, reading.signal), (None, None));
}

#[test]
fn an_interrupt_and_a_failure() {
    assert_eq!(
        after(&["agent_start", "agent_settled.aborted"]),
        State::Idle
    );
    assert_eq!(after(&["agent_start", "agent_settled.error"]), State::Error);
    assert_eq!(
        after(&["agent_start", "agent_settled.error", "agent_start"]),
        State::Working
    );
}
