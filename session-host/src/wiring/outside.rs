//! A session for an agent outside every multiplexer.
//!
//! There is no pane to know it by, so it is begun before the agent is, under this process's id, which the agent keeps.
//! Its reports find it by `TALLY_SESSION`.

use std::time::Duration;

use session_core::{
    AgentName, Corroboration, Event, MachineId, Policy, Session, SessionId, Time, apply,
};

use crate::env::Env;
use crate::intake::new_id;
use crate::nudge::{Nudge, nudge};
use crate::paths::Paths;
use crate::process::ProcessTable;
use crate::store::{Row, Store, StoreError};

/// The variable that names the session.
pub const VARIABLE: &str = "TALLY_SESSION";

/// The variable that says what the session of an agent is declared to report as, when it begins.
pub const REPORTS_AS: &str = "TALLY_REPORTS_AS";

/// How long the agent's start is held up by a store that another process holds.
const WAIT: Duration = Duration::from_millis(250);

/// Whether no multiplexer shows itself in the environment.
#[must_use]
pub fn is_outside(env: &Env) -> bool {
    ["TMUX", "ZELLIJ"]
        .iter()
        .all(|variable| env.get(variable).is_none())
}

/// Begins a session of this process.
///
/// # Errors
/// When it cannot be stored: the agent's reports are then counted as belonging to nobody.
pub fn begin(
    paths: &Paths,
    machine: &MachineId,
    processes: &dyn ProcessTable,
    agent: &AgentName,
    reports_as: Option<&AgentName>,
    now: Time,
) -> Result<SessionId, StoreError> {
    let id = new_id(now);
    let mut session = Session::new(id, machine.clone(), None, now);
    session.agent = Some(agent.clone());
    session.reports_as = reports_as.cloned();
    session.cwd = std::env::current_dir()
        .ok()
        .map(|cwd| cwd.display().to_string());
    let mut effects = Vec::new();
    if let Ok(own) = processes.stat(processes.own_pid()) {
        let agent = Some((agent.clone(), own.reference()));
        let seen = Event::Processes {
            corroboration: Corroboration::Agent,
            agent,
        };
        effects = apply(&mut session, seen, &Policy::default(), now).effects;
    }
    let mut store = Store::open_writing(paths, WAIT)?;
    let row = Row::new(session);
    store.write(now, |transaction| transaction.save(&row, &effects))?;
    // Without a daemon nobody needs to be told.
    let _ = nudge(paths, &Nudge::Changed(id));
    Ok(id)
}
