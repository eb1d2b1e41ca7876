//! The world behind the core: everything that has a clock, an environment, a file or a process.
//!
//! The crate stores sessions, finds out which pane a signal comes from, knows the processes, reads the
//! configuration and the manifests, and runs the service loop. It decides no state: for that it calls
//! [`session_core`].

pub mod agents;
pub mod beat;
pub mod bridge;
pub mod child;
pub mod clock;
pub mod config;
pub mod config_home;
pub mod env;
pub mod files;
pub mod git;
pub mod hooks;
pub mod host;
pub mod identity;
pub mod intake;
pub mod launches;
pub mod manifest_text;
pub mod manifests;
pub mod nudge;
pub mod own_agents;
pub mod paths;
pub mod process;
pub mod query;
pub mod registry;
pub mod repo;
pub mod runtime_dir;
pub mod service;
pub mod spool;
pub mod store;
pub mod trial;
pub mod wiring;

mod stamp;
#[cfg(test)]
mod testing;
mod vitals;
