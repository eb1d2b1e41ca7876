//! The dialect of OpenAI's Responses API, which Codex speaks.

use std::io;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::{self, EventStream};
use super::script::{Role, Step, next_step};
use super::words::{CUT, words};

/// The path of a model call.
pub const PATH: &str = "/responses";

/// The step that answers this request. One without tools is a helper's and gets a short text.
#[must_use]
pub fn step_for(request: &Value) -> Step {
    if tools(request).next().is_none() {
        return Step::Text("Stub session".to_owned());
    }
    let mut turns: Vec<(Role, Vec<String>)> = Vec::new();
    for item in request["input"].as_array().into_iter().flatten() {
        let (role, texts) = turn(item);
        // Calls side by side are one answer.
        let again = role == Role::Model && turns.last().is_some_and(|last| last.0 == Role::Model);
        if !again {
            turns.push((role, texts));
        }
    }
    next_step(&turns)
}

fn turn(item: &Value) -> (Role, Vec<String>) {
    if item["type"] == "function_call" || item["role"] == "assistant" {
        return (Role::Model, Vec::new());
    }
    let texts = item["content"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|part| part["text"].as_str())
        .map(str::to_owned)
        .collect();
    (Role::User, texts)
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
            let body = json!({"error": {"message": message, "type": kind, "code": "stub_error"}});
            return http::answer(stream, *code, &body, false);
        }
        Step::Hang(seconds) => thread::sleep(Duration::from_secs_f64(*seconds)),
        _ => {}
    }
    let mut events = EventStream::start(stream)?;
    let id = format!("resp_stub_{number}");
    events.send("response.created", json!({"response": {"id": id}}))?;
    let calls = calls(step, request);
    for (index, (name, arguments)) in calls.iter().enumerate() {
        let item = json!({
            "type": "function_call", "id": format!("fc_stub_{number}_{index}"),
            "call_id": format!("call_stub_{number}_{index}"), "name": name,
            "arguments": arguments.to_string(),
        });
        send_item(&mut events, "added", index, &item)?;
        send_item(&mut events, "done", index, &item)?;
    }
    if calls.is_empty() {
        let id = format!("msg_stub_{number}");
        let item = |text: Option<&str>| {
            let part = |text| json!({"type": "output_text", "text": text, "annotations": []});
            let content: Vec<Value> = text.map(part).into_iter().collect();
            json!({"type": "message", "id": id, "role": "assistant", "content": content})
        };
        send_item(&mut events, "added", 0, &item(None))?;
        let mut said = String::new();
        let cut = (*step == Step::Cut).then(|| CUT.to_owned());
        for word in words(step).chain(cut) {
            let delta =
                json!({"item_id": id, "output_index": 0, "content_index": 0, "delta": word});
            events.send("response.output_text.delta", delta)?;
            said.push_str(&word);
        }
        if *step == Step::Cut {
            return Ok(());
        }
        send_item(&mut events, "done", 0, &item(Some(&said)))?;
    }
    let usage = json!({
        "input_tokens": 100, "input_tokens_details": null,
        "output_tokens": 9, "output_tokens_details": null, "total_tokens": 109,
    });
    events.send(
        "response.completed",
        json!({"response": {"id": id, "usage": usage}}),
    )
}

fn send_item(
    events: &mut EventStream<'_>,
    what: &str,
    index: usize,
    item: &Value,
) -> io::Result<()> {
    events.send(
        &format!("response.output_item.{what}"),
        json!({"output_index": index, "item": item}),
    )
}

fn tools(request: &Value) -> impl Iterator<Item = &str> {
    request["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|tool| tool["name"].as_str().or_else(|| tool["type"].as_str()))
}

/// The tool calls of a step, in this dialect's names.
fn calls(step: &Step, request: &Value) -> Vec<(String, Value)> {
    match step {
        Step::Shell { commands, .. } => {
            let is_newer = tools(request).any(|name| name == "exec_command");
            let call = |command: &String| {
                if is_newer {
                    ("exec_command".to_owned(), json!({"cmd": command}))
                } else {
                    ("shell_command".to_owned(), json!({"command": command}))
                }
            };
            commands.iter().map(call).collect()
        }
        Step::Tool(name, input) => vec![(name.clone(), input.clone())],
        Step::Ask => {
            let options = json!([
                {"label": "Red", "description": "r"},
                {"label": "Blue", "description": "b"},
            ]);
            let question = json!({
                "id": "colour", "question": "Which colour?", "header": "Colour",
                "options": options,
            });
            vec![(
                "request_user_input".to_owned(),
                json!({"questions": [question]}),
            )]
        }
        Step::Task(prompt) => vec![("spawn_agent".to_owned(), json!({"message": prompt}))],
        _ => Vec::new(),
    }
}
