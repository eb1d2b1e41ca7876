//! What a real agent tells its hooks, seen without the product: a settings file that wires the
//! `hook-log` program, and the runs it has written down.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::tally::target;
use crate::wait::{LIMIT, wait_until};
use crate::world::World;

/// The events that both tested versions of Claude Code know. An unknown name would stop the
/// agent at a dialog.
pub const CLAUDE_EVENTS: [&str; 16] = [
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PermissionRequest",
    "PermissionDenied",
    "Notification",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
];

/// A folder of hook runs.
#[derive(Clone, Debug)]
pub struct HookLog {
    folder: PathBuf,
}

/// One run of a hook.
#[derive(Clone, Debug)]
pub struct HookRun {
    /// When it started, in nanoseconds since the epoch.
    pub at_ns: u128,
    /// The payload on its stdin.
    pub payload: Value,
    /// A few variables of its environment.
    pub env: Value,
}

impl HookRun {
    /// The event's name.
    #[must_use]
    pub fn event(&self) -> &str {
        self.payload["hook_event_name"].as_str().unwrap_or("?")
    }

    /// The subagent that it is about, if any.
    #[must_use]
    pub fn agent_id(&self) -> Option<&str> {
        self.payload["agent_id"].as_str()
    }
}

impl HookLog {
    /// An empty log by that name.
    #[must_use]
    pub fn new(world: &World, name: &str) -> Self {
        let folder = world.log(name);
        fs::create_dir(&folder).expect("a new folder");
        Self { folder }
    }

    /// Writes a settings file for Claude Code that logs every event here.
    #[must_use]
    pub fn claude_settings(&self) -> PathBuf {
        let program = target().join(PROFILE).join("hook-log");
        assert!(
            program.exists(),
            "{} is built with the tests",
            program.display()
        );
        let command = format!("'{}' '{}'", program.display(), self.folder.display());
        let hook = json!([{"hooks": [{"type": "command", "command": command}]}]);
        let hooks: serde_json::Map<String, Value> = CLAUDE_EVENTS
            .iter()
            .map(|event| ((*event).to_owned(), hook.clone()))
            .collect();
        let path = self.folder.with_extension("settings.json");
        fs::write(&path, json!({"hooks": hooks}).to_string()).expect("a settings file");
        path
    }

    /// All runs so far, in the order in which they started.
    #[must_use]
    pub fn runs(&self) -> Vec<HookRun> {
        let mut files: Vec<_> = fs::read_dir(&self.folder)
            .expect("the log")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .collect();
        files.sort();
        files.iter().map(|file| read(file)).collect()
    }

    /// The names of the runs' events since the `from`th, a subagent's with its mark.
    #[must_use]
    pub fn events(&self, from: usize) -> Vec<String> {
        let runs = self.runs();
        let name = |run: &HookRun| {
            format!(
                "{}{}",
                run.event(),
                if run.agent_id().is_some() { "@sub" } else { "" }
            )
        };
        runs.iter().skip(from).map(name).collect()
    }

    /// Waits for a run after the `from`th that is as wanted, and returns it.
    pub fn wait_for(&self, what: &str, from: usize, wanted: impl Fn(&HookRun) -> bool) -> HookRun {
        wait_until(
            what,
            LIMIT,
            || self.runs().into_iter().skip(from).find(&wanted),
            || format!("{:#?}", self.events(0)),
        )
    }

    /// Waits for an event after the `from`th run.
    pub fn wait_for_event(&self, event: &str, from: usize) -> HookRun {
        self.wait_for(event, from, |run| run.event() == event)
    }
}

/// The folder of the profile that this harness is built with.
const PROFILE: &str = if cfg!(debug_assertions) {
    "debug"
} else {
    "release"
};

fn read(file: &Path) -> HookRun {
    let text = fs::read_to_string(file).expect("a run");
    let mut run: Value = serde_json::from_str(&text).expect("a run is JSON");
    let name = file
        .file_stem()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let at = name
        .split('-')
        .next()
        .and_then(|at| at.parse().ok())
        .expect("a time");
    HookRun {
        at_ns: at,
        payload: run["payload"].take(),
        env: run["env"].take(),
    }
}
