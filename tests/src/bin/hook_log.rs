//! `hook-log FOLDER`: a hook command that writes down what an agent sends, and nothing else.
//!
//! One file an event, named by the time of the start in nanoseconds, so that the files sort in
//! the order in which the events happened. Exits 0 and prints nothing, as a hook has to.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test's helper, which fails loudly and reads the real clock"
)]

use std::io::Read;
use std::path::Path;
use std::time::SystemTime;

use serde_json::{Value, json};

/// The variables worth a look. Not all: some of an agent's are secrets.
const VARIABLES: [&str; 6] = [
    "CLAUDE_PID",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDECODE",
    "CLAUDE_CONFIG_DIR",
    "TMUX",
    "TMUX_PANE",
];

fn main() {
    let start = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
        .as_nanos();
    let folder = std::env::args_os().nth(1).unwrap();
    let mut payload = String::new();
    std::io::stdin().read_to_string(&mut payload).unwrap();
    let env: serde_json::Map<String, Value> = VARIABLES
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?.into())))
        .collect();
    let payload: Value = serde_json::from_str(&payload).unwrap_or_else(|_| payload.into());
    let name = format!("{start:020}-{}", std::process::id());
    let part = Path::new(&folder).join(format!("{name}.part"));
    std::fs::write(&part, json!({"env": env, "payload": payload}).to_string()).unwrap();
    std::fs::rename(&part, Path::new(&folder).join(format!("{name}.json"))).unwrap();
}
