//! The rules of `extensions/claude` against payloads that Claude Code really sent, and the turns they add up to.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use std::fs;
use std::path::{Path, PathBuf};

use rstest::rstest;
use serde_json::{Value, json};
use session_core::manifest::{Manifest, RegistrySpec, parse_payload};
use session_core::{
    Act, BlockedKind, Effect, ErrorKind, Event, MachineId, Outcome, Policy, RegistryReport,
    RegistryStatus, Session, SessionId, Signal, State, Time, apply, derive,
};
use session_host::manifests;

fn claude() -> Manifest {
    manifests::find("claude").unwrap()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../extensions/claude/fixtures")
}

fn fixture(name: &str) -> Value {
    parse_payload(&fs::read(folder().join(format!("{name}.json"))).unwrap()).unwrap()
}

/// The hook's environment in a terminal.
fn terminal(name: &str) -> Option<String> {
    let value = match name {
        "CLAUDE_CODE_ENTRYPOINT" => "cli",
        "CLAUDE_PID" => "1187",
        _ => return None,
    };
    Some(value.to_owned())
}

/// The same in 2.1.197, which does not say its process id.
fn older(name: &str) -> Option<String> {
    terminal(name).filter(|_| name != "CLAUDE_PID")
}

/// The hook's environment of `claude -p` and of the SDKs.
fn headless(name: &str) -> Option<String> {
    (name == "CLAUDE_CODE_ENTRYPOINT").then(|| "sdk-cli".to_owned())
}

fn read(payload: &Value) -> Option<Signal> {
    claude().read(payload, &terminal, Time::default()).signal
}

fn shown(payload: &Value) -> String {
    let reading = claude().read(payload, &terminal, Time::default());
    if reading.rule.is_none() {
        return "no rule".to_owned();
    }
    let Some(signal) = reading.signal else {
        return "ignore".to_owned();
    };
    let mut act = serde_json::to_value(&signal.act).unwrap();
    let fields = act.as_object_mut().unwrap();
    let mut line = fields.remove("act").unwrap().as_str().unwrap().to_owned();
    fields.retain(|name, value| {
        let default = if name == "background" {
            Value::Null
        } else {
            json!(false)
        };
        ![default, json!(0), json!({})].contains(value)
    });
    if !fields.is_empty() {
        line.push_str(&format!(" {act}"));
    }
    if let Some(actor) = signal.actor {
        line.push_str(&format!(" by {actor}"));
    }
    if let Some(message) = signal.message {
        line.push_str(&format!(" \"{message}\""));
    }
    line
}

#[test]
fn every_recorded_payload_means_what_it_should() {
    let mut names: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| {
            Some(
                entry
                    .unwrap()
                    .file_name()
                    .to_str()?
                    .strip_suffix(".json")?
                    .to_owned(),
            )
        })
        .collect();
    names.sort();
    let table: String = names
        .iter()
        .map(|name| format!("{name}: {}\n", shown(&fixture(name))))
        .collect();
    insta::assert_snapshot!(table, @r#"
    MessageDisplay: no rule
    Notification.agent_needs_input: ask {"kind":"question"} "Auto mode can't check actions in this session and needs your choice"
    Notification.idle_prompt: ignore
    Notification.permission_prompt: ask {"kind":"permission"} "Claude needs your permission"
    PermissionRequest: ask {"kind":"permission","tool":{"name":"Bash"}} "Bash: touch /home/u/proj/x1"
    PermissionRequest.AskUserQuestion: ask {"kind":"question","tool":{"name":"AskUserQuestion"}} "Which colour?"
    PermissionRequest.subagent: ask {"kind":"permission","tool":{"name":"Bash"}} by a0000000000000001 "Bash: touch /home/u/proj/s1"
    PostCompact.auto: no rule
    PostCompact.manual: no rule
    PostToolBatch: batch-end
    PostToolBatch.subagent: batch-end by a0000000000000001
    PostToolUse: tool-end {"tool":{"id":"toolu_3_0","name":"Bash"}}
    PostToolUse.Agent: tool-end {"tool":{"id":"toolu_33_0","name":"Agent"}}
    PostToolUse.AskUserQuestion: tool-end {"tool":{"id":"toolu_15_0","name":"AskUserQuestion"}}
    PostToolUse.subagent: tool-end {"tool":{"id":"toolu_35_0","name":"Bash"}} by a0000000000000001
    PostToolUseFailure: tool-end {"tool":{"id":"toolu_55_0","name":"Bash"}}
    PreCompact.auto: no rule
    PreCompact.manual: no rule
    PreToolUse: tool-start {"tool":{"id":"toolu_3_0","name":"Bash"}}
    PreToolUse.Agent: tool-start {"tool":{"id":"toolu_33_0","name":"Agent"}}
    PreToolUse.AskUserQuestion: ask {"kind":"question","tool":{"id":"toolu_15_0","name":"AskUserQuestion"}} "Which colour?"
    PreToolUse.subagent: tool-start {"tool":{"id":"toolu_35_0","name":"Bash"}} by a0000000000000001
    SessionEnd.clear: ignore
    SessionEnd.other: exit
    SessionEnd.prompt_input_exit: exit
    SessionStart.clear: session-start
    SessionStart.compact: ignore
    SessionStart.resume: session-start
    SessionStart.startup: session-start
    Stop: stop {"background":false} "all done"
    Stop.background_shell: stop {"background":true} "launched"
    Stop.background_subagent: stop {"background":true} "main done"
    StopFailure.authentication_failed: fail {"kind":"auth"} "Please run /login · API Error: 401 stub error 401"
    StopFailure.rate_limit: fail {"kind":"rate_limit"} "API Error: Request rejected (429) · stub error 429"
    StopFailure.server_error: fail {"kind":"server"} "API Error: 500 stub error 500. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:PORT)."
    StopFailure.unknown: fail {"kind":"other"} "API Error: 400 stub error 400"
    SubagentStart: subagent-start by a0000000000000001
    SubagentStop: subagent-end by a0000000000000001
    UserPromptSubmit: prompt
    UserPromptSubmit.task_notification: resume
    "#);
}

/// What was not recorded, in the shapes that the facts give.
#[rstest]
#[case(json!({"hook_event_name": "SessionStart"}), "session-start")]
#[case(json!({"hook_event_name": "SessionStart", "source": "fork"}), "session-start")]
#[case(json!({"hook_event_name": "SessionStart", "source": "news"}), "ignore")]
#[case(json!({"hook_event_name": "SessionEnd", "reason": "resume"}), "ignore")]
#[case(json!({"hook_event_name": "SessionEnd", "reason": "logout"}), "exit")]
#[case(json!({"hook_event_name": "SessionEnd"}), "exit")]
#[case(
    json!({"hook_event_name": "PreToolUse", "tool_name": "ExitPlanMode", "tool_use_id": "t", "tool_input": {"plan": "1. do\n2. it"}}),
    r#"ask {"kind":"question","tool":{"id":"t","name":"ExitPlanMode"}} "approve the plan: 1. do 2. it""#
)]
#[case(
    json!({"hook_event_name": "PermissionRequest", "tool_name": "Edit", "tool_input": {"file_path": "/p/a.rs"}}),
    r#"ask {"kind":"permission","tool":{"name":"Edit"}} "Edit: /p/a.rs""#
)]
#[case(
    json!({"hook_event_name": "PermissionRequest", "tool_name": "mcp__x__y", "tool_input": {}}),
    r#"ask {"kind":"permission","tool":{"name":"mcp__x__y"}} "mcp__x__y""#
)]
#[case(
    json!({"hook_event_name": "Notification", "notification_type": "worker_permission_prompt", "message": "m"}),
    r#"ask {"kind":"permission"} "m""#
)]
#[case(
    json!({"hook_event_name": "Notification", "notification_type": "elicitation_dialog", "message": "m"}),
    r#"ask {"kind":"question"} "m""#
)]
#[case(json!({"hook_event_name": "Notification", "notification_type": "auth_success", "message": "needs permission"}), "ignore")]
#[case(json!({"hook_event_name": "NewEvent"}), "no rule")]
#[case(json!({}), "no rule")]
#[case(json!([1, 2]), "no rule")]
#[case(json!(null), "no rule")]
fn every_other_payload_means_what_it_should(#[case] payload: Value, #[case] meaning: &str) {
    assert_eq!(shown(&payload), meaning);
}

#[rstest]
#[case("PreToolUse")]
#[case("PostToolUse")]
#[case("PostToolBatch")]
#[case("SubagentStop")]
fn the_helper_that_compacts_says_nothing(#[case] event: &str) {
    for kind in [json!(""), Value::Null] {
        let payload = json!({"hook_event_name": event, "agent_id": "a1", "agent_type": kind, "tool_name": "Read"});
        assert_eq!(shown(&payload), "ignore");
    }
}

#[test]
fn nobody_is_asked_in_headless_mode() {
    for name in [
        "PermissionRequest",
        "PermissionRequest.AskUserQuestion",
        "Notification.permission_prompt",
    ] {
        assert_eq!(
            claude()
                .read(&fixture(name), &headless, Time::default())
                .signal,
            None,
            "{name}"
        );
    }
    let question = claude().read(
        &fixture("PreToolUse.AskUserQuestion"),
        &headless,
        Time::default(),
    );
    assert!(matches!(
        question.signal.unwrap().act,
        Act::ToolStart { .. }
    ));
}

#[test]
fn a_stop_of_an_older_version_is_held_back_for_the_prompt_that_may_follow() {
    let settle = |env: &dyn Fn(&str) -> Option<String>| match claude()
        .read(&fixture("Stop"), env, Time::default())
        .signal
        .unwrap()
        .act
    {
        Act::Stop {
            settle_ms,
            background: Some(false),
        } => settle_ms,
        act => panic!("{act:?}"),
    };
    assert_eq!((settle(&terminal), settle(&older)), (0, 300));
}

#[rstest]
#[case("authentication_failed", ErrorKind::Auth)]
#[case("oauth_org_not_allowed", ErrorKind::Auth)]
#[case("account_on_hold", ErrorKind::Billing)]
#[case("verification_required", ErrorKind::Auth)]
#[case("billing_error", ErrorKind::Billing)]
#[case("rate_limit", ErrorKind::RateLimit)]
#[case("overloaded", ErrorKind::Server)]
#[case("invalid_request", ErrorKind::Request)]
#[case("model_not_found", ErrorKind::Request)]
#[case("server_error", ErrorKind::Server)]
#[case("unknown", ErrorKind::Other)]
#[case("max_output_tokens", ErrorKind::Request)]
#[case("cloud_credential_error", ErrorKind::Auth)]
#[case("a_new_word", ErrorKind::Other)]
fn every_word_for_a_failure_has_a_kind(#[case] word: &str, #[case] kind: ErrorKind) {
    let signal = read(&json!({"hook_event_name": "StopFailure", "error": word})).unwrap();
    assert_eq!(signal.act, Act::Fail { kind });
    assert_eq!(signal.message.as_deref(), Some(word));
}

/// Case D2, checked on 2.1.197 and 2.1.332: what SessionStart and UserPromptSubmit print goes into the conversation.
#[test]
fn case_d2_no_event_of_claude_code_wants_a_byte_on_stdout() {
    assert!(claude().contract.stdout.is_empty());
}

#[test]
fn only_events_that_every_verified_version_knows_are_wired() {
    // An unknown name stops the start of Claude Code at a dialog.
    let known = [
        "Notification",
        "PermissionRequest",
        "PostToolBatch",
        "PostToolUse",
        "PostToolUseFailure",
        "PreToolUse",
        "SessionEnd",
        "SessionStart",
        "Stop",
        "StopFailure",
        "SubagentStop",
        "UserPromptSubmit",
    ];
    let settings: Value =
        serde_json::from_str(manifests::payload("claude", "settings.json").unwrap()).unwrap();
    let hooks = settings["hooks"].as_object().unwrap();
    assert_eq!(hooks.keys().collect::<Vec<_>>(), known);
    for (event, groups) in hooks {
        let hook = json!({"type": "command", "command": "{command}", "timeout": claude().contract.timeout_s});
        assert_eq!(groups, &json!([{"hooks": [hook]}]), "{event}");
        assert!(
            claude()
                .rules
                .iter()
                .any(|rule| rule.events.contains(event)),
            "{event}"
        );
    }
}

#[rstest]
#[case("busy", None, Some((RegistryStatus::Working, None)))]
#[case("shell", None, Some((RegistryStatus::Background, None)))]
#[case("idle", None, Some((RegistryStatus::Idle, None)))]
#[case("waiting", Some("permission prompt"), Some((RegistryStatus::Blocked, Some(BlockedKind::Permission))))]
#[case("waiting", Some("input needed"), Some((RegistryStatus::Blocked, Some(BlockedKind::Question))))]
#[case("waiting", Some("dialog open"), None)]
#[case("waiting", None, None)]
#[case("news", None, None)]
fn the_registry_says_what_it_should(
    #[case] status: &str,
    #[case] waiting: Option<&str>,
    #[case] says: Option<(RegistryStatus, Option<BlockedKind>)>,
) {
    let mut file = fixture("registry/waiting");
    file["status"] = json!(status);
    file["waitingFor"] = json!(waiting);
    let spec: RegistrySpec = claude().registry.unwrap();
    let read = Time::from_ms(1_800_000_000_000);
    let at = Time::from_ms(1_700_000_001_000);
    let report = spec.read(&file, read);
    assert_eq!(
        report,
        says.map(|(status, kind)| RegistryReport {
            status,
            kind,
            at,
            read
        })
    );
}

/// A session that is told payloads at times.
struct Turn {
    session: Session,
    transitions: Vec<State>,
    at: i64,
}

impl Turn {
    fn new() -> Self {
        let id: SessionId = "01890000-0000-7000-8000-000000000001".parse().unwrap();
        let session = Session::new(id, MachineId("m".to_owned()), None, Time::default());
        Self {
            session,
            transitions: Vec::new(),
            at: 0,
        }
    }

    /// Tells one payload, two seconds after the one before.
    fn tell(&mut self, payload: &Value) -> &mut Self {
        self.at += 2_000;
        let now = Time::from_ms(self.at);
        if let Some(signal) = claude().read(payload, &terminal, now).signal {
            let applied = apply(
                &mut self.session,
                Event::Signal(signal),
                &Policy::default(),
                now,
            );
            assert_eq!(applied.outcome, Outcome::Taken);
            self.transitions
                .extend(applied.effects.iter().filter_map(|effect| match effect {
                    Effect::Journal(transition) => Some(transition.to),
                    Effect::Ended(_) => None,
                }));
        }
        self
    }

    fn play(&mut self, names: &[&str]) -> &mut Self {
        for name in names {
            self.tell(&fixture(name));
        }
        self
    }

    fn state(&self) -> State {
        derive(&self.session, &Policy::default(), Time::from_ms(self.at)).state
    }
}

#[test]
fn case_a3_a_stop_with_background_work_is_no_end() {
    for (stop, state) in [
        (json!([{"status": "running"}]), State::Working),
        (json!([{"status": "paused"}]), State::Done),
        (json!([]), State::Done),
    ] {
        let mut payload = fixture("Stop");
        payload["background_tasks"] = stop;
        let mut turn = Turn::new();
        turn.play(&["SessionStart.startup", "UserPromptSubmit"])
            .tell(&payload);
        assert_eq!(turn.state(), state, "{payload}");
    }
    let mut older = fixture("Stop");
    older.as_object_mut().unwrap().remove("background_tasks");
    let mut turn = Turn::new();
    turn.play(&["UserPromptSubmit"]).tell(&older);
    assert_eq!(turn.state(), State::Done, "a version that does not say");
}

#[test]
fn case_a3_the_stop_after_the_background_work_is_the_one_end() {
    let mut turn = Turn::new();
    turn.play(&[
        "SessionStart.startup",
        "UserPromptSubmit",
        "PreToolUse.Agent",
        "PostToolUse.Agent",
    ]);
    turn.play(&[
        "Stop.background_subagent",
        "PreToolUse.subagent",
        "PostToolUse.subagent",
        "SubagentStop",
    ]);
    assert_eq!(turn.state(), State::Working);
    turn.play(&["UserPromptSubmit.task_notification", "Stop"]);
    assert_eq!(turn.state(), State::Done);
    assert_eq!(turn.transitions, [State::Idle, State::Working, State::Done]);
}

#[rstest]
#[case("SubagentStop")]
#[case("Stop")]
fn case_a4_the_end_of_a_child_is_not_the_end_of_its_parent(#[case] event: &str) {
    let mut payload = fixture("SubagentStop");
    payload["hook_event_name"] = json!(event);
    payload["background_tasks"] = json!([]);
    let mut turn = Turn::new();
    turn.play(&[
        "UserPromptSubmit",
        "PreToolUse.subagent",
        "PostToolUse.subagent",
    ])
    .tell(&payload);
    assert_eq!(turn.state(), State::Working);
    turn.play(&["Stop"]);
    assert_eq!(turn.state(), State::Done);
}

#[rstest]
#[case("PostToolUse")]
#[case("PostToolUseFailure")]
#[case("PostToolBatch")]
fn case_a6_an_approval_is_seen_by_the_end_of_the_tool(#[case] event: &str) {
    let mut turn = Turn::new();
    turn.play(&["UserPromptSubmit", "PreToolUse", "PermissionRequest"]);
    assert_eq!(turn.state(), State::Blocked);
    let mut end = fixture(event);
    end["tool_use_id"] = fixture("PreToolUse")["tool_use_id"].clone();
    turn.tell(&end);
    assert_eq!(turn.state(), State::Working);
}

#[test]
fn case_a6_a_late_notice_is_left_the_same_way() {
    let mut turn = Turn::new();
    turn.play(&[
        "UserPromptSubmit",
        "PreToolUse",
        "PermissionRequest",
        "Notification.permission_prompt",
    ]);
    assert_eq!(
        turn.session.turn.blocks.len(),
        1,
        "the notice repeats the request"
    );
    turn.play(&["PostToolUse"]);
    assert_eq!(turn.state(), State::Working);
    turn.play(&["Notification.agent_needs_input"]);
    assert_eq!(turn.state(), State::Blocked, "auto mode sends nothing else");
    turn.play(&["PostToolBatch"]);
    assert_eq!(turn.state(), State::Working);
}

#[test]
fn case_a9_the_reminder_changes_nothing() {
    let mut turn = Turn::new();
    for (name, state) in [
        ("SessionStart.startup", State::Idle),
        ("UserPromptSubmit", State::Working),
        ("PreToolUse", State::Working),
        ("Stop", State::Done),
    ] {
        turn.play(&[name]);
        let before = turn.transitions.len();
        turn.play(&["Notification.idle_prompt"]);
        assert_eq!(
            (turn.state(), turn.transitions.len()),
            (state, before),
            "{name}"
        );
    }
}

#[rstest]
#[case("Claude needs your permission to use Bash", State::Blocked)]
#[case("Claude Code needs your APPROVAL for the plan", State::Blocked)]
#[case("Claude is waiting for your input", State::Working)]
#[case("", State::Working)]
fn case_a9_without_a_type_only_a_text_that_names_a_permission_counts(
    #[case] message: &str,
    #[case] state: State,
) {
    let mut turn = Turn::new();
    turn.play(&["UserPromptSubmit"])
        .tell(&json!({"hook_event_name": "Notification", "message": message}));
    assert_eq!(turn.state(), state);
    let verdict = derive(&turn.session, &Policy::default(), Time::from_ms(turn.at));
    assert_eq!(verdict.heuristic, state == State::Blocked);
}

#[test]
fn case_a10_a_question_is_a_block_until_it_is_answered() {
    let mut turn = Turn::new();
    turn.play(&[
        "UserPromptSubmit",
        "PreToolUse.AskUserQuestion",
        "PermissionRequest.AskUserQuestion",
    ]);
    let verdict = derive(&turn.session, &Policy::default(), Time::from_ms(turn.at));
    assert_eq!(
        (verdict.state, verdict.blocked_kind),
        (State::Blocked, Some(BlockedKind::Question))
    );
    assert_eq!(verdict.message.as_deref(), Some("Which colour?"));
    turn.play(&["Notification.permission_prompt"]);
    let verdict = derive(&turn.session, &Policy::default(), Time::from_ms(turn.at));
    assert_eq!(
        verdict.blocked_kind,
        Some(BlockedKind::Question),
        "the notice calls every dialog a permission"
    );
    turn.play(&["PostToolUse.AskUserQuestion"]);
    assert_eq!(turn.state(), State::Working);
    assert_eq!(
        turn.transitions,
        [State::Working, State::Blocked, State::Working]
    );
}

#[test]
fn case_a12_a_failed_turn_is_an_error_with_its_kind_until_it_goes_on() {
    for (name, kind) in [
        ("StopFailure.authentication_failed", ErrorKind::Auth),
        ("StopFailure.rate_limit", ErrorKind::RateLimit),
        ("StopFailure.server_error", ErrorKind::Server),
        ("StopFailure.unknown", ErrorKind::Other),
    ] {
        let mut turn = Turn::new();
        turn.play(&["UserPromptSubmit", name]);
        let verdict = derive(&turn.session, &Policy::default(), Time::from_ms(turn.at));
        assert_eq!(
            (verdict.state, verdict.error_kind),
            (State::Error, Some(kind))
        );
        assert!(verdict.message.is_some());
        turn.play(&["PreToolUse"]);
        assert_eq!(turn.state(), State::Working);
    }
    let mut turn = Turn::new();
    turn.play(&["UserPromptSubmit", "StopFailure.rate_limit"]);
    for _ in 0..13 {
        turn.play(&["StopFailure.rate_limit"]);
    }
    assert_eq!(
        turn.transitions,
        [State::Working, State::Error],
        "fourteen failures of one kind are one"
    );
}

#[test]
fn a_compaction_in_the_middle_of_a_turn_changes_nothing() {
    let mut turn = Turn::new();
    turn.play(&["UserPromptSubmit", "PreToolUse", "PostToolUse"]);
    turn.play(&["PreCompact.auto"]);
    turn.tell(&json!({"hook_event_name": "SubagentStop", "agent_id": "a9", "agent_type": ""}));
    turn.play(&["SessionStart.compact", "PostCompact.auto"]);
    assert_eq!(turn.state(), State::Working);
    turn.play(&["Stop"]);
    assert_eq!(turn.transitions, [State::Working, State::Done]);
}

#[test]
fn clearing_the_conversation_ends_nothing_and_leaving_ends_the_session() {
    let mut turn = Turn::new();
    turn.play(&[
        "UserPromptSubmit",
        "Stop",
        "SessionEnd.clear",
        "SessionStart.clear",
    ]);
    assert_eq!(turn.state(), State::Idle);
    assert_eq!(turn.session.gone, None);
    turn.play(&["SessionEnd.prompt_input_exit"]);
    assert!(turn.session.gone.is_some());
}

#[test]
fn a_subagents_request_shows_although_the_main_agent_stopped() {
    for order in [
        ["Stop.background_subagent", "PermissionRequest.subagent"],
        ["PermissionRequest.subagent", "Stop.background_subagent"],
    ] {
        let mut turn = Turn::new();
        turn.play(&["UserPromptSubmit", "PreToolUse.subagent"])
            .play(&order);
        assert_eq!(turn.state(), State::Blocked, "{order:?}");
        turn.play(&["PostToolUse.subagent"]);
        assert_eq!(turn.state(), State::Working, "{order:?}");
    }
}
