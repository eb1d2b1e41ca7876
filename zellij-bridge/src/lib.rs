//! Adapts running zellij sessions to Tallylight.
//!
//! The bridge follows every zellij session of its user from outside: a session is a server, its tabs are windows. With
//! the plugin in it, two pipes carry the picture in and what the plugin sees out ([`session_core::wire`]). Without it,
//! the session's metadata file tells who is in which pane, at most a second late. It decides no state.
//!
//! - [`ZellijBridge`] is the running adapter, [`Finder`] finds what there is.
//! - [`clear`] ends the pipes of a daemon that could not, and [`part`] says good-bye for it.
//! - [`zjstatus`] feeds the bar of the same name.
//! - [`install`] writes the plugin and what it needs into the person's files, and takes it back; [`jump()`] brings the
//!   person to a pane.
//!
//! Everything but [`ZellijBridge`] is blocking and has a deadline. Nothing here runs in a hook: `tally signal` never
//! starts a zellij process.

pub mod install;
pub mod zjstatus;

mod bridge;
mod discover;
mod error;
mod facts;
mod feed;
mod jump;
mod look;
mod open;
mod version;
mod zellij;

pub use bridge::{BridgeConfig, ZellijBridge};
pub use discover::{Finder, Found};
pub use error::ZellijError;
pub use feed::{clear, part};
pub use jump::{Asked, Jump, jump};
pub use look::{Outline, outline};
pub use open::{open_tab, replace};
pub use version::{NoVersion, Version};
pub use zellij::{Address, DEADLINE, Zellij};
