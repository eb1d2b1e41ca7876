//! What Tallylight starts in a pane of its own making, so that it can be started again.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ids::{AgentName, PaneId, SessionId};
use crate::session::Session;
use crate::time::Time;

/// The longest name, in characters.
const LONGEST: usize = 64;

/// A command, exactly as it was asked for. It is never changed: what a person declares later is kept beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The program and its arguments; for an agent its name and its own arguments, without what its wiring adds.
    pub argv: Vec<String>,
    /// The directory it is started in.
    pub cwd: String,
    /// The agent, when it is one that is started with its wiring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
}

impl Session {
    /// A session whose command was started in its pane and has not been heard of.
    #[must_use]
    pub fn launched(mut self, name: Option<&SessionName>, launch: Launch) -> Self {
        self.name = name.map(ToString::to_string);
        self.agent.clone_from(&launch.agent);
        self.cwd = Some(launch.cwd.clone());
        self.launch = Some(launch);
        self
    }

    /// The session that follows this one when its command is started again: same name, same command, and what was
    /// declared of it. `None` where no command is known.
    #[must_use]
    pub fn again(&self, id: SessionId, now: Time) -> Option<Self> {
        let launch = self.launch.clone()?;
        let mut next = Self::new(id, self.machine.clone(), None, now);
        next.reports_as.clone_from(&self.reports_as);
        next.repo.clone_from(&self.repo);
        let mut next = next.launched(None, launch);
        next.name.clone_from(&self.name);
        Some(next)
    }

    /// Whether it is a plain command's: no agent was started there, seen there or heard from there.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.agent.is_none()
            && self
                .launch
                .as_ref()
                .is_some_and(|launch| launch.agent.is_none())
    }
}

/// A name that a person gives a session: one line, and nothing that is a REF of another kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionName(String);

/// Why a text is no name for a session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// There is nothing in it.
    #[error("a session's name cannot be empty")]
    Empty,
    /// It is too long.
    #[error("a session's name has at most {LONGEST} characters")]
    TooLong,
    /// It is more than one line, or moves the cursor.
    #[error("a session's name has no control characters")]
    Control,
    /// It would be taken for a pane, an id or an option.
    #[error("{0:?} cannot be a name: it would be taken for a pane, an id or an option")]
    Taken(String),
}

impl fmt::Display for SessionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SessionName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        if text.trim().is_empty() {
            return Err(NameError::Empty);
        }
        if text.chars().count() > LONGEST {
            return Err(NameError::TooLong);
        }
        if text.chars().any(char::is_control) {
            return Err(NameError::Control);
        }
        let taken = text.starts_with('-')
            || text.starts_with("tmux:")
            || text.starts_with("zellij:")
            || text.parse::<PaneId>().is_ok()
            || text.parse::<SessionId>().is_ok()
            || text.bytes().all(|byte| byte.is_ascii_digit());
        if taken {
            return Err(NameError::Taken(text.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::MachineId;
    use uuid::Uuid;

    fn launch(agent: Option<&str>) -> Launch {
        Launch {
            argv: vec!["sh".to_owned(), "-c".to_owned(), "a \"b\"\n$c".to_owned()],
            cwd: "/x".to_owned(),
            agent: agent.and_then(|agent| agent.parse().ok()),
        }
    }

    fn session(id: u128) -> Session {
        let id = SessionId(Uuid::from_u128(id));
        Session::new(id, MachineId("m".to_owned()), None, Time(1))
    }

    #[test]
    fn a_name_is_no_other_kind_of_reference() {
        for name in ["api", "feature/login", "two words", "日本", "7a"] {
            assert_eq!(name.parse::<SessionName>().unwrap().to_string(), name);
        }
        for (text, why) in [
            ("", NameError::Empty),
            ("  ", NameError::Empty),
            ("a\nb", NameError::Control),
            ("%5", NameError::Taken("%5".to_owned())),
            ("5", NameError::Taken("5".to_owned())),
            ("tmux:x", NameError::Taken("tmux:x".to_owned())),
            ("--all", NameError::Taken("--all".to_owned())),
        ] {
            assert_eq!(text.parse::<SessionName>(), Err(why));
        }
        assert_eq!(
            "x".repeat(65).parse::<SessionName>(),
            Err(NameError::TooLong)
        );
    }

    #[test]
    fn a_session_that_is_started_again_keeps_its_name_its_command_and_what_was_declared() {
        let name: SessionName = "api".parse().unwrap();
        let mut first = session(1).launched(Some(&name), launch(None));
        first.reports_as = "claude".parse().ok();
        // Declared afterwards, it is no part of what is started.
        assert_eq!(first.launch, Some(launch(None)));
        let next = first.again(SessionId(Uuid::from_u128(2)), Time(5)).unwrap();
        assert_eq!(next.name.as_deref(), Some("api"));
        assert_eq!(next.launch, first.launch);
        assert_eq!(next.reports_as, first.reports_as);
        assert_eq!(next.cwd.as_deref(), Some("/x"));
        assert_eq!(next.born, Time(5));
        assert!(session(1).again(next.id, Time(5)).is_none());
    }

    #[test]
    fn only_a_command_without_an_agent_is_plain() {
        assert!(session(1).launched(None, launch(None)).is_plain());
        assert!(!session(1).launched(None, launch(Some("claude"))).is_plain());
        assert!(!session(1).is_plain());
        let mut heard = session(1).launched(None, launch(None));
        heard.agent = "codex".parse().ok();
        assert!(!heard.is_plain());
    }

    #[test]
    fn a_record_of_an_older_build_has_no_launch_and_reads_back() {
        let mut json = serde_json::to_value(session(1)).unwrap();
        assert!(
            json.get("launch").is_none(),
            "an older build meets nothing new"
        );
        json["launch"] = serde_json::json!({"argv": ["x"], "cwd": "/"});
        let read: Session = serde_json::from_value(json).unwrap();
        assert_eq!(read.launch.unwrap().argv, ["x"]);
    }
}
