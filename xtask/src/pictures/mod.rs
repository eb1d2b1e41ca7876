//! `cargo xtask pictures`: the dashboard and the picker as the real program draws them, as text and as SVG.
//!
//! A scripted run on private tmux servers: agents' reports come from shells in real panes, a real daemon follows them, and
//! what is written down is what tmux says the terminal shows.

mod set;
mod svg;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::console;
use crate::run::shell::write;
use crate::workspace::{Profile, Workspace};
use set::{Set, Terminal};

/// Where the pictures are kept.
const FOLDER: &str = "docs/pictures";
/// How long a screen may take to show what it should.
const LIMIT: Duration = Duration::from_secs(20);

/// A picture: its name, its size, the command that is run, what the screen must show, and the keys before that.
const PICTURES: [(&str, (u16, u16), &str, &str, &[&str]); 4] = [
    ("dash", (120, 30), "tally dash", "Do you want", &[]),
    (
        "dash-repositories",
        (100, 20),
        "tally dash",
        "by repository",
        &["g"],
    ),
    ("dash-narrow", (40, 10), "tally dash", "waits for you", &[]),
    ("pick", (90, 14), "tally pick", "waits for you", &[]),
];

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let tally = workspace.build_tally(Profile::Dev)?;
    let set = Set::build(&tally)?;
    set.play()?;
    for (name, size, command, shows, keys) in PICTURES {
        let terminal = set.terminal(command, size)?;
        let begun = Instant::now();
        // By then the daemon has told where everybody is; where there is room for that.
        let told = if size.0 > 60 { "work:build" } else { "claude" };
        wait(&terminal, told, begun)?;
        for key in keys {
            terminal.press(key)?;
        }
        wait(&terminal, shows, begun)?;
        let file = |kind: &str| workspace.root().join(format!("{FOLDER}/{name}.{kind}"));
        let text: Vec<String> = terminal
            .screen(false)?
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        write(&file("txt"), &format!("{}\n", text.join("\n").trim_end()))?;
        write(&file("svg"), &svg::of(&terminal.screen(true)?, size))?;
        console::say(&format!("{FOLDER}/{name}.txt, {FOLDER}/{name}.svg"));
    }
    Ok(())
}

fn wait(terminal: &Terminal, text: &str, begun: Instant) -> Result<()> {
    loop {
        let screen = terminal.screen(false)?;
        if screen.contains(text) {
            return Ok(());
        }
        if begun.elapsed() > LIMIT {
            bail!("the screen does not show {text:?}:\n{screen}");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
