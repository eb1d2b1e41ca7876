//! The harness of the end-to-end tests: real tmux, real agents, a model server of our own.
//!
//! A test makes a [`World`] (a home of its own below `/tmp`), starts a [`StubModel`] and a
//! private [`TmuxServer`], lets an agent run in a pane and reads what a person would see: the
//! status line of an attached [`Client`]. Nothing here touches the default tmux server, the
//! person's home or the network. Waiting goes through [`wait_until`] only: a test asserts what
//! is reached, never what is there after a sleep.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test harness fails loudly, and writes only files of its own"
)]

pub mod agents;
pub mod census;
pub mod claude;
pub mod client;
pub mod conformance;
pub mod desk;
pub mod hook_log;
pub mod lamp;
pub mod lamp_log;
pub mod listing;
pub mod messages;
pub mod pane;
pub mod payload;
pub mod provision;
pub mod status_file;
pub mod stub_model;
pub mod tally;
pub mod tmux;
pub mod wait;
pub mod world;
pub mod zellij;

pub use census::Census;
pub use claude::{Claude, ClaudeVersion};
pub use client::Client;
pub use desk::{Desk, Seat};
pub use hook_log::{HookLog, HookRun};
pub use lamp::Lamp;
pub use lamp_log::LampLog;
pub use messages::Message;
pub use pane::Pane;
pub use status_file::{StatusChange, StatusFile};
pub use stub_model::StubModel;
pub use tmux::TmuxServer;
pub use wait::{LIMIT, wait_until};
pub use world::{Outcome, World};
