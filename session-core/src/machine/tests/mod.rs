//! Transition tables, cases and laws of the machine.

mod away;
mod blocked;
mod explain;
mod laws;
mod lifecycle;
mod play;
mod registry;
mod turns;
