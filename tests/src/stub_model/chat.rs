//! The dialect of OpenAI's chat completions, which most agents can be pointed at.

use std::io;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::{self, EventStream};
use super::script::{Role, Step, next_step};
use super::words::{CUT, words};

/// The path of a model call.
pub const PATH: &str = "/chat/completions";

/// The names that agents give to their shell tool.
const SHELLS: [&str; 3] = ["bash", "run_shell_command", "shell"];

/// The step that answers this request. One without tools is a helper's and gets a short text.
#[must_use]
pub fn step_for(request: &Value) -> Step {
    if tools(request).next().is_none() {
        return Step::Text("Stub session".to_owned());
    }
    let messages: Vec<_> = request["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .map(turn)
        .collect();
    next_step(&messages)
}

fn turn(message: &Value) -> (Role, Vec<String>) {
    let role = if message["role"] == "assistant" {
        Role::Model
    } else {
        Role::User
    };
    let texts = match &message["content"] {
        // What a tool said is no prompt, though it may repeat one.
        _ if message["role"] != "user" => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
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
            let body = json!({"error": {"message": message, "type": kind, "code": code}});
            return http::answer(stream, *code, &body, false);
        }
        Step::Hang(seconds) => thread::sleep(Duration::from_secs_f64(*seconds)),
        _ => {}
    }
    let calls: Vec<Value> = calls(step, request)
        .into_iter()
        .enumerate()
        .map(|(index, (name, arguments))| {
            json!({
                "index": index, "id": format!("call_stub_{number}_{index}"), "type": "function",
                "function": {"name": name, "arguments": arguments.to_string()},
            })
        })
        .collect();
    let reason = if calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 9, "total_tokens": 109});
    let base = json!({
        "id": format!("chatcmpl-stub-{number}"), "created": 1_700_000_000, "model": request["model"],
    });
    if request["stream"] != true {
        let mut message = json!({
            "role": "assistant", "content": words(step).collect::<String>(),
        });
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        let choice = json!({"index": 0, "message": message, "finish_reason": reason});
        let body = with(&base, "chat.completion", json!([choice]), Some(usage));
        return http::answer(stream, 200, &body, false);
    }
    let mut events = EventStream::start(stream)?;
    let mut chunk = |delta: Value, reason: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        let body = with(&base, "chat.completion.chunk", json!([choice]), None);
        events.send_data(&body.to_string())
    };
    chunk(json!({"role": "assistant", "content": ""}), None)?;
    if *step == Step::Cut {
        return chunk(json!({"content": CUT}), None);
    }
    if !calls.is_empty() {
        chunk(json!({"tool_calls": calls}), None)?;
    }
    for word in words(step) {
        chunk(json!({"content": word}), None)?;
    }
    chunk(json!({}), Some(reason))?;
    let last = with(&base, "chat.completion.chunk", json!([]), Some(usage));
    events.send_data(&last.to_string())?;
    events.send_data("[DONE]")
}

fn with(base: &Value, object: &str, choices: Value, usage: Option<Value>) -> Value {
    let mut body = base.clone();
    body["object"] = object.into();
    body["choices"] = choices;
    if let Some(usage) = usage {
        body["usage"] = usage;
    }
    body
}

fn tools(request: &Value) -> impl Iterator<Item = &str> {
    request["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|tool| tool["function"]["name"].as_str())
}

/// The tool calls of a step, in the names that the agent gives to its tools.
fn calls(step: &Step, request: &Value) -> Vec<(String, Value)> {
    match step {
        Step::Shell {
            commands,
            background,
        } => {
            let known = tools(request).find(|name| SHELLS.contains(name));
            let name = known.unwrap_or("bash").to_owned();
            let input = |command: &String| {
                let mut input = json!({"command": command, "description": "stub command"});
                if name == "run_shell_command" {
                    input["is_background"] = (*background).into();
                }
                (name.clone(), input)
            };
            commands.iter().map(input).collect()
        }
        Step::Tool(name, input) => vec![(name.clone(), input.clone())],
        Step::Ask => {
            let options = json!([
                {"label": "Red", "description": "r"},
                {"label": "Blue", "description": "b"},
            ]);
            let question = json!({
                "question": "Which colour?", "header": "Colour", "options": options,
            });
            vec![("question".to_owned(), json!({"questions": [question]}))]
        }
        Step::Task(prompt) => {
            let input = json!({
                "description": "stub task", "prompt": prompt, "subagent_type": "general",
            });
            vec![("task".to_owned(), input)]
        }
        _ => Vec::new(),
    }
}
