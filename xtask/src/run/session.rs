//! Outside tmux, on a terminal: opens a tmux session that has Tallylight.

use std::path::Path;

use anyhow::{Context, Result};

use super::shell::Shell;
use super::tmux::Tmux;
use crate::console;
use crate::program::{Program, quote};
use crate::workspace::Workspace;

pub(super) fn run(workspace: &Workspace, tally: &Path) -> Result<()> {
    let folder = tally.parent().context("the built binary has no folder")?;
    let shell = Shell::of_this_person();
    let welcome = format!(
        "{}; echo {}",
        shell.activation(folder),
        quote("Type `claude`: the lamp beside the window's name follows it.".as_ref())
    );
    let command = shell.command(&workspace.target("run"), &welcome)?;
    let tmux = Tmux::default_server();
    // A new session may start the server, and then there is something to be up on.
    let session = tmux.read(&["new-session", "-d", "-P", "-F", "#{session_id}", &command])?;
    if let Err(error) = bring_up(&tmux, tally) {
        let _ = tmux.read(&["kill-session", "-t", &session]);
        return Err(error);
    }
    tmux.program(&["attach-session", "-t", &session])
        .without_env("TMUX")
        .interactive()
        .run()?;
    if tmux.program(&["has-session", "-t", &session]).succeeds() {
        console::say("The session goes on: `tmux attach` goes back to it.");
    }
    console::say(
        "`tally tmux unload` in it takes the lamps off, and `tally down` stops the daemon.",
    );
    Ok(())
}

fn bring_up(tmux: &Tmux, tally: &Path) -> Result<()> {
    let variable = tmux.variable()?;
    Program::new(tally)
        .arg("up")
        .quiet_env("TMUX", &variable)
        .run()?;
    Program::new(tally)
        .args(["tmux", "load"])
        .quiet_env("TMUX", &variable)
        .run()
}
