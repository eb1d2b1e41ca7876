//! Transition tables, cases and laws of the machine.

mod blocked;
mod laws;
mod lifecycle;
mod play;
mod registry;
mod turns;
