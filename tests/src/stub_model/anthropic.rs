//! The Anthropic Messages dialect: a request's messages as a script's turns, a step as a stream.

use std::io;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::{self, EventStream};
use super::script::{Role, Step, next_step};
use super::words::{CUT, words};

/// The path of a model call.
pub const PATH: &str = "/v1/messages";

/// The step that answers this request. A request without tools is one of the agent's own
/// helpers (a title for the session): it gets a short text whatever the script says.
#[must_use]
pub fn step_for(request: &Value) -> Step {
    if request["tools"].as_array().is_none_or(Vec::is_empty) {
        return Step::Text(json!({"title": "Stub session", "isNewTopic": false}).to_string());
    }
    let messages: Vec<_> = request["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .map(turn)
        .collect();
    next_step(&messages)
}

/// One message as the script sees it.
fn turn(message: &Value) -> (Role, Vec<String>) {
    let role = if message["role"] == "assistant" {
        Role::Model
    } else {
        Role::User
    };
    let texts = match &message["content"] {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => blocks
            .iter()
            .filter_map(|block| block["text"].as_str())
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    };
    (role, texts)
}

/// Sends `step` as the answer to `request`, the `number`th call of this server.
///
/// # Errors
///
/// When the agent closes the connection, as it does on an interrupt.
pub fn answer(
    stream: &mut TcpStream,
    request: &Value,
    step: &Step,
    number: usize,
) -> io::Result<()> {
    match step {
        Step::Error(code, kind) => {
            let message = format!("stub error {code}");
            let body = json!({"type": "error", "error": {"type": kind, "message": message}});
            return http::answer(stream, *code, &body, false);
        }
        Step::Hang(seconds) => thread::sleep(Duration::from_secs_f64(*seconds)),
        _ => {}
    }
    let mut events = EventStream::start(stream)?;
    events.send(
        "message_start",
        json!({"message": {
            "id": format!("msg_stub_{number}"), "type": "message", "role": "assistant",
            "content": [], "model": request["model"], "stop_reason": null, "stop_sequence": null,
            "usage": {"input_tokens": 100, "output_tokens": 1},
        }}),
    )?;
    let calls = calls(step, request);
    let reason = if calls.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    };
    for (index, (name, input)) in calls.iter().enumerate() {
        let id = format!("toolu_stub_{number}_{index}");
        send_block(
            &mut events,
            index,
            &json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
            [json!({"type": "input_json_delta", "partial_json": input.to_string()})],
        )?;
    }
    if *step == Step::Cut {
        let start = json!({"index": 0, "content_block": {"type": "text", "text": ""}});
        events.send("content_block_start", start)?;
        let word = json!({"type": "text_delta", "text": CUT});
        return events.send("content_block_delta", json!({"index": 0, "delta": word}));
    }
    if calls.is_empty() {
        let deltas = words(step).map(|text| json!({"type": "text_delta", "text": text}));
        send_block(&mut events, 0, &json!({"type": "text", "text": ""}), deltas)?;
    }
    events.send(
        "message_delta",
        json!({
            "delta": {"stop_reason": reason, "stop_sequence": null},
            "usage": {"input_tokens": 100, "output_tokens": 9},
        }),
    )?;
    events.send("message_stop", json!({}))
}

/// Sends one content block in its pieces.
fn send_block(
    events: &mut EventStream<'_>,
    index: usize,
    block: &Value,
    deltas: impl IntoIterator<Item = Value>,
) -> io::Result<()> {
    events.send(
        "content_block_start",
        json!({"index": index, "content_block": block}),
    )?;
    for delta in deltas {
        events.send(
            "content_block_delta",
            json!({"index": index, "delta": delta}),
        )?;
    }
    events.send("content_block_stop", json!({"index": index}))
}

/// The tool calls of a step, in this dialect's names.
fn calls(step: &Step, request: &Value) -> Vec<(String, Value)> {
    match step {
        Step::Shell {
            commands,
            background,
        } => commands
            .iter()
            .map(|command| {
                let mut input = json!({"command": command, "description": "stub command"});
                if *background {
                    input["run_in_background"] = true.into();
                }
                ("Bash".to_owned(), input)
            })
            .collect(),
        Step::Tool(name, input) => vec![(name.clone(), input.clone())],
        Step::Ask => {
            let options = json!([
                {"label": "Red", "description": "r"},
                {"label": "Blue", "description": "b"},
            ]);
            let question = json!({
                "question": "Which colour?", "header": "Colour", "multiSelect": false,
                "options": options,
            });
            vec![(
                "AskUserQuestion".to_owned(),
                json!({"questions": [question]}),
            )]
        }
        Step::Task(prompt) => {
            let input = json!({
                "description": "stub task", "prompt": prompt, "subagent_type": "general-purpose",
            });
            vec![(subagent_tool(request).to_owned(), input)]
        }
        _ => Vec::new(),
    }
}

/// The name the agent gives its subagent tool: `Agent`, or `Task` in older versions.
fn subagent_tool(request: &Value) -> &'static str {
    let tools = request["tools"].as_array();
    let has_agent = tools
        .into_iter()
        .flatten()
        .any(|tool| tool["name"] == "Agent");
    if has_agent { "Agent" } else { "Task" }
}
