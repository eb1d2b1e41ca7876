//! Pi.

use std::os::unix::fs::symlink;

use serde_json::json;

use super::{press_until, prompt};
use crate::pane::Pane;
use crate::provision::npm_program;
use crate::stub_model::StubModel;
use crate::world::World;

/// The version that the tests run.
pub const VERSION: &str = "1.6.0";

/// Pi needs a newer Node.js than many systems have.
const NODE: &str = "22.20.0";

/// An extension as a person has one: it asks before a command that says so.
const GATE: &str = r#"export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    if (!event.input.command?.includes("gated")) return;
    if (!(await ctx.ui.confirm("Run this?", event.input.command))) return { block: true, reason: "no" };
  });
}
"#;

/// Puts `pi` on the path of a world, with the stub as its model and an extension that asks. Call it before the world's
/// tmux servers are made.
pub fn install(world: &mut World, model: &StubModel) {
    let node = npm_program("node", NODE, "node");
    symlink(node, world.bin("node")).expect("node on the path");
    let program = npm_program("@earendil-works/pi-coding-agent", VERSION, "pi");
    symlink(program, world.bin("pi")).expect("pi on the path");
    let models = json!({"providers": {"stub": {
        "baseUrl": format!("{}/v1", model.url()),
        "api": "openai-completions",
        "apiKey": "stub",
        "models": [{"id": "stub-model"}],
    }}});
    let settings = json!({
        "defaultProvider": "stub", "defaultModel": "stub-model", "retry": {"enabled": false},
    });
    world.write("home/.pi/agent/models.json", &models.to_string());
    world.write("home/.pi/agent/settings.json", &settings.to_string());
    world.write("home/.pi/agent/extensions/gate.js", GATE);
    world.set_env("PI_OFFLINE", "1");
}

/// A Pi that runs in a pane.
#[derive(Clone, Debug)]
pub struct Pi {
    pane: Pane,
}

impl Pi {
    /// Types `pi` into the shell of a pane and waits for its status line.
    #[must_use]
    pub fn launch(pane: &Pane) -> Self {
        pane.wait_for_shell();
        pane.submit("pi");
        pane.wait_for_text("(auto)");
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

    /// Waits for the dialog of the extension.
    pub fn wait_for_dialog(&self) {
        self.pane.wait_for("the dialog", is_dialog);
    }

    /// Says yes.
    pub fn confirm(&self) {
        press_until(&self.pane, "Enter", |screen| !is_dialog(screen));
    }

    /// Leaves, and waits for the shell.
    pub fn exit(&self) {
        prompt(&self.pane, "/quit", |screen| {
            screen.contains("To resume this session")
        });
        self.pane.wait_for_shell();
    }
}

fn is_dialog(screen: &str) -> bool {
    screen.contains("Run this?")
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
