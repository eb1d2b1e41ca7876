//! Codex.

use std::os::unix::fs::symlink;

use super::{press_until, prompt};
use crate::pane::Pane;
use crate::provision::npm_program;
use crate::stub_model::StubModel;
use crate::world::World;

/// The version that the tests run.
pub const VERSION: &str = "0.171.0";

/// An older one: before Codex ran hooks in a daemon that all terminals share.
pub const OLDER: &str = "0.154.0";

/// Puts `codex` on the path of a world, with a folder that it trusts and the stub as its model. Call it before the
/// world's tmux servers are made.
pub fn install_version(world: &mut World, model: &StubModel, version: &str) {
    let program = npm_program("@openai/codex", version, "codex");
    symlink(program, world.bin("codex")).expect("codex on the path");
    let (url, project) = (model.url(), world.project());
    let config = format!(
        "model = \"gpt-5.1-codex\"\nmodel_provider = \"stub\"\ncheck_for_update_on_startup = false\n\
         [model_providers.stub]\nname = \"stub\"\nbase_url = \"{url}/v1\"\nwire_api = \"responses\"\n\
         request_max_retries = 0\nstream_max_retries = 0\n\
         [projects.\"{}\"]\ntrust_level = \"trusted\"\n",
        project.display()
    );
    world.write("home/.codex/config.toml", &config);
}

/// The same at the version that the tests run.
pub fn install(world: &mut World, model: &StubModel) {
    install_version(world, model, VERSION);
}

/// A Codex that runs in a pane.
#[derive(Clone, Debug)]
pub struct Codex {
    pane: Pane,
}

impl Codex {
    /// Types `codex` into the shell of a pane and waits for what it shows first: its input box, or the dialog about hooks
    /// that it does not know.
    #[must_use]
    pub fn launch(pane: &Pane) -> Self {
        pane.wait_for_shell();
        pane.submit("codex");
        pane.wait_for("Codex", |screen| {
            asks_about_hooks(screen) || has_input_box(screen)
        });
        Self { pane: pane.clone() }
    }

    /// The pane it runs in.
    #[must_use]
    pub fn pane(&self) -> &Pane {
        &self.pane
    }

    /// Whether it asks about hooks.
    #[must_use]
    pub fn asks_about_hooks(&self) -> bool {
        asks_about_hooks(&self.pane.capture())
    }

    /// Trusts all hooks, as a person does.
    pub fn trust_hooks(&self) {
        self.pane
            .wait_for("the dialog about hooks", asks_about_hooks);
        press_until(&self.pane, "Down", |screen| {
            screen.contains("› 2. Trust all and continue")
        });
        press_until(&self.pane, "Enter", |screen| !asks_about_hooks(screen));
        self.pane.wait_for("the input box", has_input_box);
    }

    /// Types a prompt and sends it off.
    pub fn prompt(&self, text: &str) {
        prompt(&self.pane, text, has_empty_box);
    }

    /// Waits for the dialog that asks for an approval.
    pub fn wait_for_approval_dialog(&self) {
        self.pane.wait_for("the approval dialog", is_approval);
    }

    /// Says yes.
    pub fn approve(&self) {
        press_until(&self.pane, "y", |screen| !is_approval(screen));
    }

    /// Says no with Esc.
    pub fn decline(&self) {
        press_until(&self.pane, "Escape", |screen| !is_approval(screen));
    }

    /// Leaves, and waits for the shell.
    pub fn exit(&self) {
        prompt(&self.pane, "/quit", |screen| !screen.contains("/quit"));
        self.pane.wait_for_shell();
    }
}

fn asks_about_hooks(screen: &str) -> bool {
    screen.contains("Hooks need review")
}

/// The line of the input box; its mark also stands before what was said above it.
fn input_box(screen: &str) -> Option<&str> {
    screen
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("› "))
}

fn has_input_box(screen: &str) -> bool {
    !asks_about_hooks(screen) && input_box(screen).is_some()
}

fn has_empty_box(screen: &str) -> bool {
    input_box(screen).is_some_and(|line| !line.contains("stub:"))
}

fn is_approval(screen: &str) -> bool {
    screen.contains("Would you like to run the following command?")
}
