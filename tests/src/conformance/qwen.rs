//! Qwen Code in the play.

use super::{Agent, Subject, Verdict};
use crate::agents::qwen::{self, Qwen, VERSION};
use crate::desk::{Desk, Seat};
use crate::pane::Pane;
use crate::stub_model::StubModel;
use crate::world::World;

/// Qwen Code.
#[derive(Clone, Copy, Debug)]
pub struct OfQwen;

impl Subject for OfQwen {
    fn title(&self) -> &'static str {
        "Qwen Code"
    }

    fn name(&self) -> &'static str {
        "qwen"
    }

    fn version(&self) -> &'static str {
        VERSION
    }

    fn install(&self, world: &mut World, model: &StubModel) {
        qwen::install(world, model);
    }

    fn launch(&self, _desk: &Desk, seat: &Seat) -> Box<dyn Agent> {
        Box::new(Qwen::launch(seat.agent_pane()))
    }

    /// It refuses to sleep.
    fn tool(&self) -> &'static str {
        "bash echo said"
    }

    fn asks(&self) -> &'static str {
        "bash touch made"
    }

    fn question(&self) -> Result<&'static str, Verdict> {
        Ok(
            r#"tool ask_user_question {"questions":[{"question":"Which colour?","header":"Colour","multiSelect":false,"options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]}]}"#,
        )
    }

    fn asks_before_subagents(&self) -> bool {
        true
    }

    fn subagent(&self) -> Result<&'static str, Verdict> {
        Ok("task <<text sub done>>")
    }
}

impl Agent for Qwen {
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
        self.allow();
    }

    fn answer(&self) {
        self.answer();
    }

    fn refuse(&self) {
        self.refuse();
    }

    fn interrupt(&self) {
        self.pane().press(["Escape"]);
        // An interrupted prompt is put back into the input box.
        self.empty_box();
    }

    fn exit(&self) {
        self.exit();
    }
}
