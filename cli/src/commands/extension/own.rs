//! Agents' own configuration: wired and given back.

use session_core::manifest::Manifest;
use session_host::clock::Clock;
use session_host::wiring::global::{Book, Done, GlobalError, Wirer};

use super::choice::Choice;
use super::report::{Changed, Ending, Outcome};
use super::{How, Verb};
use crate::context::Context;
use crate::failure::Failure;

/// Does it for each of the agents.
pub(super) fn change(how: How, chosen: &Choice, context: &Context) -> anyhow::Result<Vec<Outcome>> {
    let book = if how.dry_run {
        Book::open_reading(&context.paths)
    } else {
        Book::open(&context.paths)
    };
    let mut book = book.map_err(|error| Failure::failed(error.to_string()))?;
    let (own, program) = (context.own(), context.program());
    let wirer = Wirer {
        env: &context.env,
        program: &program,
        own: &own,
        now: context.clock.now(),
        dry_run: how.dry_run,
        force: how.force,
    };
    let outcomes = chosen.agents.iter().filter_map(|manifest| {
        let known = book.record.of(manifest.name.as_str()).next().is_some();
        if how.verb == Verb::Reinstall && !known {
            let text =
                "it is not wired in its own configuration: `tally extension activate` does that";
            return chosen.named.then(|| Outcome::left(&manifest.name, text));
        }
        let done = match how.verb {
            Verb::Deactivate => wirer.deactivate(manifest, &mut book),
            _ => wirer.activate(manifest, &mut book),
        };
        outcome(how, manifest, done, chosen.named)
    });
    Ok(outcomes.collect())
}

/// What it came to; `None` where nobody asked for this agent and there is nothing to tell.
fn outcome(
    how: How,
    manifest: &Manifest,
    done: Result<Done, GlobalError>,
    named: bool,
) -> Option<Outcome> {
    let agent = &manifest.name;
    let done = match done {
        Ok(done) => done,
        Err(GlobalError::NotGlobal(_)) if !named => return None,
        Err(error @ GlobalError::NotInstalled { .. }) if !named => {
            let mut skipped = Outcome::new(agent, Ending::Skipped);
            skipped.notes.push(format!("{error}."));
            return Some(skipped);
        }
        Err(error) => return Some(Outcome::left(agent, error.to_string())),
    };
    let changes: Vec<Changed> = done
        .changes
        .into_iter()
        .map(|change| Changed::of(change, how.dry_run))
        .collect();
    let any = changes.iter().any(Changed::is_any);
    let result = match (done.left.is_empty(), any) {
        (false, _) => Ending::Left,
        (true, true) => Ending::Done,
        (true, false) => Ending::Unchanged,
    };
    let mut outcome = Outcome {
        changes,
        left: done.left.into_iter().map(|left| left.why).collect(),
        ..Outcome::new(agent, result)
    };
    if result == Ending::Done && !how.dry_run {
        outcome.notes = done.notes;
    }
    if how.verb == Verb::Deactivate && outcome.changes.is_empty() && outcome.left.is_empty() {
        if !named {
            return None;
        }
        return Some(outcome.note("nothing of ours is in its own configuration."));
    }
    Some(outcome)
}
