//! `tally agent`.

use std::path::PathBuf;

use serde::Serialize;
use session_core::AgentName;
use session_host::manifests;
use session_host::wiring::find_executable;

use crate::args::AgentCommand;
use crate::context::Context;
use crate::failure::exit;
use crate::output::{Column, Document, table};

/// `tally agent list --json`.
#[derive(Serialize)]
struct AgentsDocument {
    agents: Vec<Agent>,
}

/// An agent, and whether it is here.
#[derive(Serialize)]
struct Agent {
    name: AgentName,
    title: &'static str,
    /// The command that starts it.
    command: &'static str,
    /// Its program, where it is installed.
    program: Option<PathBuf>,
    /// Whether anything is added when it is started, so that it reports.
    wired: bool,
}

/// Lists the agents.
pub(crate) fn run(command: &AgentCommand, context: &Context) -> anyhow::Result<u8> {
    let AgentCommand::List { json } = command;
    let own = context.own();
    let agents: Vec<Agent> = manifests::all()
        .iter()
        .map(|manifest| Agent {
            name: manifest.name.clone(),
            title: &manifest.title,
            command: &manifest.executable.command,
            program: find_executable(&context.env, &manifest.executable.command, &own).ok(),
            wired: manifest.is_wired(),
        })
        .collect();
    if *json {
        context
            .out
            .json(&Document::new(AgentsDocument { agents }))?;
        return Ok(exit::OK);
    }
    let titles = [
        Column::left("AGENT", 6),
        Column::left("STARTED", 10),
        Column::left("PROGRAM", 10),
    ];
    let rows: Vec<Vec<String>> = agents
        .iter()
        .map(|agent| {
            let program = agent.program.as_ref();
            vec![
                agent.name.to_string(),
                how(agent.wired).to_owned(),
                program.map_or_else(
                    || "not installed".to_owned(),
                    |path| path.display().to_string(),
                ),
            ]
        })
        .collect();
    let plain = |_: Option<usize>, _: usize, cell: &str| cell.to_owned();
    context
        .out
        .data(&table(&titles, &rows, context.out.columns(), &plain))?;
    Ok(exit::OK)
}

/// How an agent is started, in words.
pub(super) const fn how(wired: bool) -> &'static str {
    if wired { "wired" } else { "as it is" }
}
