//! Agent wiring: what is added to an agent so that it reports its states.
//!
//! An agent is wired when Tallylight launches it, by arguments and by files in Tallylight's own folder; the
//! person's settings are not touched. Whatever goes wrong here, the agent is started all the same. Its own configuration
//! is wired only when a person asks for that: [`global`].

mod argv;
mod command;
mod error;
mod executable;
pub mod global;
mod launch;
mod managed;
mod merge;
mod merged;
mod outside;
mod places;
mod variables;

pub use argv::{Patched, patch};
pub use command::{shell_quoted, signal_command, stable_path, wired_program};
pub use error::WiringError;
pub use executable::find_executable;
pub use launch::{Launch, Launcher};
pub use managed::{ManagedFile, ManagedState, managed_files};
pub use merge::{Clash, merge};
pub use merged::forget_merged;
pub use outside::{REPORTS_AS, VARIABLE, begin, is_outside};
pub use places::Places;
pub use variables::add_variables;
