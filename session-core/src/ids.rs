//! Typed identifiers: parsed at the border, printed with `Display`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An identifier that does not have its form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {expected}")]
pub struct IdError {
    /// What was read.
    pub text: String,
    /// The form it should have had.
    pub expected: &'static str,
}

impl IdError {
    pub(crate) fn new(text: &str, expected: &'static str) -> Self {
        Self {
            text: text.chars().take(64).collect(),
            expected,
        }
    }
}

/// A multiplexer that can host panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mux {
    /// tmux: many mux sessions a server.
    Tmux,
    /// zellij: each session process is a server.
    Zellij,
}

impl fmt::Display for Mux {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tmux => "tmux",
            Self::Zellij => "zellij",
        })
    }
}

impl FromStr for Mux {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        match text {
            "tmux" => Ok(Self::Tmux),
            "zellij" => Ok(Self::Zellij),
            _ => Err(IdError::new(text, "a multiplexer (tmux, zellij)")),
        }
    }
}

macro_rules! numbered_id {
    ($(#[$doc:meta])* $name:ident, $sigil:literal, $form:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($sigil, "{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                text.strip_prefix($sigil)
                    .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
                    .and_then(|digits| digits.parse().ok())
                    .map(Self)
                    .ok_or_else(|| IdError::new(text, $form))
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }
    };
}

numbered_id! {
    /// A pane of a server, written `%5` for both multiplexers (zellij: the terminal pane id).
    PaneId, "%", "a pane id such as %5"
}
numbered_id! {
    /// A window of a server, written `@3` (zellij: the stable tab id).
    WindowId, "@", "a window id such as @3"
}
numbered_id! {
    /// A mux session of a server, written `$1` (zellij: always `$0`, the server is the session).
    MuxSessionId, "$", "a mux session id such as $1"
}

/// A client of a server, by the name its multiplexer gives it (tmux: usually its tty).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClientId(pub String);

/// One tmux server process or one zellij session process, never mistaken for its successor on the same
/// socket (design §5.10).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ServerId {
    /// The multiplexer.
    pub mux: Mux,
    /// tmux: the socket's path. zellij: the session's name when it was first seen.
    pub socket: String,
    /// The server's process id.
    pub pid: u32,
    /// The server's start time, in seconds since the Unix epoch; 0 when it is not known.
    pub started: i64,
}

impl fmt::Display for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}:{}",
            self.mux, self.socket, self.pid, self.started
        )
    }
}

/// One pane of one server, for the life of that server.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PaneKey {
    /// The server.
    pub server: ServerId,
    /// The pane.
    pub pane: PaneId,
}

impl fmt::Display for PaneKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}",
            self.server.mux, self.server.socket, self.pane
        )
    }
}

/// The name of an agent: lower-case letters, digits, `-` and `_`, at most 32, starting with a letter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AgentName(String);

impl AgentName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for AgentName {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let well_formed = text.len() <= 32
            && text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_'
            });
        if well_formed {
            Ok(Self(text.to_owned()))
        } else {
            Err(IdError::new(
                text,
                "an agent name (lower-case letters, digits, - and _, at most 32, starting with a letter)",
            ))
        }
    }
}

impl TryFrom<String> for AgentName {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<AgentName> for String {
    fn from(name: AgentName) -> Self {
        name.0
    }
}

/// One agent's life in one pane, from first sight to exit: a UUIDv7 made by the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(pub Uuid);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for SessionId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Uuid::try_parse(text)
            .map(Self)
            .map_err(|_| IdError::new(text, "a session id (a UUID)"))
    }
}

/// The machine a session runs on: its host name, cut and cleaned by the host.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MachineId(pub String);

impl fmt::Display for MachineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("%5", Some(5))]
    #[case("%0", Some(0))]
    #[case("5", None)]
    #[case("%", None)]
    #[case("%-1", None)]
    #[case("%+1", None)]
    #[case("%5 ", None)]
    #[case("%99999999999", None)]
    fn a_pane_id_is_a_percent_sign_and_a_number(#[case] text: &str, #[case] id: Option<u32>) {
        assert_eq!(text.parse().ok(), id.map(PaneId));
    }

    #[rstest]
    #[case("claude", true)]
    #[case("my-agent_2", true)]
    #[case("", false)]
    #[case("Claude", false)]
    #[case("2fast", false)]
    #[case("a b", false)]
    #[case("../x", false)]
    #[case("#(touch x)", false)]
    fn an_agent_name_can_be_neither_a_path_nor_a_format(#[case] text: &str, #[case] ok: bool) {
        assert_eq!(text.parse::<AgentName>().is_ok(), ok);
    }
}
