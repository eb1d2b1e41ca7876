//! `tally __man`: the manual pages.

use std::path::Path;

use clap::CommandFactory;

use crate::args::Cli;
use crate::failure::exit;

/// Writes a page for the program and one for each command.
pub(crate) fn run(folder: &Path) -> anyhow::Result<u8> {
    clap_mangen::generate_to(Cli::command(), folder)?;
    Ok(exit::OK)
}
