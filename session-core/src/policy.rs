//! The few numbers that a person may set.

use serde::{Deserialize, Serialize};

use crate::state::{State, URGENCY};

/// Time limits and the urgency order, from the person's configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The quiet window in milliseconds: an open turn with nothing in flight and no sign of life for this long
    /// is idle (design §5.4).
    pub quiet_ms: i64,
    /// How long a finished turn must be viewed before leaving it acknowledges it, in milliseconds (design §5.5).
    pub dwell_ms: i64,
    /// How long the agent's own registry must disagree with its signals before it is believed, in milliseconds
    /// (design §5, first exception).
    pub registry_grace_ms: i64,
    /// How long a session must be at rest, done or idle, before it counts as settled, in milliseconds; 0 for never.
    #[serde(default = "an_hour")]
    pub settle_after_ms: i64,
    /// The states, most urgent first.
    pub urgency: Vec<State>,
}

/// What an older Tallylight has written down says nothing of it.
const fn an_hour() -> i64 {
    3_600_000
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            quiet_ms: 10_000,
            dwell_ms: 2_000,
            registry_grace_ms: 500,
            settle_after_ms: an_hour(),
            urgency: URGENCY.to_vec(),
        }
    }
}
