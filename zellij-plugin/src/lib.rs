//! Tallylight's status bar for zellij.
//!
//! One row that shows the input mode, the tabs with a lamp each, who waits for the person, and how many agents are in
//! each state; and a list of all agents in a floating pane. It holds no truth: states come from the daemon by a pipe
//! ([`session_core::wire`]), tabs and panes from zellij.
//!
//! Everything here but the module `zellij` is free of zellij's types and runs on any host, so that it can be tested
//! there: [`Plugin`] takes [`Event`](plugin::Event)s and speaks to a [`Host`](plugin::Host). The program `tally-zellij` is
//! the same with zellij behind it.

pub mod bar;
pub mod feed;
pub mod layout;
pub mod list;
pub mod look;
pub mod mode;
pub mod paint;
pub mod palette;
pub mod plugin;
#[cfg(test)]
pub(crate) mod samples;
pub mod settings;
#[cfg(target_family = "wasm")]
pub mod zellij;

pub use plugin::Plugin;
