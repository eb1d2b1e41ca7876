//! The plugin without zellij: events in, commands out, and rows to paint.
//!
//! [`Plugin`] holds no truth. What it shows is a function of the last picture from the daemon, the last tabs, panes
//! and mode from zellij, and the time. What it tells is what zellij answers at that moment.

mod admission;
mod clock;
mod drawing;
mod event;
mod hand;
mod host;
mod inbox;
mod instance;
mod presence;
mod report;
mod stage;
#[cfg(test)]
mod stub;
#[cfg(test)]
mod tests;
mod turn;

pub use event::{Click, Event, Key, Message, Scroll};
pub use host::{Command, Focused, Host, Ids};
pub use instance::Plugin;
pub use stage::{Stage, is_new_enough};
