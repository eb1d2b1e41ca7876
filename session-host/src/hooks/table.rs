//! The table `[hooks]` of the configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use session_core::happening::HookEvent;

/// How long a command may run unless the person says otherwise, in milliseconds.
pub const TIMEOUT_MS: u64 = 60_000;

/// One command of the person's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookCommand {
    /// What `sh -c` runs.
    pub run: String,
    /// How long it may run, in milliseconds.
    pub timeout_ms: u64,
}

impl HookCommand {
    /// A command with the usual deadline.
    #[must_use]
    pub fn new(run: impl Into<String>) -> Self {
        Self {
            run: run.into(),
            timeout_ms: TIMEOUT_MS,
        }
    }
}

/// The commands of each event, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookTable(BTreeMap<HookEvent, Vec<HookCommand>>);

impl HookTable {
    /// The commands of an event.
    #[must_use]
    pub fn of(&self, event: HookEvent) -> &[HookCommand] {
        self.0.get(&event).map(Vec::as_slice).unwrap_or_default()
    }

    /// Sets the commands of an event.
    pub fn set(&mut self, event: HookEvent, commands: Vec<HookCommand>) {
        self.0.insert(event, commands);
    }

    /// Whether there is no command at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.values().all(Vec::is_empty)
    }

    /// All commands with their events, in the order of the reference.
    pub fn iter(&self) -> impl Iterator<Item = (HookEvent, &HookCommand)> {
        self.0
            .iter()
            .flat_map(|(event, commands)| commands.iter().map(move |command| (*event, command)))
    }
}
