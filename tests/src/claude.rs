//! Claude Code in a pane: installed from npm, answered by the stub model, driven by keys.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::pane::Pane;
use crate::provision::npm_program;
use crate::status_file::StatusFile;
use crate::stub_model::StubModel;
use crate::wait::{LIMIT, poll, wait_until, wait_until_steady};
use crate::world::World;

/// A key that only looks like one; Claude Code wants to be told that it may use it.
const KEY: &str = "sk-ant-api03-stub-tallylight-tests-01";

/// How long the input box must show a prompt before Enter.
const TYPED: Duration = Duration::from_millis(300);

/// How long Claude Code may take to empty the box after Enter.
const TAKEN: Duration = Duration::from_secs(2);

/// The versions that the tests run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaudeVersion {
    /// The newest one that was looked at.
    Current,
    /// The oldest one that is supported.
    Older,
}

impl ClaudeVersion {
    /// The exact version on the npm registry.
    #[must_use]
    pub fn number(self) -> &'static str {
        match self {
            Self::Current => "2.1.332",
            Self::Older => "2.1.197",
        }
    }

    /// The path of the program, installed if need be.
    #[must_use]
    pub fn program(self) -> PathBuf {
        npm_program("@anthropic-ai/claude-code", self.number(), "claude")
    }
}

/// Puts `claude` on the path of a world, with a home in which no dialog stops it, and with the
/// stub as its model. Call it before the world's tmux servers are made: they take the
/// environment as it is then.
pub fn install(world: &mut World, version: ClaudeVersion, model: &StubModel) {
    symlink(version.program(), world.bin("claude")).expect("claude on the path");
    let last = KEY.len() - 20;
    let project = world.project();
    let trusted = json!({"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true});
    let config = json!({
        "hasCompletedOnboarding": true,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [&KEY[last..]], "rejected": []},
        "projects": {project.to_str().expect("a path"): trusted},
    });
    world.write("home/.claude.json", &config.to_string());
    for (name, value) in [
        ("ANTHROPIC_BASE_URL", model.url().as_str()),
        ("ANTHROPIC_API_KEY", KEY),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        // A failing call is an error at once, not after minutes of retries.
        ("CLAUDE_CODE_MAX_RETRIES", "0"),
    ] {
        world.set_env(name, value);
    }
}

/// A Claude Code that runs in a pane.
#[derive(Clone, Debug)]
pub struct Claude {
    pane: Pane,
    pid: u32,
    status: StatusFile,
}

impl Claude {
    /// Types a command line into the shell of a pane and waits for Claude Code's input box.
    #[must_use]
    pub fn launch(world: &World, pane: &Pane, command_line: &str) -> Self {
        pane.wait_for_shell();
        let shell = pane
            .format("#{pane_pid}")
            .parse()
            .expect("the pid of the shell");
        Self::launch_below(world, pane, command_line, shell)
    }

    /// The same in a shell that waits already, and runs below that process.
    #[must_use]
    pub fn launch_below(world: &World, pane: &Pane, command_line: &str, shell: u32) -> Self {
        pane.submit(command_line);
        pane.wait_for("Claude Code's input box", |screen| {
            input_box(screen).is_some()
        });
        let sessions = world.home().join(".claude/sessions");
        let pid = wait_until(
            "Claude Code's status file",
            LIMIT,
            || {
                status_files(&sessions)
                    .into_iter()
                    .find(|pid| is_below(*pid, shell))
            },
            || pane.capture(),
        );
        let status = StatusFile::new(sessions.join(format!("{pid}.json")));
        Self {
            pane: pane.clone(),
            pid,
            status,
        }
    }

    /// The same Claude Code, shown in another terminal from now on.
    #[must_use]
    pub fn shown_in(&self, pane: &Pane) -> Self {
        Self {
            pane: pane.clone(),
            ..self.clone()
        }
    }

    /// The pane it runs in.
    #[must_use]
    pub fn pane(&self) -> &Pane {
        &self.pane
    }

    /// The process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Its own record of its state.
    #[must_use]
    pub fn status_file(&self) -> &StatusFile {
        &self.status
    }

    /// Types a prompt and sends it off. Claude Code takes a burst that ends in Enter for a paste,
    /// so Enter comes only when the box has shown the text for a while, and again if the first
    /// one did not count.
    pub fn prompt(&self, text: &str) {
        self.pane.send_text(text);
        let start = text.get(..80).unwrap_or(text);
        let in_box = || input_box(&self.pane.capture()).is_some_and(|line| line.starts_with(start));
        let shown = || self.pane.capture();
        wait_until_steady("the prompt in the input box", TYPED, in_box, shown);
        let sent = || {
            self.pane.press(["Enter"]);
            poll(TAKEN, || (!in_box()).then_some(()))
        };
        wait_until("the prompt to be taken", LIMIT, sent, shown);
    }

    /// Waits for a permission dialog.
    pub fn wait_for_permission_dialog(&self) {
        self.pane.wait_for("a permission dialog", |screen| {
            screen.contains("Do you want") && screen.contains("❯ 1. Yes")
        });
    }

    /// Waits for the question of the stub model.
    pub fn wait_for_question(&self) {
        self.pane.wait_for("the question", |screen| {
            screen.contains("Which colour?") && screen.contains("❯ 1. Red")
        });
    }

    /// Takes the first answer of a dialog: "Yes", or the first choice.
    pub fn accept(&self) {
        self.press_in_dialog("Enter");
    }

    /// Says no to a dialog with Esc.
    pub fn decline(&self) {
        self.press_in_dialog("Escape");
    }

    /// Presses a key until the dialog has gone or has made room for the next one: Claude Code
    /// drops what is typed in the first moments of a dialog.
    fn press_in_dialog(&self, key: &str) {
        let before = dialog(&self.pane.capture());
        assert!(
            before.is_some(),
            "no dialog is open:\n{}",
            self.pane.capture()
        );
        let pressed = || {
            self.pane.press([key]);
            poll(TAKEN, || {
                (dialog(&self.pane.capture()) != before).then_some(())
            })
        };
        wait_until("the dialog to be answered", LIMIT, pressed, || {
            self.pane.capture()
        });
    }

    /// Interrupts the turn with Esc.
    pub fn interrupt(&self) {
        self.pane.press(["Escape"]);
    }

    /// Leaves by the command for it, and waits for the shell.
    pub fn exit(&self) {
        self.prompt("/exit");
        self.pane.wait_for_shell();
    }
}

/// The first line of the input box. A no-break space follows its mark; in the talk above it, a
/// plain one does.
fn input_box(screen: &str) -> Option<&str> {
    screen
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("❯\u{a0}"))
        .map(str::trim_end)
}

/// The text of the open dialog: its choices and the few lines above them.
fn dialog(screen: &str) -> Option<String> {
    let lines: Vec<_> = screen.lines().map(str::trim_end).collect();
    let choice = lines
        .iter()
        .rposition(|line| line.trim_start().starts_with("❯ 1. "))?;
    Some(lines[choice.saturating_sub(8)..].join("\n"))
}

/// The processes that have a status file.
fn status_files(folder: &Path) -> Vec<u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            entry
                .file_name()
                .to_str()?
                .strip_suffix(".json")?
                .parse()
                .ok()
        })
        .collect()
}

/// Whether a process is another one or runs below it.
fn is_below(mut pid: u32, ancestor: u32) -> bool {
    while pid > 1 {
        if pid == ancestor {
            return true;
        }
        let output = Command::new("ps")
            .args(["-o", "ppid=", "-p", &pid.to_string()])
            .output();
        let parent = output
            .ok()
            .and_then(|o| String::from_utf8_lossy(&o.stdout).trim().parse().ok());
        pid = parent.unwrap_or(0);
    }
    false
}
