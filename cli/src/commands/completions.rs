//! `tally completions`.

use clap::CommandFactory;
use clap_complete::{generate, shells};

use crate::args::{Cli, Shell};
use crate::context::Context;
use crate::failure::exit;

/// Prints a completion script.
pub(crate) fn run(shell: Shell, context: &Context) -> anyhow::Result<u8> {
    let (mut command, mut script) = (Cli::command(), Vec::new());
    match shell {
        Shell::Bash => generate(shells::Bash, &mut command, "tally", &mut script),
        Shell::Zsh => generate(shells::Zsh, &mut command, "tally", &mut script),
        Shell::Fish => generate(shells::Fish, &mut command, "tally", &mut script),
    }
    context.out.bytes(&script)?;
    Ok(exit::OK)
}
