//! Qwen Code.

use std::os::unix::fs::symlink;

use serde_json::json;

use super::{press_until, prompt};
use crate::pane::Pane;
use crate::provision::npm_program;
use crate::stub_model::StubModel;
use crate::world::World;

/// The version that the tests run.
pub const VERSION: &str = "0.24.4";

/// Puts `qwen` on the path of a world, with the stub as its model. Call it before the world's tmux servers are made.
pub fn install(world: &mut World, model: &StubModel) {
    let program = npm_program("@qwen-code/qwen-code", VERSION, "qwen");
    symlink(program, world.bin("qwen")).expect("qwen on the path");
    let settings = json!({
        "security": {"auth": {"selectedType": "openai"}},
        "general": {"enableAutoUpdate": false},
        "tools": {"approvalMode": "default"},
    });
    world.write("home/.qwen/settings.json", &settings.to_string());
    let url = format!("{}/v1", model.url());
    for (name, value) in [
        ("OPENAI_API_KEY", "stub"),
        ("OPENAI_BASE_URL", url.as_str()),
        ("OPENAI_MODEL", "stub-model"),
    ] {
        world.set_env(name, value);
    }
}

/// A Qwen Code that runs in a pane.
#[derive(Clone, Debug)]
pub struct Qwen {
    pane: Pane,
}

impl Qwen {
    /// Types `qwen` into the shell of a pane and waits for its input box.
    #[must_use]
    pub fn launch(pane: &Pane) -> Self {
        pane.wait_for_shell();
        pane.submit("qwen --approval-mode default");
        pane.wait_for_text("Type your message");
        Self { pane: pane.clone() }
    }

    /// The pane it runs in.
    #[must_use]
    pub fn pane(&self) -> &Pane {
        &self.pane
    }

    /// Types a prompt and sends it off.
    pub fn prompt(&self, text: &str) {
        prompt(&self.pane, text, |screen| !in_box(screen));
    }

    /// Empties the input box, into which an interrupted prompt is put back.
    pub fn empty_box(&self) {
        press_until(&self.pane, "C-u", |screen| !in_box(screen));
    }

    /// Waits for the dialog that asks for a permission.
    pub fn wait_for_permission_dialog(&self) {
        self.pane.wait_for("the permission dialog", is_dialog);
    }

    /// Allows it once.
    pub fn allow(&self) {
        press_until(&self.pane, "Enter", |screen| !is_dialog(screen));
    }

    /// Waits for a question.
    pub fn wait_for_question(&self) {
        self.pane.wait_for("the question", is_question);
    }

    /// Takes the first answer to it.
    pub fn answer(&self) {
        press_until(&self.pane, "Enter", |screen| !is_question(screen));
    }

    /// Refuses with Esc.
    pub fn refuse(&self) {
        press_until(&self.pane, "Escape", |screen| !is_dialog(screen));
    }

    /// Leaves, and waits for the shell.
    pub fn exit(&self) {
        prompt(&self.pane, "/quit", |screen| {
            screen.contains("To continue this session")
        });
        self.pane.wait_for_shell();
    }
}

fn is_dialog(screen: &str) -> bool {
    screen.contains("Yes, allow once")
}

fn is_question(screen: &str) -> bool {
    screen.contains("Enter: Select")
}

/// Whether the input box, which stands between the last two rules, holds a script.
fn in_box(screen: &str) -> bool {
    let lines: Vec<&str> = screen.lines().collect();
    let is_rule = |line: &&str| line.starts_with("────");
    let Some(bottom) = lines.iter().rposition(is_rule) else {
        return true;
    };
    let above = lines[..bottom].iter().rev();
    above
        .take_while(|line| !is_rule(line))
        .any(|line| line.contains("stub:"))
}
