//! Inside tmux: brings Tallylight up on the server this runs in.

use std::path::Path;

use anyhow::{Context, Result};

use super::shell::Shell;
use crate::console;
use crate::program::Program;

/// Whether a live tmux server is around us; the variable alone may be left over from one.
pub(super) fn is_inside_tmux() -> bool {
    std::env::var_os("TMUX").is_some_and(|value| !value.is_empty())
        && Program::new("tmux")
            .args(["-u", "display-message", "-p", "#{pid}"])
            .succeeds()
}

pub(super) fn run(tally: &Path) -> Result<()> {
    Program::new(tally).arg("up").run()?;
    Program::new(tally).args(["tmux", "load"]).run()?;
    let folder = tally.parent().context("the built binary has no folder")?;
    console::heading("Tallylight is on in this tmux server, until the server ends");
    for line in next_steps(Shell::of_this_person(), folder) {
        console::say(&line);
    }
    Ok(())
}

/// What to do next, in three lines.
fn next_steps(shell: Shell, folder: &Path) -> [String; 3] {
    [
        format!(
            "1. In a shell of this server, once:  {}",
            shell.activation(folder)
        ),
        "2. Type `claude` there: the lamp beside its window's name follows it.".to_owned(),
        "3. To keep the lamps: `tally tmux install`. To take them off: `tally tmux unload`."
            .to_owned(),
    ]
}
