//! The list of all sessions on all servers, in a floating pane: choose one to go there.

mod choice;
mod entry;
mod screen;
#[cfg(test)]
mod tests;

pub use choice::{Choice, Move};
pub use entry::{Entry, entries};
pub use screen::screen;
