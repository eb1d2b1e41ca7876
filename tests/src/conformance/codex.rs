//! Codex in the play.

use super::{Agent, Subject, Verdict};
use crate::agents::codex::{self, Codex};
use crate::desk::{Desk, Seat};
use crate::lamp::Lamp;
use crate::pane::Pane;
use crate::stub_model::StubModel;
use crate::world::World;

/// Codex at a version.
#[derive(Clone, Copy, Debug)]
pub struct OfCodex(pub &'static str);

impl Subject for OfCodex {
    fn title(&self) -> &'static str {
        "Codex"
    }

    fn name(&self) -> &'static str {
        "codex"
    }

    fn version(&self) -> &'static str {
        self.0
    }

    fn install(&self, world: &mut World, model: &StubModel) {
        codex::install_version(world, model, self.0);
    }

    fn launch(&self, desk: &Desk, seat: &Seat) -> Box<dyn Agent> {
        let config = desk.world().home().join(".codex/config.toml");
        let config = std::fs::read_to_string(config).expect("its configuration");
        let codex = Codex::launch(seat.agent_pane());
        // It keeps the answer, and asks no more the next time.
        if !config.contains("trusted_hash") {
            codex.trust_hooks();
        }
        Box::new(codex)
    }

    /// It says nothing before the first prompt.
    fn at_start(&self) -> Lamp {
        Lamp::Running
    }

    /// Older versions show no answer before it has a whole line, newer ones say so only until it begins.
    fn underway(&self) -> &'static [&'static str] {
        &["word 3", "esc to interrupt"]
    }

    fn asks(&self) -> &'static str {
        r#"tool exec_command {"cmd":"touch made","sandbox_permissions":"require_escalated","justification":"the stub wants it"}"#
    }

    fn question(&self) -> Result<&'static str, Verdict> {
        Err(Verdict::NotReachable(
            "only in Plan mode, which the play does not enter.",
        ))
    }

    fn subagent(&self) -> Result<&'static str, Verdict> {
        Ok("task <<text sub done>>")
    }

    fn model_error(&self) -> Result<(&'static str, &'static str), Verdict> {
        Err(Verdict::NotExpressible(
            "a failed call runs no hook; the lamp goes to idle when all has been quiet for a while.",
        ))
    }
}

impl Agent for Codex {
    fn pane(&self) -> &Pane {
        self.pane()
    }

    fn prompt(&self, text: &str) {
        self.prompt(text);
    }

    fn wait_for_permission(&self) {
        self.wait_for_approval_dialog();
    }

    fn accept(&self) {
        self.approve();
    }

    fn refuse(&self) {
        self.decline();
    }

    fn exit(&self) {
        self.exit();
    }
}
