//! The states a session can be in, and their urgency.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ids::IdError;

/// What a session is doing (design §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It waits for the person: a permission, an answer, a login.
    Blocked,
    /// The turn failed, or the agent crashed.
    Error,
    /// A turn is open, or background work of one goes on.
    Working,
    /// The turn ended and nobody has seen it yet.
    Done,
    /// An agent process holds the pane and has never signalled.
    Running,
    /// The agent waits for a prompt and there is nothing new to see.
    Idle,
    /// There was evidence once, and none that can be believed now; never shown as idle.
    Unknown,
    /// No agent.
    None,
}

/// All states, most urgent first: the default urgency order (design §2).
pub const URGENCY: [State; 8] = [
    State::Blocked,
    State::Error,
    State::Working,
    State::Done,
    State::Running,
    State::Idle,
    State::Unknown,
    State::None,
];

impl State {
    /// The state's word, as used in JSON, tmux options and the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Error => "error",
            Self::Working => "working",
            Self::Done => "done",
            Self::Running => "running",
            Self::Idle => "idle",
            Self::Unknown => "unknown",
            Self::None => "none",
        }
    }

    /// The state's place in `order`, 0 being the most urgent; a state that `order` leaves out comes last.
    #[must_use]
    pub fn urgency(self, order: &[Self]) -> usize {
        order
            .iter()
            .position(|state| *state == self)
            .unwrap_or(order.len())
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for State {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        URGENCY
            .into_iter()
            .find(|state| state.word() == text)
            .ok_or_else(|| {
                IdError::new(
                    text,
                    "a state (blocked, error, working, done, running, idle, unknown, none)",
                )
            })
    }
}

/// What a blocked session waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockedKind {
    /// Permission to use a tool.
    Permission,
    /// An answer to a question, or the approval of a plan.
    Question,
    /// A login or another credential.
    Auth,
}

impl BlockedKind {
    /// The kind's word, as used in JSON, tmux options and the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Question => "question",
            Self::Auth => "auth",
        }
    }
}

impl FromStr for BlockedKind {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        [Self::Permission, Self::Question, Self::Auth]
            .into_iter()
            .find(|kind| kind.word() == text)
            .ok_or_else(|| IdError::new(text, "a blocked kind (permission, question, auth)"))
    }
}

/// Why a turn failed (design §5.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The model's service asked to slow down, or a usage limit was reached.
    RateLimit,
    /// The credentials were refused.
    Auth,
    /// The account cannot pay for the request.
    Billing,
    /// The model's service failed or was overloaded.
    Server,
    /// The request was refused as such.
    Request,
    /// The agent's process ended with an exit status or a signal.
    Crash,
    /// Anything else.
    Other,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::RateLimit,
        Self::Auth,
        Self::Billing,
        Self::Server,
        Self::Request,
        Self::Crash,
        Self::Other,
    ];

    /// The kind's word, as used in JSON, tmux options and the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::RateLimit => "rate_limit",
            Self::Auth => "auth",
            Self::Billing => "billing",
            Self::Server => "server",
            Self::Request => "request",
            Self::Crash => "crash",
            Self::Other => "other",
        }
    }
}

impl FromStr for ErrorKind {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.word() == text)
            .ok_or_else(|| {
                IdError::new(
                    text,
                    "an error kind (rate_limit, auth, billing, server, request, crash, other)",
                )
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_urgency_is_the_documented_one() {
        let words: Vec<_> = URGENCY.iter().map(|state| state.word()).collect();
        assert_eq!(
            words.join(" > "),
            "blocked > error > working > done > running > idle > unknown > none"
        );
    }

    #[test]
    fn every_word_reads_back() {
        for state in URGENCY {
            assert_eq!(state.word().parse(), Ok(state));
        }
        for kind in ErrorKind::ALL {
            assert_eq!(kind.word().parse(), Ok(kind));
        }
    }
}
