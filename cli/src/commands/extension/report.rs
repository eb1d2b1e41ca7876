//! What became of each agent's wiring, for people and for programs.

use std::path::PathBuf;

use serde::Serialize;
use session_core::AgentName;
use session_host::wiring::global::Change;

use super::diff::unified;
use super::{How, Verb};
use crate::context::Context;
use crate::failure::exit;
use crate::output::Document;

/// `tally extension activate --json` and its like.
#[derive(Serialize)]
struct WiringDocument {
    /// Whether all went well.
    ok: bool,
    /// Whether nothing was to be changed.
    dry_run: bool,
    agents: Vec<Outcome>,
}

/// What became of one agent's wiring.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    pub(super) agent: AgentName,
    pub(super) result: Ending,
    pub(super) changes: Vec<Changed>,
    /// What the person should know.
    pub(super) notes: Vec<String>,
    /// What was left as it is, and why.
    pub(super) left: Vec<String>,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Ending {
    /// As it should.
    Done,
    /// It was so already.
    Unchanged,
    /// There is nothing to do it to, and nobody asked for this agent by name.
    Skipped,
    /// Something was left as it is.
    Left,
}

/// One file.
#[derive(Debug, Serialize)]
pub(super) struct Changed {
    path: PathBuf,
    /// What happens to it.
    change: Happens,
    /// The difference, in a dry run.
    diff: Option<String>,
    /// Where an edited file of ours was saved.
    backup: Option<PathBuf>,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Happens {
    Created,
    Changed,
    Removed,
    Unchanged,
}

impl Changed {
    /// A change that was made, or with `dry_run` one that would be.
    pub(super) fn of(change: Change, dry_run: bool) -> Self {
        let happens = match (&change.before, &change.after) {
            _ if !change.is_any() => Happens::Unchanged,
            (None, _) => Happens::Created,
            (_, None) => Happens::Removed,
            _ => Happens::Changed,
        };
        let diff = dry_run.then(|| {
            unified(
                &change.path,
                change.before.as_deref(),
                change.after.as_deref(),
            )
        });
        Self {
            path: change.path,
            change: happens,
            diff,
            backup: change.backup,
        }
    }

    /// Whether anything happens to it.
    pub(super) fn is_any(&self) -> bool {
        self.change != Happens::Unchanged
    }
}

impl Outcome {
    /// One that is to be filled.
    pub(super) fn new(agent: &AgentName, result: Ending) -> Self {
        Self {
            agent: agent.clone(),
            result,
            changes: Vec::new(),
            notes: Vec::new(),
            left: Vec::new(),
        }
    }

    /// Nothing could be done.
    pub(super) fn left(agent: &AgentName, why: impl Into<String>) -> Self {
        Self {
            left: vec![why.into()],
            ..Self::new(agent, Ending::Left)
        }
    }

    /// Something to know.
    #[must_use]
    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// Tells the outcomes. Ends with status 1 where something was left.
pub(super) fn report(
    how: How,
    outcomes: Vec<Outcome>,
    json: bool,
    context: &Context,
) -> anyhow::Result<u8> {
    let ok = outcomes
        .iter()
        .all(|outcome| outcome.result != Ending::Left);
    let status = if ok { exit::OK } else { exit::FAILED };
    if json {
        let document = WiringDocument {
            ok,
            dry_run: how.dry_run,
            agents: outcomes,
        };
        context.out.json(&Document::new(document))?;
        return Ok(status);
    }
    let mut silent = true;
    for outcome in &outcomes {
        let agent = &outcome.agent;
        for changed in &outcome.changes {
            if let Some(diff) = &changed.diff {
                if !diff.is_empty() {
                    context.out.data(diff)?;
                    silent = false;
                }
                continue;
            }
            silent = false;
            let path = changed.path.display();
            context.out.note(&match changed.change {
                Happens::Created => format!("{agent}: {path} was made."),
                Happens::Changed => format!("{agent}: {path} was changed."),
                Happens::Removed => format!("{agent}: {path} was removed."),
                Happens::Unchanged => format!("{agent}: {path} is as it should be."),
            });
            if let Some(backup) = &changed.backup {
                context.out.note(&format!(
                    "{agent}: what it held is in {}.",
                    backup.display()
                ));
            }
        }
        for note in &outcome.notes {
            silent = false;
            context.out.note(&format!("{agent}: {note}"));
        }
        for left in &outcome.left {
            silent = false;
            context.out.error(&format!("{agent}: {left}"));
        }
    }
    if silent {
        context.out.note(match how.verb {
            Verb::Diff => "Nothing would change.",
            _ => "There is nothing to do.",
        });
    }
    Ok(status)
}
