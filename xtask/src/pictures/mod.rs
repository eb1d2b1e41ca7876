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

/// A picture.
struct Picture {
    name: &'static str,
    /// Columns and rows.
    size: (u16, u16),
    command: &'static str,
    keys: &'static [&'static str],
    /// What it shows in the end.
    shows: &'static str,
}

const PICTURES: [Picture; 4] = [
    Picture {
        name: "dash",
        size: (120, 30),
        command: "tally dash",
        keys: &[],
        shows: "Do you want",
    },
    Picture {
        name: "dash-repositories",
        size: (100, 20),
        command: "tally dash",
        keys: &["g"],
        shows: "by repository",
    },
    Picture {
        name: "dash-narrow",
        size: (40, 10),
        command: "tally dash",
        keys: &[],
        shows: "waits for you",
    },
    Picture {
        name: "pick",
        size: (90, 14),
        command: "tally pick",
        keys: &[],
        shows: "waits for you",
    },
];

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let tally = workspace.build_tally(Profile::Dev)?;
    let set = Set::build(&tally)?;
    set.play()?;
    for picture in PICTURES {
        let Picture {
            name,
            size,
            command,
            keys,
            shows,
        } = picture;
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
