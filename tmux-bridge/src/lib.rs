//! Adapts running tmux servers to Tallylight.
//!
//! The bridge follows every tmux server of its user without being seen: it attaches no client, resizes nothing and
//! runs nothing in a pane. It tells the service what it sees, and publishes what the service decides in `@tally_*`
//! options, which formats show without starting a process. It decides no state.
//!
//! - [`TmuxBridge`] is the running adapter, [`look()`], [`screen()`] and [`Probe`] ask one question each, [`servers()`] finds what
//!   there is.
//! - [`clear`] leaves all servers as they were found when the daemon could not.
//! - [`publish`] documents the options, [`style`] the formats that show them.
//! - [`conf`] is the line in the person's `tmux.conf`, [`jump()`] brings the person to a pane, [`hold`] is the guard
//!   process of a follower in control mode.
//!
//! Everything but [`TmuxBridge`] is blocking and has a deadline.
//!
//! "Facts §4" and the like in this crate's documentation are sections of its `FACTS.md`: what was measured on real
//! servers of several versions, or read in tmux's source.

pub mod conf;
pub mod hold;
pub mod publish;
pub mod style;

mod asked;
mod bridge;
mod call;
mod command;
mod discover;
mod error;
mod follow;
mod hooks;
mod jump;
mod look;
mod mark;
mod open;
mod options;
mod probe;
mod processes;
mod run;
mod screen;
mod version;

pub use asked::{Asked, Shown, shown};
pub use bridge::{BridgeConfig, TmuxBridge, clear};
pub use call::UnfitPath;
pub use command::{Batch, Line, Target, Tmux};
pub use discover::{Found, servers};
pub use error::TmuxError;
pub use follow::{ControlReader, Notice};
pub use jump::{Jump, JumpError, jump};
pub use look::{Depth, Look, Ours, Person, look};
pub use open::{Opened, open_window, respawn};
pub use options::Scope;
pub use probe::Probe;
pub use run::DEADLINE;
pub use screen::screen;
pub use version::{NoVersion, Version};
