//! Every key of the configuration: how it is read, and how it is shown.

use std::ops::RangeInclusive;

use session_core::happening::QuietHours;
use session_core::view::GlyphSet;
use session_core::{State, URGENCY};
use toml::de::DeValue;

use super::{Colour, Config};

/// One key.
pub struct Key {
    /// Its full name, such as `timing.quiet_ms`.
    pub name: &'static str,
    pub(super) set: fn(&mut Config, &DeValue<'_>) -> Result<(), String>,
    /// The value as it would be written in the file.
    pub show: fn(&Config) -> String,
}

macro_rules! colour {
    ($word:literal, $state:ident) => {
        Key {
            name: concat!("look.colours.", $word),
            set: |config, value| {
                config
                    .look
                    .set_colour(State::$state, parsed::<Colour>(value)?);
                Ok(())
            },
            show: |config| format!("{:?}", config.look.colour(State::$state).to_string()),
        }
    };
}
/// All keys, in the order of the reference.
pub const KEYS: [Key; 19] = [
    Key {
        name: "timing.quiet_ms",
        set: |config, value| {
            config.policy.quiet_ms = within(value, 1_000..=3_600_000)?;
            Ok(())
        },
        show: |config| config.policy.quiet_ms.to_string(),
    },
    Key {
        name: "timing.dwell_ms",
        set: |config, value| {
            config.policy.dwell_ms = within(value, 0..=600_000)?;
            Ok(())
        },
        show: |config| config.policy.dwell_ms.to_string(),
    },
    Key {
        name: "timing.registry_grace_ms",
        set: |config, value| {
            config.policy.registry_grace_ms = within(value, 0..=60_000)?;
            Ok(())
        },
        show: |config| config.policy.registry_grace_ms.to_string(),
    },
    Key {
        name: "attention.settle_after_ms",
        set: |config, value| {
            config.policy.settle_after_ms = within(value, 0..=2_592_000_000)?;
            Ok(())
        },
        show: |config| config.policy.settle_after_ms.to_string(),
    },
    Key {
        name: "look.glyphs",
        set: |config, value| {
            config.look.glyphs = parsed::<GlyphSet>(value)?;
            Ok(())
        },
        show: |config| format!("{:?}", format!("{:?}", config.look.glyphs).to_lowercase()),
    },
    Key {
        name: "look.order",
        set: |config, value| {
            config.policy.urgency = order(value)?;
            Ok(())
        },
        show: |config| {
            let shown = config
                .policy
                .urgency
                .iter()
                .filter(|state| **state != State::None);
            format!("{:?}", shown.map(|state| state.word()).collect::<Vec<_>>())
        },
    },
    colour!("blocked", Blocked),
    colour!("error", Error),
    colour!("working", Working),
    colour!("done", Done),
    colour!("running", Running),
    colour!("idle", Idle),
    colour!("unknown", Unknown),
    Key {
        name: "tmux.wake_hooks",
        set: |config, value| {
            config.tmux.wake_hooks = value
                .as_bool()
                .ok_or_else(|| format!("{} is neither true nor false", kind(value)))?;
            Ok(())
        },
        show: |config| config.tmux.wake_hooks.to_string(),
    },
    Key {
        name: "zellij.zjstatus",
        set: |config, value| {
            config.zellij.zjstatus = value
                .as_bool()
                .ok_or_else(|| format!("{} is neither true nor false", kind(value)))?;
            Ok(())
        },
        show: |config| config.zellij.zjstatus.to_string(),
    },
    Key {
        name: "notifications.agent.states",
        set: |config, value| {
            config.alerts.states = states(value)?;
            Ok(())
        },
        show: |config| {
            let states = config.alerts.states.iter();
            format!("{:?}", states.map(|state| state.word()).collect::<Vec<_>>())
        },
    },
    Key {
        name: "notifications.agent.settle_seconds",
        set: |config, value| {
            let seconds = within(value, 0..=86_400)?;
            config.alerts.settle_seconds = u32::try_from(seconds).unwrap_or_default();
            Ok(())
        },
        show: |config| config.alerts.settle_seconds.to_string(),
    },
    Key {
        name: "notifications.agent.quiet_hours",
        set: |config, value| {
            config.alerts.quiet_hours = match value.as_str() {
                Some("") => None,
                _ => Some(parsed::<QuietHours>(value)?),
            };
            Ok(())
        },
        show: |config| {
            let hours = config.alerts.quiet_hours.map(|hours| hours.to_string());
            format!("{:?}", hours.unwrap_or_default())
        },
    },
    Key {
        name: "notifications.agent.suppress_focused",
        set: |config, value| {
            config.alerts.suppress_focused = value
                .as_bool()
                .ok_or_else(|| format!("{} is neither true nor false", kind(value)))?;
            Ok(())
        },
        show: |config| config.alerts.suppress_focused.to_string(),
    },
];

fn within(value: &DeValue<'_>, range: RangeInclusive<i64>) -> Result<i64, String> {
    let number = value
        .as_integer()
        .and_then(|integer| i64::from_str_radix(integer.as_str(), integer.radix()).ok())
        .ok_or_else(|| format!("{} is not a whole number", kind(value)))?;
    if range.contains(&number) {
        Ok(number)
    } else {
        Err(format!(
            "{number} is not from {} to {}",
            range.start(),
            range.end()
        ))
    }
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(value: &DeValue<'_>) -> Result<T, String> {
    let text = value
        .as_str()
        .ok_or_else(|| format!("{} is not a text", kind(value)))?;
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// An urgency order: the states that are left out follow in the default order.
fn order(value: &DeValue<'_>) -> Result<Vec<State>, String> {
    let mut states = states(value)?;
    let left_out: Vec<State> = URGENCY
        .into_iter()
        .filter(|state| !states.contains(state))
        .collect();
    states.extend(left_out);
    Ok(states)
}

/// A list of states, each once.
fn states(value: &DeValue<'_>) -> Result<Vec<State>, String> {
    let list = value
        .as_array()
        .ok_or_else(|| format!("{} is not a list", kind(value)))?;
    let mut states = Vec::new();
    for entry in list {
        let state: State = parsed(entry.get_ref())?;
        if states.contains(&state) {
            return Err(format!("{state} is listed twice"));
        }
        states.push(state);
    }
    Ok(states)
}

fn kind(value: &DeValue<'_>) -> String {
    format!("a value of type {}", value.type_str())
}
