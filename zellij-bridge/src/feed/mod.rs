//! The two pipes of a session, each held by a `zellij pipe` process for as long as the session lives (facts §1.7).
//!
//! A pipe is a broadcast by name, never one to a plugin's location: zellij would open a pane for a plugin that is not
//! there. It is unblocked when every plugin of the session has taken the line, so while *any* of them waits for its
//! permission nothing more goes through. Then the process is ended and another one started, with pauses that grow:
//! each brings the newest picture, and none is left behind.

mod allowance;
mod down;
mod file;
mod held;
mod leftover;
mod lines;
mod parting;
mod pause;
mod told;
mod up;

pub(crate) use down::{Line, down};
pub(crate) use file::PictureFile;
pub use leftover::clear;
pub use parting::part;
pub(crate) use told::Told;
pub(crate) use up::{Heard, up};
