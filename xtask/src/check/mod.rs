//! `cargo xtask test`: every check, one after the other, up to the first that fails.

mod dependencies;
mod edges;
mod rust;
mod scripts;
mod spelling;
mod step;
mod summary;

use std::time::Instant;

use anyhow::{Result, bail};

use crate::args::TestArgs;
use crate::console;
use crate::workspace::Workspace;

pub(crate) use step::Step;
use summary::{Outcome, Summary};

pub(crate) fn run(workspace: &Workspace, options: &TestArgs) -> Result<()> {
    if options.list {
        for step in Step::ALL {
            console::say(&format!("{:<12} {}", step.name(), step.about()));
        }
        return Ok(());
    }
    let chosen = Step::choose(&options.only);
    let mut summary = Summary::default();
    let mut failure = None;
    for (number, step) in chosen.iter().enumerate() {
        if failure.is_some() {
            summary.add(step.name(), Outcome::NotRun);
            continue;
        }
        let title = step.title(workspace);
        console::heading(&format!("[{}/{}] {title}", number + 1, chosen.len()));
        let start = Instant::now();
        let result = step.check(workspace);
        let took = start.elapsed();
        match result {
            Ok(()) => {
                console::say(&format!(
                    "{} passed in {}",
                    step.name(),
                    summary::duration(took)
                ));
                summary.add(&title, Outcome::Passed(took));
            }
            Err(error) => {
                summary.add(&title, Outcome::Failed(took));
                failure = Some((step, error));
            }
        }
    }
    let Some((step, error)) = failure else {
        console::say(&summary.table());
        return Ok(());
    };
    // The error stands before the table, next to the output that explains it.
    console::complain(&error);
    console::say(&summary.table());
    bail!(
        "{} failed; to run it again: cargo xtask test --only {}",
        step.name(),
        step.name()
    );
}
