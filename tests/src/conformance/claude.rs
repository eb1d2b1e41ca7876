//! Claude Code in the play.

use super::{Agent, Subject, Verdict};
use crate::claude::{self, Claude, ClaudeVersion};
use crate::desk::{Desk, Seat};
use crate::pane::Pane;
use crate::stub_model::StubModel;
use crate::world::World;

/// Claude Code at a version.
#[derive(Clone, Copy, Debug)]
pub struct OfClaude(pub ClaudeVersion);

impl Subject for OfClaude {
    fn title(&self) -> &'static str {
        "Claude Code"
    }

    fn name(&self) -> &'static str {
        "claude"
    }

    fn version(&self) -> &'static str {
        self.0.number()
    }

    fn install(&self, world: &mut World, model: &StubModel) {
        claude::install(world, self.0, model);
    }

    fn launch(&self, desk: &Desk, seat: &Seat) -> Box<dyn Agent> {
        Box::new(desk.launch(seat))
    }

    fn asks(&self) -> &'static str {
        "bash touch made"
    }

    fn question(&self) -> Result<&'static str, Verdict> {
        Ok("ask")
    }

    fn subagent(&self) -> Result<&'static str, Verdict> {
        Ok("task <<bash sleep 1 | text sub done>>")
    }

    fn model_error(&self) -> Result<(&'static str, &'static str), Verdict> {
        Ok(("err 401", "auth"))
    }
}

impl Agent for Claude {
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
        self.wait_for_question();
    }

    fn accept(&self) {
        self.accept();
    }

    fn refuse(&self) {
        self.decline();
    }

    fn exit(&self) {
        self.exit();
    }
}
