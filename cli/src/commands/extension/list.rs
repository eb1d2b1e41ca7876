//! `tally extension list`.

use serde::Serialize;
use session_core::AgentName;
use session_core::manifest::Coverage;
use session_host::manifests;

use crate::commands::agent::how;
use crate::context::Context;
use crate::failure::exit;
use crate::output::{Column, Document, table};

/// `tally extension list --json`.
#[derive(Serialize)]
struct ExtensionsDocument {
    extensions: Vec<Extension>,
}

/// An extension of this build.
#[derive(Serialize)]
struct Extension {
    agent: AgentName,
    title: &'static str,
    /// Whether anything is added when the agent is started, so that it reports.
    wired: bool,
    /// The files that are kept for it.
    files: Vec<&'static str>,
    coverage: Coverage,
}

/// Lists the extensions.
pub(super) fn run(json: bool, context: &Context) -> anyhow::Result<u8> {
    let extensions: Vec<Extension> = manifests::all()
        .iter()
        .map(|manifest| Extension {
            agent: manifest.name.clone(),
            title: &manifest.title,
            wired: manifest.is_wired(),
            files: manifest
                .external_files
                .iter()
                .map(|file| file.name.as_str())
                .collect(),
            coverage: manifest.coverage.clone(),
        })
        .collect();
    if json {
        context
            .out
            .json(&Document::new(ExtensionsDocument { extensions }))?;
        return Ok(exit::OK);
    }
    let titles = [
        Column::left("AGENT", 6),
        Column::left("STARTED", 10),
        Column::left("REPORTS", 10),
        Column::left("SEEN IN", 10),
    ];
    let rows: Vec<Vec<String>> = extensions.iter().map(row).collect();
    let plain = |_: Option<usize>, _: usize, cell: &str| cell.to_owned();
    context
        .out
        .data(&table(&titles, &rows, context.out.columns(), &plain))?;
    Ok(exit::OK)
}

fn row(extension: &Extension) -> Vec<String> {
    vec![
        extension.agent.to_string(),
        how(extension.wired).to_owned(),
        reports(&extension.coverage),
        extension.coverage.verified.join(", "),
    ]
}

/// What an agent can report, in words.
pub(super) fn reports(coverage: &Coverage) -> String {
    if coverage.reportable.is_empty() {
        return "nothing: by process only".to_owned();
    }
    let states: Vec<&str> = coverage
        .reportable
        .iter()
        .map(|state| state.word())
        .collect();
    states.join(", ")
}
