//! What agents must show at each edge of their lives, tried on the agents themselves: one play for all of them, and a
//! table of what came of it in `docs/agents.md`.

mod claude;
mod codex;
mod edge;
mod opencode;
mod pi;
mod play;
mod qwen;
mod table;

pub use claude::OfClaude;
pub use codex::OfCodex;
pub use edge::{Edge, Verdict};
pub use opencode::OfOpencode;
pub use pi::OfPi;
pub use play::conform;
pub use qwen::OfQwen;

use crate::desk::{Desk, Seat};
use crate::lamp::Lamp;
use crate::pane::Pane;
use crate::stub_model::StubModel;
use crate::world::World;

/// An agent at one version, and what it can be made to do.
pub trait Subject {
    /// What the table calls it.
    fn title(&self) -> &'static str;

    /// The name that it is wired by.
    fn name(&self) -> &'static str;

    /// The version.
    fn version(&self) -> &'static str;

    /// Puts it on the path of a world, with the stub as its model.
    fn install(&self, world: &mut World, model: &StubModel);

    /// Starts it as a person does and waits for its input box.
    fn launch(&self, desk: &Desk, seat: &Seat) -> Box<dyn Agent>;

    /// What its lamp is before the first prompt.
    fn at_start(&self) -> Lamp {
        Lamp::Idle
    }

    /// A call of a tool that nobody is asked about.
    fn tool(&self) -> &'static str {
        "bash sleep 2"
    }

    /// A call of a tool that needs a permission.
    fn asks(&self) -> &'static str;

    /// Why a refusal cannot be tried or shown.
    fn denied(&self) -> Verdict {
        Verdict::Verified
    }

    /// A call that asks the person a question, or why there is none.
    ///
    /// # Errors
    /// With the reason.
    fn question(&self) -> Result<&'static str, Verdict>;

    /// A call that has a subagent do so much, or why there is none.
    ///
    /// # Errors
    /// With the reason.
    fn subagent(&self) -> Result<&'static str, Verdict>;

    /// Whether it asks for a permission before it lets a subagent run.
    fn asks_before_subagents(&self) -> bool {
        false
    }

    /// What is on the screen below a prompt while its answer comes: any of these.
    fn underway(&self) -> &'static [&'static str] {
        &["word 3"]
    }

    /// A call that fails for good and the kind of the error, or why there is none.
    ///
    /// # Errors
    /// With the reason.
    fn model_error(&self) -> Result<(&'static str, &'static str), Verdict> {
        Ok(("err 400", "request"))
    }
}

/// An agent that runs in a pane, driven as a person drives it.
pub trait Agent {
    /// The pane.
    fn pane(&self) -> &Pane;

    /// Types a prompt and sends it off.
    fn prompt(&self, text: &str);

    /// Waits for the dialog that asks for a permission.
    fn wait_for_permission(&self);

    /// Waits for the question.
    fn wait_for_question(&self) {
        self.wait_for_permission();
    }

    /// Says yes.
    fn accept(&self);

    /// Takes the first answer to the question.
    fn answer(&self) {
        self.accept();
    }

    /// Says no with Esc.
    fn refuse(&self);

    /// Interrupts a turn whose words keep coming.
    fn interrupt(&self) {
        self.pane().press(["Escape"]);
    }

    /// Leaves by the command for it, and waits for the shell.
    fn exit(&self);
}
