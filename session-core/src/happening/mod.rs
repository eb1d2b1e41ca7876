//! What happens that the person may want a command of their own to run for.
//!
//! A *hook* is the person's shell command on one of our events. This module knows the events, what is told of each, and
//! which changes of an agent's state are worth one; it runs nothing. Text from agents leaves it only as the value of a
//! variable, never as part of a command (case K1).

mod agent;
mod alert;
mod event;
mod fact;
#[cfg(test)]
mod tests;
mod variables;

pub use alert::{Alerts, MINUTES_A_DAY, Moment, QuietHours};
pub use event::{HookEvent, Side};
pub use fact::{AgentFact, CommandFact, Happening, PlaceFact, ThemeFact, WorktreeFact};
pub use variables::{VARIABLES, variables};
