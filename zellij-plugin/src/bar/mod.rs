//! The status bar: one row, as rich as its width allows.
//!
//! Each part can be drawn in several lengths. [`bar`] tries the ladder of their combinations from the richest to the poorest
//! and takes the first that fits, so that what matters most is given up last: whose turn it is to wait for the
//! person, then the lamps, then names.

mod attention;
mod counts;
mod head;
mod notice;
mod rung;
mod scene;
mod tabs;
#[cfg(test)]
mod tests;

pub(crate) use attention::reason;
pub use notice::{Notice, notice};
pub use rung::{bar, shown_since};
pub use scene::{Doubt, Scene};
