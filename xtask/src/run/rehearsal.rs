//! Without a terminal: plays an agent's turn on a private stage and prints the status line that a
//! person at an attached client would see after each act.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::scene::{Act, SCENES, Scene};
use super::stage::Stage;
use crate::console;
use crate::program::Program;
use crate::workspace::Workspace;

/// How long a state may take to show.
const LIMIT: Duration = Duration::from_secs(20);

/// How long a finished turn is looked at: longer than the dwell time of the default configuration.
const LOOK: Duration = Duration::from_secs(4);

/// Between two looks at the status line.
const PAUSE: Duration = Duration::from_millis(50);

pub(super) fn run(workspace: &Workspace, tally: &Path) -> Result<()> {
    console::heading("rehearsal: an agent's turn on a private tmux server");
    let stage = Stage::set(workspace, tally)?;
    stage.tally(&["up"])?.run()?;
    stage.tally(&["tmux", "load"])?.run()?;
    let mut looks = Looks::default();
    for (number, scene) in SCENES.iter().enumerate() {
        let start = Instant::now();
        perform(&stage, scene.act).with_context(|| format!("failed to play: {}", scene.caption))?;
        let line = match wait_for(&stage, &mut looks, scene) {
            Ok(line) => line,
            Err(error) => {
                report(&stage);
                return Err(error);
            }
        };
        let took = start.elapsed().as_secs_f64();
        let number = number + 1;
        console::say(&format!(
            "\n{number}. {}: {} ({took:.1} s)",
            scene.caption, scene.state
        ));
        console::say(&format!("   | {line}"));
    }
    console::say(&format!(
        "\nall {} states showed in the status line",
        SCENES.len()
    ));
    Ok(())
}

fn perform(stage: &Stage, act: Act) -> Result<()> {
    match act {
        Act::Nothing => Ok(()),
        Act::Launch => {
            stage.go_to(&stage.agent_window)?;
            stage.type_line("claude")?;
            stage.go_to(&stage.other_window)
        }
        Act::Report(payload) => stage.type_line(payload),
        Act::LookAndLeave => {
            stage.go_to(&stage.agent_window)?;
            std::thread::sleep(LOOK);
            stage.go_to(&stage.other_window)
        }
        Act::Quit => stage.press("C-d"),
    }
}

/// Waits until the scene's state is published and the client's status line shows it, and returns
/// that line.
fn wait_for(stage: &Stage, looks: &mut Looks, scene: &Scene) -> Result<String> {
    let end = Instant::now() + LIMIT;
    loop {
        // In this order, a state that is right already is in the entry and so in the line.
        let state = stage.state()?;
        let entry = stage.expected_entry()?;
        let line = stage.status_line()?;
        let is_state = state == scene.state || (state.is_empty() && scene.state == "none");
        if is_state && line.contains(plain(&entry).trim()) && looks.fits(scene.state, &entry) {
            return Ok(line);
        }
        if Instant::now() >= end {
            bail!(
                "{}: \"{}\" does not show within {} s; the state is \"{state}\", its entry \
                 \"{entry}\", the status line \"{line}\"",
                scene.caption,
                scene.state,
                LIMIT.as_secs()
            );
        }
        std::thread::sleep(PAUSE);
    }
}

/// Says what a person would look at first when a state does not show.
fn report(stage: &Stage) {
    console::heading("what was there");
    for args in [&["list", "--all"][..], &["doctor"]] {
        if let Err(error) = stage.tally(args).and_then(Program::run) {
            console::complain(&error);
        }
    }
    let _ = stage.go_to(&stage.agent_window);
    std::thread::sleep(PAUSE * 4);
    match stage.screen() {
        Ok(screen) => console::say(&format!("the client's screen:\n{screen}")),
        Err(error) => console::complain(&error),
    }
}

/// How each state has looked so far: two states that look the same tell a person nothing.
#[derive(Debug, Default)]
struct Looks {
    seen: BTreeMap<&'static str, String>,
}

impl Looks {
    /// Remembers how a state looks, unless another state looked like that.
    fn fits(&mut self, state: &'static str, entry: &str) -> bool {
        // An age counts up within one state.
        let look: String = entry.chars().filter(|c| !c.is_ascii_digit()).collect();
        let is_taken = self
            .seen
            .iter()
            .any(|(other, seen)| *other != state && *seen == look);
        if !is_taken {
            self.seen.insert(state, look);
        }
        !is_taken
    }
}

/// A status line entry without its `#[…]` styles.
fn plain(entry: &str) -> String {
    let mut text = String::new();
    let mut rest = entry;
    while let Some((before, style)) = rest.split_once("#[") {
        text.push_str(before);
        rest = style.split_once(']').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_not_text() {
        assert_eq!(plain("#[fg=red,bold]!#[default] 0:agent-"), "! 0:agent-");
        assert_eq!(plain("0:agent"), "0:agent");
        assert_eq!(plain("a#[broken"), "a");
    }

    #[test]
    fn two_states_must_not_look_the_same() {
        let mut looks = Looks::default();
        assert!(looks.fits("working", "#[fg=blue]● 3s"));
        assert!(looks.fits("working", "#[fg=blue]● 14s"));
        assert!(looks.fits("blocked", "#[fg=red]● 1s"));
        assert!(!looks.fits("done", "#[fg=blue]● 0s"));
    }
}
