//! `tally extension`: how agents are recognised, wired and understood.

mod check;
mod list;
mod meaning;
mod show;

use session_core::manifest::Manifest;
use session_host::manifests;

use crate::args::ExtensionCommand;
use crate::context::Context;
use crate::failure::Failure;

/// Lists, shows, checks or tries extensions.
pub(crate) fn run(command: &ExtensionCommand, context: &Context) -> anyhow::Result<u8> {
    match command {
        ExtensionCommand::List { json } => list::run(*json, context),
        ExtensionCommand::Show { agent } => show::run(&known(agent)?, context),
        ExtensionCommand::Check { path } => check::run(path, context),
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
