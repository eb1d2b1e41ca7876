//! Whether the person has told an agent that its hooks may run. It is read, and never given.

use std::path::{Path, PathBuf};

use config_merge::{Entry, Format, read};
use serde_json::{Value, json};
use session_core::manifest::{Trust, TrustKept};
use sha2::{Digest as _, Sha256};

use super::foreign::read_text;

/// The longest that Codex lets a hook on an interrupt take, in seconds.
const INTERRUPT_S: u64 = 3;

/// How many of our entries the agent runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Trusted {
    /// Those that it runs.
    pub(super) trusted: usize,
    /// Those that it has been asked about in another form.
    pub(super) modified: usize,
    /// All that are there.
    pub(super) all: usize,
}

/// Reads an agent's answers for the entries of a file.
pub(super) fn trusted(trust: &Trust, home: &Path, file: &Path, entries: &[Entry]) -> Trusted {
    match trust.kept {
        TrustKept::CodexHashes => codex(home, file, entries),
    }
}

/// Codex keeps a hash for each hook: of its event and its definition, under the file and the place it stands in.
fn codex(home: &Path, file: &Path, entries: &[Entry]) -> Trusted {
    let settings = |path: &Path| {
        let text = read_text(path).ok()??;
        read(Format::of_name(&path.to_string_lossy()), &text).ok()
    };
    let config = settings(&home.join("config.toml"));
    let kept = config
        .as_ref()
        .and_then(|config| config.pointer("/hooks/state"));
    let hooks = settings(file);
    let mut found = Trusted::default();
    for entry in entries {
        let place = hooks.as_ref().and_then(|hooks| place(hooks, entry));
        let (Some(event), Some(place)) = (entry.list.last(), place) else {
            continue;
        };
        found.all += 1;
        let event = snake(event);
        let known = names(file).into_iter().find_map(|name| {
            let key = format!("{name}:{event}:{place}:0");
            kept?.get(&key)?.get("trusted_hash")?.as_str()
        });
        match known {
            Some(hash) if hash == hash_of(&event, &entry.value) => found.trusted += 1,
            Some(_) => found.modified += 1,
            None => {}
        }
    }
    found
}

/// The number of an entry in its list.
fn place(file: &Value, entry: &Entry) -> Option<usize> {
    let mut list = file;
    for key in &entry.list {
        list = list.get(key)?;
    }
    list.as_array()?
        .iter()
        .position(|known| *known == entry.value)
}

/// The names by which Codex may know a file.
fn names(file: &Path) -> Vec<String> {
    let real = file.canonicalize().ok();
    [Some(file.to_owned()), real]
        .into_iter()
        .flatten()
        .map(|path: PathBuf| path.display().to_string())
        .collect()
}

/// `PreToolUse` as `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut snake = String::new();
    for char in event.chars() {
        if char.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(char.to_ascii_lowercase());
    }
    snake
}

/// The hash of a group of hooks, with what Codex takes for granted filled in; keys are in order, without space.
fn hash_of(event: &str, group: &Value) -> String {
    let mut group = group.clone();
    if let Some(hooks) = group.get_mut("hooks").and_then(Value::as_array_mut) {
        for hook in hooks.iter_mut().filter_map(Value::as_object_mut) {
            hook.entry("async").or_insert(json!(false));
            let timeout = hook.entry("timeout").or_insert(json!(600));
            // Nothing is waited for longer than this after an interrupt; it is hashed like that (0.171).
            if event == "interrupt" && timeout.as_u64() > Some(INTERRUPT_S) {
                *timeout = json!(INTERRUPT_S);
            }
        }
    }
    if let Some(group) = group.as_object_mut() {
        group.insert("event_name".to_owned(), json!(event));
    }
    let digest = Sha256::digest(group.to_string().as_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes that Codex 0.171.0 kept when these hooks were trusted in its dialog.
    #[test]
    fn a_hash_is_that_of_codex() {
        let command = "'/tmp/tlyUZNlf7/bin/tally' signal --from codex 2>/dev/null || true";
        let group = json!({"hooks": [{"type": "command", "command": command, "timeout": 5}]});
        for (event, hash) in [
            (
                "stop",
                "dbfb9177660b7310a464331cc07ea032d29b896b22c5f5b5e1455120aa4dad06",
            ),
            (
                "session_start",
                "3d8dbd12f45816ce3c2b0647bd2bee82213a8a5c12b534a418e73e74bb643224",
            ),
            (
                "interrupt",
                "a9cd7faf0556ff115f5d5d67c7418d8c426fed623e116bea494cf5636fd39dfa",
            ),
        ] {
            assert_eq!(hash_of(event, &group), format!("sha256:{hash}"), "{event}");
        }
    }

    #[test]
    fn events_are_named_as_codex_names_them() {
        assert_eq!(snake("Stop"), "stop");
        assert_eq!(snake("UserPromptSubmit"), "user_prompt_submit");
    }
}
