//! When to ask for permission.
//!
//! zellij answers from a file that it empties and writes again after each answer. Instances that ask at the same time, as
//! those of all tabs do when a session starts or a client attaches, read it while it is empty, and zellij asks the person once
//! more: in a tab that nobody sees, while every message to the session waits for the answer. So an instance asks
//! when it is shown, or when its turn comes; and where nobody has been let in yet, only one of them asks by itself.

use super::host::{Host, Ids};

/// There once the person has let the plugin in.
const GRANTED: &str = "/cache/granted";

/// The seconds between two turns.
const STEP: f64 = 0.03;

/// Plugins with numbers this far apart share a turn.
const TURNS: u32 = 16;

/// The seconds between later looks, for an instance whose turn came too early.
const LATER: [f64; 3] = [0.5, 2.0, 8.0];

/// An instance's turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    taken: usize,
}

impl Turn {
    /// The seconds until the next turn; none when there is no other.
    pub(super) fn next(&self, ids: Ids) -> Option<f64> {
        match self.taken.checked_sub(1) {
            None => Some(STEP * f64::from(ids.plugin % TURNS)),
            Some(later) => LATER.get(later).copied(),
        }
    }

    /// Whether to ask now that the turn has come.
    pub(super) fn take(&mut self, ids: Ids, host: &dyn Host) -> bool {
        self.taken += 1;
        let asked = format!("/cache/asked-{}", ids.server_pid);
        host.exists(GRANTED) || host.claim(&asked)
    }
}

/// Remembers the person's answer for other instances.
pub(super) fn remember(granted: bool, host: &dyn Host) {
    if granted {
        host.claim(GRANTED);
    } else {
        host.remove(GRANTED);
    }
}
