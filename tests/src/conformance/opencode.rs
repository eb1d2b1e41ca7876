//! opencode in the play.

use super::{Agent, Subject, Verdict};
use crate::agents::opencode::{self, Opencode, VERSION};
use crate::desk::{Desk, Seat};
use crate::pane::Pane;
use crate::stub_model::StubModel;
use crate::world::World;

/// opencode.
#[derive(Clone, Copy, Debug)]
pub struct OfOpencode;

impl Subject for OfOpencode {
    fn title(&self) -> &'static str {
        "opencode"
    }

    fn name(&self) -> &'static str {
        "opencode"
    }

    fn version(&self) -> &'static str {
        VERSION
    }

    fn install(&self, world: &mut World, model: &StubModel) {
        opencode::install(world, model);
    }

    fn launch(&self, _desk: &Desk, seat: &Seat) -> Box<dyn Agent> {
        Box::new(Opencode::launch(seat.agent_pane()))
    }

    /// Here every shell call is asked about.
    fn tool(&self) -> &'static str {
        r#"tool glob {"pattern":"*.none"}"#
    }

    fn asks(&self) -> &'static str {
        "bash touch made"
    }

    fn question(&self) -> Result<&'static str, Verdict> {
        Ok("ask")
    }

    fn subagent(&self) -> Result<&'static str, Verdict> {
        Ok("task <<text sub done>>")
    }
}

impl Agent for Opencode {
    fn pane(&self) -> &Pane {
        self.pane()
    }

    fn prompt(&self, text: &str) {
        self.prompt(text);
    }

    fn wait_for_permission(&self) {
        self.wait_for_permission_dialog();
    }

    fn wait_for_question(&self) {
        self.pane().wait_for_text("Which colour?");
    }

    fn accept(&self) {
        self.allow();
    }

    fn answer(&self) {
        self.answer();
    }

    fn refuse(&self) {
        self.refuse();
    }

    fn interrupt(&self) {
        self.interrupt();
    }

    fn exit(&self) {
        self.exit();
    }
}
