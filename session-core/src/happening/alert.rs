//! Which changes of an agent's state are worth an alert: the gate of `[notifications.agent]`, one for the hook
//! `after-agent-state` and for notifications.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ids::IdError;
use crate::state::State;

/// The minutes of a day.
pub const MINUTES_A_DAY: u16 = 24 * 60;

/// What alerts, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alerts {
    /// The states that alert.
    pub states: Vec<State>,
    /// For how long a state has to last, in seconds.
    pub settle_seconds: u32,
    /// When nothing alerts.
    pub quiet_hours: Option<QuietHours>,
    /// Whether a pane that somebody looks at does not alert.
    pub suppress_focused: bool,
}

impl Default for Alerts {
    fn default() -> Self {
        Self {
            states: vec![State::Blocked, State::Error, State::Done],
            settle_seconds: 0,
            quiet_hours: None,
            suppress_focused: false,
        }
    }
}

/// A span of the day, in local time; it may go past midnight. `22:00-07:30` begins at 22:00 and ends before 07:30.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietHours {
    from: u16,
    until: u16,
}

/// What is so when a state has lasted long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The state that the session shows now.
    pub state: Option<State>,
    /// The minute of the day, in local time; `None` when it is not known, and then no hour is a quiet one.
    pub minute: Option<u16>,
    /// Whether a client whose terminal has the focus shows the pane.
    pub looked_at: bool,
}

impl Alerts {
    /// Whether a change of state is to be waited for at all.
    #[must_use]
    pub fn wanted(&self, from: State, to: State) -> bool {
        from != to && self.states.contains(&to)
    }

    /// Why a state that was to alert does not, now that its time has come.
    #[must_use]
    pub fn withheld(&self, to: State, now: Moment) -> Option<&'static str> {
        let quiet = self.quiet_hours.zip(now.minute);
        if self.settle_seconds > 0 && now.state != Some(to) {
            Some("the state did not last")
        } else if quiet.is_some_and(|(hours, minute)| hours.hold(minute)) {
            Some("quiet hours")
        } else if self.suppress_focused && now.looked_at {
            Some("somebody looks at the pane")
        } else {
            None
        }
    }
}

impl QuietHours {
    /// Whether a minute of the day is in them.
    #[must_use]
    pub const fn hold(self, minute: u16) -> bool {
        if self.from <= self.until {
            self.from <= minute && minute < self.until
        } else {
            self.from <= minute || minute < self.until
        }
    }
}

impl fmt::Display for QuietHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, until] = [self.from, self.until].map(|at| (at / 60, at % 60));
        write!(
            f,
            "{:02}:{:02}-{:02}:{:02}",
            from.0, from.1, until.0, until.1
        )
    }
}

impl FromStr for QuietHours {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let minute = |text: &str| {
            let (hour, minute) = text.trim().split_once(':')?;
            let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
            (hour < 24 && minute < 60).then_some(hour * 60 + minute)
        };
        text.split_once('-')
            .and_then(|(from, until)| {
                Some(Self {
                    from: minute(from)?,
                    until: minute(until)?,
                })
            })
            .ok_or_else(|| IdError::new(text, "a span of the day such as 22:00-07:30"))
    }
}
