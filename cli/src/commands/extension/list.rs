//! `tally extension list`.

use serde::Serialize;
use session_core::AgentName;
use session_core::manifest::Coverage;
use session_host::clock::Clock;
use session_host::manifests;

use crate::commands::agent::how;
use crate::context::Context;
use crate::failure::exit;
use crate::output::{Column, Document, table};
use crate::standings::{Install, Standings, told};

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
    /// Whether the person does not want that.
    opted_out: bool,
    /// Whether its own configuration can be wired.
    global: bool,
    /// How that stands.
    install: Option<Install>,
    /// The files that are kept for it.
    files: Vec<&'static str>,
    coverage: Coverage,
}

/// Lists the extensions.
pub(super) fn run(json: bool, context: &Context) -> anyhow::Result<u8> {
    let standings = Standings::read(context);
    if let Err(error) = standings.record() {
        context.out.error(&error.to_string());
    }
    let now = context.clock.now();
    let mut words = Vec::new();
    let mut extensions = Vec::new();
    for manifest in manifests::all() {
        let standing = standings.of(manifest, false);
        words.push(standing.as_ref().map(|standing| told(standing, now)));
        extensions.push(Extension {
            agent: manifest.name.clone(),
            title: &manifest.title,
            wired: manifest.is_wired(),
            opted_out: standings.opted_out(manifest),
            global: manifest.is_global(),
            install: standing.as_ref().map(Install::from),
            files: manifest.payloads(),
            coverage: manifest.coverage.clone(),
        });
    }
    if json {
        context
            .out
            .json(&Document::new(ExtensionsDocument { extensions }))?;
        return Ok(exit::OK);
    }
    let titles = [
        Column::left("AGENT", 6),
        Column::left("STARTED", 10),
        Column::left("OWN CONFIGURATION", 10),
        Column::left("REPORTS", 10),
        Column::left("SEEN IN", 10),
    ];
    let rows: Vec<Vec<String>> = extensions.iter().zip(words).map(row).collect();
    let plain = |_: Option<usize>, _: usize, cell: &str| cell.to_owned();
    context
        .out
        .data(&table(&titles, &rows, context.out.columns(), &plain))?;
    Ok(exit::OK)
}

fn row((extension, standing): (&Extension, Option<String>)) -> Vec<String> {
    vec![
        extension.agent.to_string(),
        how(extension.wired && !extension.opted_out).to_owned(),
        standing.unwrap_or_else(|| "-".to_owned()),
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
