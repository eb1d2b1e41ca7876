//! The person's own commands, run for what happens.
//!
//! The daemon puts what happened into the store's queue ([`crate::store::Errand`]) and starts a process for each errand;
//! that process takes the errand out and runs its commands ([`run_errand`]). So a daemon that is killed loses none and
//! repeats none. What is told reaches a command only through its environment (case K1).

mod awaited;
mod command;
mod errand;
mod table;
#[cfg(test)]
mod tests;

pub use awaited::{HookFailed, run_awaited};
pub use command::{Limits, Ran, run};
pub use errand::{longest, run_errand};
pub use table::{HookCommand, HookTable, TIMEOUT_MS};
