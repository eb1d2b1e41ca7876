//! opencode.

use std::os::unix::fs::symlink;

use serde_json::json;

use super::{press_until, prompt};
use crate::pane::Pane;
use crate::provision::npm_program;
use crate::stub_model::StubModel;
use crate::world::World;

/// The version that the tests run.
pub const VERSION: &str = "1.18.33";

/// Puts `opencode` on the path of a world, with the stub as its model. Call it before the world's tmux servers are made.
pub fn install(world: &mut World, model: &StubModel) {
    let program = npm_program("opencode-ai", VERSION, "opencode");
    symlink(program, world.bin("opencode")).expect("opencode on the path");
    let config = json!({
        "$schema": "https://opencode.ai/config.json",
        "model": "stub/stub-model",
        "small_model": "stub/stub-model",
        "autoupdate": false,
        "permission": {"bash": "ask"},
        "provider": {"stub": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Stub",
            "options": {"baseURL": format!("{}/v1", model.url()), "apiKey": "stub"},
            "models": {"stub-model": {"name": "Stub"}},
        }},
    });
    world.write("home/.config/opencode/opencode.json", &config.to_string());
    // At its very first start opencode fetches the types of its plugins from npm; in this home it did.
    let package = json!({"packages": {"": {"dependencies": {"@opencode-ai/plugin": VERSION}}}});
    world.write(
        "home/.config/opencode/package-lock.json",
        &package.to_string(),
    );
    world.write(
        "home/.config/opencode/node_modules/.package-lock.json",
        "{}",
    );
    for name in [
        "OPENCODE_DISABLE_AUTOUPDATE",
        "OPENCODE_DISABLE_MODELS_FETCH",
    ] {
        world.set_env(name, "1");
    }
}

/// An opencode that runs in a pane.
#[derive(Clone, Debug)]
pub struct Opencode {
    pane: Pane,
}

impl Opencode {
    /// Types `opencode` into the shell of a pane and waits for its input box.
    #[must_use]
    pub fn launch(pane: &Pane) -> Self {
        pane.wait_for_shell();
        pane.submit("opencode");
        pane.wait_for("opencode's input box", |screen| {
            screen.contains("Ask anything")
        });
        Self { pane: pane.clone() }
    }

    /// The pane it runs in.
    #[must_use]
    pub fn pane(&self) -> &Pane {
        &self.pane
    }

    /// Types a prompt and sends it off.
    pub fn prompt(&self, text: &str) {
        let before = self.pane.capture().matches("stub:").count();
        // The prompt moves from the box into the talk above it.
        prompt(&self.pane, text, |screen| {
            !in_box(screen) && screen.matches("stub:").count() >= before.min(1)
        });
    }

    /// Waits for the dialog that asks for a permission.
    pub fn wait_for_permission_dialog(&self) {
        self.pane.wait_for("the permission dialog", is_dialog);
    }

    /// Allows it once.
    pub fn allow(&self) {
        press_until(&self.pane, "Enter", |screen| !is_dialog(screen));
    }

    /// Takes the first answer to a question.
    pub fn answer(&self) {
        press_until(&self.pane, "Enter", |screen| {
            !screen.contains("esc dismiss")
        });
    }

    /// Refuses with Esc.
    pub fn refuse(&self) {
        press_until(&self.pane, "Escape", |screen| !is_dialog(screen));
    }

    /// Interrupts the turn: it asks for Esc twice.
    pub fn interrupt(&self) {
        self.pane.press(["Escape"]);
        self.pane.wait_for_text("again to interrupt");
        self.pane.press(["Escape"]);
    }

    /// Leaves, and waits for the shell.
    pub fn exit(&self) {
        press_until(&self.pane, "C-c", |screen| {
            screen
                .trim_end()
                .lines()
                .last()
                .is_some_and(|line| line.trim_end() == "ready$")
        });
    }
}

fn is_dialog(screen: &str) -> bool {
    screen.contains("Permission required")
}

/// Whether the input box, which is the lowest framed part of the screen, holds a script.
fn in_box(screen: &str) -> bool {
    let lines: Vec<&str> = screen.lines().collect();
    let Some(bottom) = lines.iter().rposition(|line| line.contains("╹▀")) else {
        return true;
    };
    let above = lines[..bottom].iter().rev();
    above
        .skip_while(|line| !line.contains("Build"))
        .skip(1)
        .take_while(|line| line.contains('┃'))
        .take(4)
        .any(|line| line.contains("stub:"))
}
