//! When to ask for permission.
//!
//! zellij answers from a file that it empties and writes again after each answer. Instances that ask at the same time, as
//! those of all tabs do when a session starts or a client attaches, may read it while it is empty, and zellij asks the
//! person once more: in a tab that nobody sees, while every message to the session waits for the answer.
//!
//! Where the person has let the plugin in before, the instances ask one after another as they are loaded: zellij tells
//! the input mode and the theme right after that, and to those who may know it. Where not, only one of them asks by itself,
//! if possible that of the first tab, and the others when the person comes to them.

use super::host::{Host, Ids};

/// There once the person has let the plugin in.
const GRANTED: &str = "/cache/granted";

/// When an instance was loaded last, in milliseconds.
const LOADED: &str = "/cache/loaded";

/// Instances that are loaded within this many milliseconds make room for each other.
const CROWD_MS: i64 = 150;

/// The milliseconds between the questions of two instances that were let in before.
const STEP_MS: u64 = 4;

/// The number of the first plugin of a layout; number 0 is one of zellij's own.
const FIRST_PLUGIN: u32 = 1;

/// The seconds until an instance asks by itself, so that one in a tab which is shown comes before it.
const FIRST: f64 = 1.0;

/// The seconds between its turn and the next instance's, though all are loaded side by side.
const FIRST_STEP: f64 = 0.3;

/// Plugins with numbers this far apart share a turn.
const TURNS: u32 = 16;

/// The seconds between later looks, for an instance that has left the asking to another.
const LATER: [f64; 3] = [1.0, 3.0, 9.0];

/// Whether the person has let the plugin in before, so that zellij does not ask.
pub(super) fn was_let_in(host: &dyn Host) -> bool {
    host.exists(GRANTED)
}

/// Waits a few milliseconds where other instances are loaded at the same time; whether to ask at once.
pub(super) fn may_ask_at_once(ids: Ids, host: &dyn Host) -> bool {
    if !was_let_in(host) {
        return ids.plugin <= FIRST_PLUGIN && claim(ids, host);
    }
    let now = host.now_ms();
    let last = host.read(LOADED).and_then(|text| text.parse().ok());
    host.write(LOADED, &now.to_string());
    let crowded = last.is_some_and(|last: i64| (0..CROWD_MS).contains(&now.saturating_sub(last)));
    if crowded {
        host.rest(STEP_MS * u64::from(ids.plugin % TURNS));
    }
    true
}

/// An instance's turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    taken: usize,
}

/// What an instance does in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// It asks.
    Ask,
    /// It leaves the asking to another, and to the person.
    Leave,
}

impl Turn {
    /// The seconds until the next turn; none when there is no other.
    pub(super) fn next(&self, ids: Ids) -> Option<f64> {
        let rank = f64::from(ids.plugin % TURNS);
        match self.taken.checked_sub(1) {
            None => Some(FIRST + FIRST_STEP * rank),
            Some(later) => LATER.get(later).copied(),
        }
    }

    /// What to do now that the turn has come.
    pub(super) fn take(&mut self, ids: Ids, host: &dyn Host) -> Move {
        self.taken += 1;
        if was_let_in(host) || (self.taken == 1 && claim(ids, host)) {
            Move::Ask
        } else {
            Move::Leave
        }
    }
}

/// Makes it known that an instance of this server asks; whether it is the first.
pub(super) fn claim(ids: Ids, host: &dyn Host) -> bool {
    host.claim(&asked(ids))
}

fn asked(ids: Ids) -> String {
    format!("/cache/asked-{}", ids.server_pid)
}

/// Remembers the person's answer for other instances.
pub(super) fn remember(granted: bool, ids: Ids, host: &dyn Host) {
    if granted {
        host.claim(GRANTED);
        host.remove(&asked(ids));
    } else {
        host.remove(GRANTED);
    }
}
