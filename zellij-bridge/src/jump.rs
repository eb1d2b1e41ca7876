//! Brings the person to a pane.

use std::thread::sleep;
use std::time::Duration;

use session_core::PaneId;

use crate::error::ZellijError;
use crate::zellij::{Address, DEADLINE};

/// How often is looked whether somebody is shown the pane, and the pause between two looks: zellij answers before it has
/// moved anybody.
const LOOKS: usize = 10;
const PAUSE: Duration = Duration::from_millis(50);

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jump {
    /// The client that was used last shows the pane.
    Switched,
    /// Nobody is attached; this session has the pane.
    Attach {
        /// What it is called.
        session: String,
    },
}

/// Who asks, and what is known of the session.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The session that the person is in, when that is another one: its client goes over.
    pub from: Option<&'a Address>,
    /// How many clients the session has, as the daemon saw it last.
    pub clients: Option<usize>,
}

/// Shows a pane to the person. zellij moves the client that was used last, to the pane's tab as well (facts §3). With
/// nobody attached it would succeed and change nothing. Blocking.
///
/// # Errors
/// When a session is not there, does not answer in time, or refuses.
pub fn jump(session: &Address, pane: PaneId, asked: Asked<'_>) -> Result<Jump, ZellijError> {
    let pane = format!("terminal_{}", pane.0);
    if let Some(from) = asked.from {
        from.action(
            &["switch-session", session.name(), "--pane-id", &pane],
            DEADLINE,
        )?;
        return Ok(Jump::Switched);
    }
    // Whoever attaches later is to find it as well.
    match session.action(&["focus-pane-id", &pane], DEADLINE) {
        Err(ZellijError::Refused(why)) if is_there_already(&why) => {}
        gone => drop(gone?),
    }
    let attach = || Jump::Attach {
        session: session.name().to_owned(),
    };
    if asked.clients == Some(0) {
        return Ok(attach());
    }
    for _ in 0..LOOKS {
        let clients = session.action(&["list-clients"], DEADLINE)?;
        match shown(&String::from_utf8_lossy(&clients)).as_slice() {
            [] => return Ok(attach()),
            shown if shown.contains(&pane) => return Ok(Jump::Switched),
            _ => sleep(PAUSE),
        }
    }
    // An order of another program's may have been the last that zellij heard of, and then it moves nobody.
    Err(ZellijError::NotShown { pane })
}

/// The panes that the clients are at, out of what `list-clients` prints below its head.
fn shown(clients: &str) -> Vec<String> {
    let pane = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
    clients.lines().skip(1).filter_map(pane).collect()
}

/// Whether zellij refuses because there is nothing to do: "Pane Terminal(0) is already focused" (0.45.1).
fn is_there_already(why: &str) -> bool {
    why.contains("already focused")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_is_at_a_pane() {
        let printed = "CLIENT_ID ZELLIJ_PANE_ID RUNNING_COMMAND\n1         terminal_2     N/A            \n3         plugin_0       vim a b\n";
        assert_eq!(shown(printed), ["terminal_2", "plugin_0"]);
        assert!(shown("CLIENT_ID ZELLIJ_PANE_ID RUNNING_COMMAND\n").is_empty());
    }

    #[test]
    fn to_be_there_already_is_no_failure() {
        assert!(is_there_already("Pane Terminal(0) is already focused"));
        assert!(!is_there_already("Pane Terminal(9) not found"));
    }
}
