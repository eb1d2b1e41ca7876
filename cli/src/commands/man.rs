//! `tally man`: the manual pages.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use clap::CommandFactory;

use crate::args::Cli;
use crate::failure::exit;

/// Writes a page for the program and one for each command, into a folder that is made where there is none.
pub(crate) fn run(folder: &Path) -> anyhow::Result<u8> {
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    Ok(exit::OK)
}
