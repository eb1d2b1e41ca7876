//! Wiring at launch: on unless the person has said otherwise.

use session_core::manifest::Manifest;
use session_host::files::{LARGEST, read_regular_text};
use session_host::wiring::global::{Book, Change};
use session_host::wiring::{ManagedFile, managed_files};

use super::choice::Choice;
use super::report::{Changed, Ending, Outcome};
use super::{How, Verb};
use crate::context::Context;
use crate::failure::Failure;

/// Does it for each of the agents.
pub(super) fn change(how: How, chosen: &Choice, context: &Context) -> anyhow::Result<Vec<Outcome>> {
    let writes = !how.dry_run && matches!(how.verb, Verb::Activate | Verb::Deactivate);
    let book = if writes {
        Book::open(&context.paths)
    } else {
        Book::open_reading(&context.paths)
    };
    let mut book = book.map_err(|error| Failure::failed(error.to_string()))?;
    let before = book.record.clone();
    let mut outcomes = Vec::new();
    for manifest in &chosen.agents {
        if manifest.is_wired() {
            outcomes.push(one(how, manifest, &mut book, context));
        } else if chosen.named {
            let why = if manifest.is_global() {
                "it cannot be wired at launch; with --global it is in its own configuration"
            } else {
                "it is known by its process only: there is no wiring of it"
            };
            outcomes.push(Outcome::left(&manifest.name, why));
        }
    }
    if writes && book.record != before {
        book.save()
            .map_err(|error| Failure::failed(error.to_string()))?;
    }
    Ok(outcomes)
}

fn one(how: How, manifest: &Manifest, book: &mut Book, context: &Context) -> Outcome {
    let agent = &manifest.name;
    let name = agent.to_string();
    let opted_out = book.record.opted_out.contains(&name);
    let would = if how.dry_run { "would be " } else { "" };
    match how.verb {
        Verb::Activate => {
            if !how.dry_run {
                book.record.opted_out.remove(&name);
            }
            let result = if opted_out {
                Ending::Done
            } else {
                Ending::Unchanged
            };
            Outcome::new(agent, result).note(format!("{would}wired when Tallylight starts it."))
        }
        Verb::Deactivate => {
            if !how.dry_run {
                book.record.opted_out.insert(name);
            }
            let result = if opted_out {
                Ending::Unchanged
            } else {
                Ending::Done
            };
            let told = Outcome::new(agent, result).note(format!(
                "{would}started as it is from now on; those that run keep their wiring."
            ));
            if book.record.of(agent.as_str()).next().is_some() {
                told.note("its own configuration is wired as well: --global takes that out.")
            } else {
                told
            }
        }
        Verb::Reinstall | Verb::Diff if opted_out => Outcome::new(agent, Ending::Skipped)
            .note("it is not wired at launch: `tally extension activate` undoes that."),
        Verb::Reinstall | Verb::Diff => files(how, manifest, context),
    }
}

/// The files that are kept for an agent, written anew where they are not as they should be.
fn files(how: How, manifest: &Manifest, context: &Context) -> Outcome {
    let agent = &manifest.name;
    let files = match managed_files(manifest, &context.paths.wiring(), &context.program()) {
        Ok(files) => files,
        Err(error) => return Outcome::left(agent, error.to_string()),
    };
    let mut outcome = Outcome::new(agent, Ending::Unchanged);
    for file in files {
        let change = change_of(&file);
        if change.is_any() {
            outcome.result = Ending::Done;
        }
        if !how.dry_run
            && let Err(error) = file.ensure()
        {
            return Outcome::left(agent, error.to_string());
        }
        outcome.changes.push(Changed::of(change, how.dry_run));
    }
    if outcome.changes.is_empty() {
        return outcome.note("it is wired by arguments alone: there is no file.");
    }
    outcome
}

fn change_of(file: &ManagedFile) -> Change {
    Change {
        path: file.path.clone(),
        before: read_regular_text(&file.path, LARGEST).ok(),
        after: Some(file.content.clone()),
        backup: None,
    }
}
