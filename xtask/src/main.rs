//! Builds, runs and checks Tallylight: `cargo xtask help` lists what it can do.
//!
//! A developer's tool. It is never installed, and nothing a user runs depends on it.

mod args;
mod bench;
mod check;
mod console;
mod install;
mod pictures;
mod program;
mod provision;
mod run;
mod tool;
mod wasm;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Task};
use crate::workspace::Workspace;

fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = Workspace::find().and_then(|workspace| match args.task {
        Task::Test(options) => check::run(&workspace, &options),
        Task::Run(options) => run::run(&workspace, &options),
        Task::Wasm => wasm::build(&workspace),
        Task::Install => install::run(&workspace),
        Task::Pictures => pictures::run(&workspace),
        Task::Bench(options) => bench::run(&workspace, &options),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console::complain(&error);
            ExitCode::FAILURE
        }
    }
}
