//! The agents among the ancestors: whose signal it is, and whether that agent was started by another (case B8).

use session_core::{AgentName, ProcessRef};

use crate::process::{ProcessStat, ProcessTable, Recogniser, Role};

/// What the ancestors say about the agent that reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Agents {
    /// Its name, as its process was recognised.
    pub agent: Option<AgentName>,
    /// Its process.
    pub process: Option<ProcessRef>,
    /// Its process group.
    pub group: u32,
    /// Who started it, in words, when that is another agent.
    pub nested: Option<String>,
}

struct Seen<'s> {
    agent: AgentName,
    role: Role,
    stat: &'s ProcessStat,
    index: usize,
}

/// Looks for agents among `below`, nearest first. `named` is the process that the agent itself names as its own.
pub(super) fn agents(
    table: &dyn ProcessTable,
    recogniser: &Recogniser,
    below: &[ProcessStat],
    agent: Option<&AgentName>,
    named: Option<u32>,
) -> Agents {
    let mut seen: Vec<Seen<'_>> = Vec::new();
    for (index, stat) in below.iter().enumerate().rev() {
        let found = match recogniser.recognise(table, stat) {
            Some(found) => Some(found),
            None if named == Some(stat.pid) => agent.map(|agent| (agent.clone(), Role::Program)),
            None => None,
        };
        let Some((agent, role)) = found else { continue };
        let this = Seen {
            agent,
            role,
            stat,
            index,
        };
        match seen.last_mut() {
            // A script and the program that it starts are one agent.
            Some(last)
                if last.agent == this.agent
                    && last.role == Role::Script
                    && last.index == index + 1 =>
            {
                *last = this;
            }
            _ => seen.push(this),
        }
    }
    let says = |seen: &Seen<'_>| format!("{} (pid {})", seen.agent, seen.stat.pid);
    match (seen.as_slice(), agent) {
        ([], _) => Agents::default(),
        // The only agent there is another one, so the one that reports runs under it.
        ([only], Some(agent)) if only.agent != *agent && named != Some(only.stat.pid) => Agents {
            nested: Some(format!("{agent} was started by {}", says(only))),
            ..Agents::default()
        },
        ([only], _) => found(only, None),
        ([.., outer, inner], _) => found(
            inner,
            Some(format!("{} was started by {}", says(inner), says(outer))),
        ),
    }
}

fn found(seen: &Seen<'_>, nested: Option<String>) -> Agents {
    Agents {
        agent: Some(seen.agent.clone()),
        process: Some(seen.stat.reference()),
        group: seen.stat.group,
        nested,
    }
}
