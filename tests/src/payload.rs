//! Recorded payloads of Claude Code's hooks: their names, what is scrubbed from them, and
//! whether a live one still has the recorded shape.
//!
//! The recordings are in `fixtures/payloads/claude/`. With `TALLY_RECORD` set, [`Recordings`]
//! writes what it sees instead of comparing with what is there.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::world::World;

/// The recordings of one agent, and what of a test's world must not get into them.
#[derive(Debug)]
pub struct Recordings {
    folder: PathBuf,
    replacements: Vec<(String, String)>,
    record: bool,
    recorded: RefCell<BTreeSet<String>>,
}

impl Recordings {
    /// The recordings of Claude Code.
    #[must_use]
    pub fn of_claude(world: &World, model_url: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/payloads/claude");
        let text = |path: &Path| path.to_str().expect("a path").to_owned();
        let home = text(&world.home());
        let port = model_url.rsplit(':').next().unwrap_or_default();
        let replacements = vec![
            (home.clone(), "/home/u".to_owned()),
            // Claude Code names a folder for each project after the project's path.
            (home.replace('/', "-"), "-home-u".to_owned()),
            (text(&world.root().join("tmp")), "/tmp".to_owned()),
            (text(world.root()), "/tmp/world".to_owned()),
            (format!("127.0.0.1:{port}"), "127.0.0.1:PORT".to_owned()),
        ];
        let record = std::env::var_os("TALLY_RECORD").is_some();
        Self {
            folder,
            replacements,
            record,
            recorded: RefCell::default(),
        }
    }

    /// Whether this run records.
    #[must_use]
    pub fn record(&self) -> bool {
        self.record
    }

    /// Takes in the ids of payloads, which must not get into the recordings. An id may be quoted
    /// in the text of another payload.
    pub fn learn<'a>(&mut self, payloads: impl IntoIterator<Item = &'a Value>) {
        for payload in payloads {
            collect_ids(payload, &mut self.replacements);
        }
    }

    /// Compares a live payload with the recording of its kind, or records it. Returns what is
    /// wrong, if anything.
    #[must_use]
    pub fn check(&self, payload: &Value) -> Option<String> {
        self.check_as(&name_of(payload), payload)
    }

    /// The same for a document by another name.
    #[must_use]
    pub fn check_as(&self, name: &str, payload: &Value) -> Option<String> {
        let path = self.folder.join(format!("{name}.json"));
        if self.record {
            // The first of a kind is the plainest.
            if !self.recorded.borrow_mut().insert(name.to_owned()) {
                return None;
            }
            let text = serde_json::to_string_pretty(&self.scrub(payload)).expect("JSON");
            fs::write(&path, text + "\n").expect("a recording");
            return None;
        }
        let Ok(text) = fs::read_to_string(&path) else {
            return Some(format!("there is no recording of {name}"));
        };
        let recorded: Value = serde_json::from_str(&text).expect("a recording is JSON");
        let (live, recorded) = (keys(payload), keys(&recorded));
        (live != recorded).then(|| {
            format!(
                "{name} has other fields: new {:?}, gone {:?}",
                live.difference(&recorded).collect::<Vec<_>>(),
                recorded.difference(&live).collect::<Vec<_>>()
            )
        })
    }

    /// The payload with the ids, paths and times of the run replaced by constants.
    fn scrub(&self, payload: &Value) -> Value {
        let mut replacements = self.replacements.clone();
        collect_ids(payload, &mut replacements);
        replace(payload, &replacements)
    }
}

/// The name of a payload's kind: its event and what distinguishes it within the event.
#[must_use]
pub fn name_of(payload: &Value) -> String {
    let text = |key: &str| payload[key].as_str();
    let mut name = text("hook_event_name").unwrap_or("unknown").to_owned();
    let mut add = |part: &str| {
        name.push('.');
        name.push_str(part);
    };
    for key in ["source", "reason", "notification_type", "trigger"] {
        text(key).into_iter().for_each(&mut add);
    }
    if text("hook_event_name") == Some("StopFailure") {
        text("error").into_iter().for_each(&mut add);
    }
    text("tool_name")
        .into_iter()
        .filter(|tool| *tool != "Bash")
        .for_each(&mut add);
    if text("hook_event_name").is_some_and(|event| !event.starts_with("Subagent")) {
        match text("agent_id").map(|_| text("agent_type").unwrap_or_default()) {
            Some("") => add("helper"),
            Some(_) => add("subagent"),
            None => {}
        }
        let background = payload["background_tasks"][0]["type"].as_str();
        background
            .map(|kind| format!("background_{kind}"))
            .iter()
            .for_each(|kind| add(kind));
    } else if text("agent_type") == Some("") {
        add("helper");
    }
    if text("prompt").is_some_and(|prompt| prompt.starts_with("<task-notification>")) {
        add("task_notification");
    }
    name
}

/// The names of the top-level fields.
fn keys(payload: &Value) -> BTreeSet<&str> {
    payload
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, _)| key.as_str())
        .collect()
}

/// Adds a constant for each id of the run.
fn collect_ids(value: &Value, to: &mut Vec<(String, String)>) {
    let Value::Object(fields) = value else {
        if let Value::Array(items) = value {
            items.iter().for_each(|item| collect_ids(item, to));
        }
        return;
    };
    for (key, value) in fields {
        let constant = match key.as_str() {
            "session_id" | "sessionId" => "00000000-0000-4000-8000-000000000001",
            "prompt_id" => "00000000-0000-4000-8000-000000000002",
            "turn_id" => "00000000-0000-4000-8000-000000000003",
            "message_id" => "00000000-0000-4000-8000-000000000004",
            "agent_id" | "agentId" => "a0000000000000001",
            "tool_use_id" => "toolu_stub_1_0",
            "id" if fields.get("type").is_some_and(|kind| kind == "subagent") => {
                "a0000000000000001"
            }
            "id" if fields.contains_key("status") => "b00000001",
            "pidDomain" => "linux:0:pid:[0]",
            "name" if fields.contains_key("nameSource") => "proj-00",
            _ => {
                collect_ids(value, to);
                continue;
            }
        };
        let known = |id: &str| to.iter().any(|(from, _)| from == id);
        if let Some(id) = value.as_str().filter(|id| !id.is_empty() && !known(id)) {
            to.push((id.to_owned(), constant.to_owned()));
        }
    }
}

/// The value with every replacement made in its texts, and its times made constant.
fn replace(value: &Value, replacements: &[(String, String)]) -> Value {
    match value {
        Value::String(text) => replacements
            .iter()
            .fold(text.clone(), |text, (from, to)| text.replace(from, to))
            .into(),
        Value::Array(items) => items
            .iter()
            .map(|item| replace(item, replacements))
            .collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| {
                let value = match key.as_str() {
                    "duration_ms" | "totalDurationMs" => 10.into(),
                    "pid" => 4242.into(),
                    "messagingSocketPath" => "/tmp/cc-socks/4242.sock".into(),
                    "procStart" => "123456".into(),
                    "startedAt" | "nameSince" => 1_700_000_000_000_u64.into(),
                    "updatedAt" | "statusUpdatedAt" => 1_700_000_001_000_u64.into(),
                    _ => replace(value, replacements),
                };
                (key.clone(), value)
            })
            .collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_payload_is_named_by_what_distinguishes_it() {
        let named = |payload: Value| name_of(&payload);
        assert_eq!(named(json!({"hook_event_name": "Stop"})), "Stop");
        assert_eq!(
            named(json!({"hook_event_name": "SessionStart", "source": "startup"})),
            "SessionStart.startup"
        );
        assert_eq!(
            named(json!({"hook_event_name": "StopFailure", "error": "rate_limit"})),
            "StopFailure.rate_limit"
        );
        assert_eq!(
            named(json!({
                "hook_event_name": "PreToolUse", "tool_name": "Bash",
                "agent_id": "a1", "agent_type": "general-purpose",
            })),
            "PreToolUse.subagent"
        );
        assert_eq!(
            named(json!({"hook_event_name": "Stop", "background_tasks": [{"type": "shell"}]})),
            "Stop.background_shell"
        );
    }
}
