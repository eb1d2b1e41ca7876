//! `tally extension`: how agents are recognised, wired and understood.

mod check;
mod choice;
mod diff;
mod launch;
mod list;
mod meaning;
mod own;
mod report;
mod show;

use session_core::manifest::Manifest;
use session_host::manifests;

use crate::args::{ExtensionCommand, Whose, WiringArgs};
use crate::context::Context;
use crate::failure::Failure;

use choice::Choice;

/// Lists, shows, checks or tries extensions.
pub(crate) fn run(command: &ExtensionCommand, context: &Context) -> anyhow::Result<u8> {
    match command {
        ExtensionCommand::List { json } => list::run(*json, context),
        ExtensionCommand::Show { agent } => show::run(&known(agent)?, context),
        ExtensionCommand::Activate(args) => change(Verb::Activate, args, context),
        ExtensionCommand::Deactivate(args) => change(Verb::Deactivate, args, context),
        ExtensionCommand::Reinstall(args) => change(Verb::Reinstall, args, context),
        ExtensionCommand::Diff(args) => {
            let how = How {
                verb: Verb::Diff,
                dry_run: true,
                force: false,
            };
            wire(how, &args.whose, args.json, context)
        }
        ExtensionCommand::Check { path: Some(path) } => check::run(path, context),
        ExtensionCommand::Check { path: None } => check::own(context),
        ExtensionCommand::Test { agent } => {
            let manifest = if agent.contains('/') {
                check::read(agent.as_ref())?
            } else {
                known(agent)?
            };
            meaning::run(&manifest, context)
        }
    }
}

/// What is done to the wiring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Activate,
    Deactivate,
    Reinstall,
    Diff,
}

/// How it is done.
#[derive(Clone, Copy, Debug)]
struct How {
    verb: Verb,
    dry_run: bool,
    force: bool,
}

fn change(verb: Verb, args: &WiringArgs, context: &Context) -> anyhow::Result<u8> {
    let how = How {
        verb,
        dry_run: args.dry_run,
        force: args.force,
    };
    wire(how, &args.whose, args.json, context)
}

/// Changes the wiring of the chosen agents, or tells what would change; what is wrong with one does not stop the others.
fn wire(how: How, whose: &Whose, json: bool, context: &Context) -> anyhow::Result<u8> {
    let chosen = Choice::of(whose)?;
    let outcomes = if whose.global {
        own::change(how, &chosen, context)?
    } else {
        launch::change(how, &chosen, context)?
    };
    report::report(how, outcomes, json, context)
}

/// An agent of this build.
fn known(agent: &str) -> Result<Manifest, Failure> {
    manifests::find(agent).ok_or_else(|| {
        let known = manifests::names().collect::<Vec<_>>().join(", ");
        Failure::failed(format!(
            "{agent:?} is not an agent that this Tallylight knows"
        ))
        .hint(format!("Agents that it knows: {known}."))
    })
}
