//! Agents' own configuration: whether what was written is there, whole, trusted, and heard.

use session_core::manifest::Manifest;
use session_host::clock::Clock;
use session_host::wiring::global::{InstallState, Problem, Standing};

use super::finding::Finding;
use crate::context::Context;
use crate::standings::{Standings, told};

/// Our own record, where it cannot be used.
pub(super) fn record(standings: &Standings<'_>) -> Option<Finding> {
    let error = standings.record().as_ref().err()?;
    Some(
        Finding::broken("wiring record", error.to_string())
            .expected("a record that reads: without it no agent is wired at launch")
            .repair("move it out of the way; `tally extension activate --global` writes it anew"),
    )
}

/// An agent that the person does not want wired at launch.
pub(super) fn opted_out(manifest: &Manifest) -> Finding {
    let name = &manifest.name;
    Finding::ok(
        &manifest.title,
        format!("not wired at launch: it was deactivated (tally extension activate {name})"),
    )
}

/// What was written into an agent's own configuration; nothing where that was not asked for.
pub(super) fn own(
    manifest: &Manifest,
    standing: &Standing,
    standings: &Standings<'_>,
    context: &Context,
) -> Vec<Finding> {
    let Some(written) = standing.written else {
        return Vec::new();
    };
    let title = format!("{}, its own configuration", manifest.title);
    let mut findings: Vec<Finding> = standing
        .problems
        .iter()
        .map(|problem| told_problem(manifest, &title, problem))
        .collect();
    if !findings.is_empty() {
        return findings;
    }
    let state = told(standing, context.clock.now());
    findings.push(match standing.state {
        InstallState::Written if standings.is_silent_since(manifest, written) => {
            Finding::warning(title, format!("{state}, though a session has begun since"))
                .expected("a report at the start of the first session")
                .repair(format!(
                    "tally extension show {} tells what is wired; the agent's README what can keep it silent",
                    manifest.name
                ))
        }
        InstallState::Written => Finding::note(title, state)
            .repair(format!("start {}: it is heard with its first report", manifest.executable.command)),
        _ => Finding::ok(title, state),
    });
    findings
}

fn told_problem(manifest: &Manifest, title: &str, problem: &Problem) -> Finding {
    let name = &manifest.name;
    let told = problem.to_string();
    let finding = if problem.is_broken() {
        Finding::broken(title, told)
    } else {
        Finding::warning(title, told)
    };
    let again = format!("tally extension reinstall --global {name}");
    match problem {
        Problem::Removed(_) => finding
            .expected("what `tally extension activate --global` wrote there")
            .repair(format!(
                "{again}, or to be rid of it: tally extension deactivate --global {name}"
            )),
        Problem::Partial(..) => finding
            .expected("an entry for every event: without one states are wrong")
            .repair(again),
        Problem::Doubled(..) | Problem::Other(_) => finding.repair(again),
        Problem::Edited(_) => finding.repair(format!(
            "nothing, if it is your change; else {again} --force, which saves it beside"
        )),
        Problem::Unreadable(_) => {
            finding.repair("repair the file; nothing is written into it before")
        }
        Problem::Dead(_) => finding
            .expected("a path that stays over upgrades")
            .repair(again),
        Problem::Elsewhere(_) => finding.repair(format!(
            "where the agent's variable is set for good: tally extension activate --global {name}"
        )),
        Problem::Off(_) => finding
            .expected("hooks that are on")
            .repair("change that setting; it is yours, so Tallylight leaves it"),
        Problem::Untrusted { step, .. } => finding
            .expected("hooks that you have said yes to")
            .repair(step.clone()),
        Problem::TooOld(_) => finding.repair("update the agent"),
    }
}
