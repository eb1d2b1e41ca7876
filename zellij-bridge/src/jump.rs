//! Brings the person to a pane.

use std::thread::sleep;
use std::time::Duration;

use session_core::PaneId;
use session_core::wire::{Flavour, Show};

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
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The session that the person is in, when that is another one: its client goes over.
    pub from: Option<&'a Address>,
    /// How many clients the session has, as the daemon saw it last.
    pub clients: Option<usize>,
    /// Whose plugin is asked to go there when zellij moves nobody.
    pub flavour: Flavour,
}

/// Shows a pane to the person. zellij moves the client that was used last, to the pane's tab as well (facts §3). When that
/// is nobody any more, and one client is attached, the plugin in the session moves it. With nobody attached it would
/// succeed and change nothing. Blocking.
///
/// # Errors
/// When a session is not there, does not answer in time, or refuses.
pub fn jump(session: &Address, pane: PaneId, asked: Asked<'_>) -> Result<Jump, ZellijError> {
    let name = format!("terminal_{}", pane.0);
    if let Some(from) = asked.from {
        from.action(
            &["switch-session", session.name(), "--pane-id", &name],
            DEADLINE,
        )?;
        return Ok(Jump::Switched);
    }
    // Whoever attaches later is to find it as well.
    match session.action(&["focus-pane-id", &name], DEADLINE) {
        Err(ZellijError::Refused(why)) if is_there_already(&why) => {}
        gone => drop(gone?),
    }
    let attach = || Jump::Attach {
        session: session.name().to_owned(),
    };
    if asked.clients == Some(0) {
        return Ok(attach());
    }
    let clients = match look(session, &name)? {
        Look::Shown => return Ok(Jump::Switched),
        Look::Nobody => return Ok(attach()),
        Look::Elsewhere(clients) => clients,
    };
    // An order of another program's may have been the last that zellij heard of, and then it moves nobody. The plugin
    // moves whom it is told to. Of several clients nobody knows which one the person is at.
    if let [client] = clients.as_slice()
        && let Ok(line) = Show::to(*client, pane).line()
        && session.pipe(asked.flavour.show(), &line, DEADLINE).is_ok()
    {
        match look(session, &name)? {
            Look::Shown => return Ok(Jump::Switched),
            Look::Nobody => return Ok(attach()),
            Look::Elsewhere(_) => {}
        }
    }
    Err(ZellijError::NotShown { pane: name })
}

/// Where the clients are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Look {
    /// One of them is at the pane.
    Shown,
    /// There are none.
    Nobody,
    /// All of them are at other panes.
    Elsewhere(Vec<u16>),
}

impl Look {
    /// Reads what `list-clients` prints below its head.
    fn read(printed: &str, pane: &str) -> Self {
        let mut clients = Vec::new();
        for line in printed.lines().skip(1) {
            let mut words = line.split_whitespace();
            let (Some(client), Some(at)) = (words.next(), words.next()) else {
                continue;
            };
            if at == pane {
                return Self::Shown;
            }
            clients.extend(client.parse::<u16>());
        }
        if clients.is_empty() {
            Self::Nobody
        } else {
            Self::Elsewhere(clients)
        }
    }
}

/// Looks until somebody is shown the pane, or for as long as that may take.
fn look(session: &Address, pane: &str) -> Result<Look, ZellijError> {
    let mut seen = Look::Nobody;
    for _ in 0..LOOKS {
        let printed = session.action(&["list-clients"], DEADLINE)?;
        seen = Look::read(&String::from_utf8_lossy(&printed), pane);
        match seen {
            Look::Shown | Look::Nobody => break,
            Look::Elsewhere(_) => sleep(PAUSE),
        }
    }
    Ok(seen)
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
        assert_eq!(Look::read(printed, "terminal_2"), Look::Shown);
        assert_eq!(
            Look::read(printed, "terminal_1"),
            Look::Elsewhere(vec![1, 3])
        );
        let head = "CLIENT_ID ZELLIJ_PANE_ID RUNNING_COMMAND\n";
        assert_eq!(Look::read(head, "terminal_1"), Look::Nobody);
    }

    #[test]
    fn to_be_there_already_is_no_failure() {
        assert!(is_there_already("Pane Terminal(0) is already focused"));
        assert!(!is_there_already("Pane Terminal(9) not found"));
    }
}
