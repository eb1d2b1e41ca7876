//! Pi in the play.

use super::{Agent, Subject, Verdict};
use crate::agents::pi::{self, Pi, VERSION};
use crate::desk::{Desk, Seat};
use crate::pane::Pane;
use crate::stub_model::StubModel;
use crate::world::World;

/// Pi, with an extension of the person's that asks before some commands.
#[derive(Clone, Copy, Debug)]
pub struct OfPi;

impl Subject for OfPi {
    fn title(&self) -> &'static str {
        "Pi"
    }

    fn name(&self) -> &'static str {
        "pi"
    }

    fn version(&self) -> &'static str {
        VERSION
    }

    fn install(&self, world: &mut World, model: &StubModel) {
        pi::install(world, model);
    }

    fn launch(&self, _desk: &Desk, seat: &Seat) -> Box<dyn Agent> {
        Box::new(Pi::launch(seat.agent_pane()))
    }

    fn asks(&self) -> &'static str {
        "bash echo gated"
    }

    fn denied(&self) -> Verdict {
        Verdict::NotExpressible(
            "a refused dialog of an extension is an answer like any other, and the run goes on.",
        )
    }

    fn question(&self) -> Result<&'static str, Verdict> {
        Err(Verdict::NotExpressible(
            "it has no tool that asks; a dialog of an extension is tried as a permission.",
        ))
    }

    fn subagent(&self) -> Result<&'static str, Verdict> {
        Err(Verdict::NotExpressible("it has no subagents of its own."))
    }
}

impl Agent for Pi {
    fn pane(&self) -> &Pane {
        self.pane()
    }

    fn prompt(&self, text: &str) {
        self.prompt(text);
    }

    fn wait_for_permission(&self) {
        self.wait_for_dialog();
    }

    fn accept(&self) {
        self.confirm();
    }

    fn refuse(&self) {
        self.pane().press(["Escape"]);
    }

    fn exit(&self) {
        self.exit();
    }
}
