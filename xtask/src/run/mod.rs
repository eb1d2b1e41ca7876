//! `cargo xtask run`: a release build, then the main job with it.

mod agent;
mod here;
mod rehearsal;
mod scene;
mod session;
pub(crate) mod shell;
pub(crate) mod stage;
pub(crate) mod tmux;

use std::io::IsTerminal as _;

use anyhow::Result;

use crate::args::RunArgs;
use crate::provision;
use crate::workspace::{Profile, Workspace};

pub(crate) fn run(workspace: &Workspace, options: &RunArgs) -> Result<()> {
    provision::for_running()?;
    let tally = workspace.build_tally(Profile::Release)?;
    if !options.tally_args.is_empty() {
        return workspace
            .program(tally)
            .args(&options.tally_args)
            .interactive()
            .run();
    }
    let has_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if options.rehearse {
        rehearsal::run(workspace, &tally)
    } else if here::is_inside_tmux() {
        here::run(&tally)
    } else if has_terminal {
        session::run(workspace, &tally)
    } else {
        rehearsal::run(workspace, &tally)
    }
}
