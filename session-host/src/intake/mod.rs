//! The whole of `tally signal` as a library: what was reported, which pane it is from, one transaction, one nudge.
//!
//! This is the hot path (design §9): no TOML, no directory scans, only the process files that are needed, one
//! transaction, no runtime. Nothing here fails the caller: every kind of trouble ends in a [`SignalAnswer`] whose
//! diagnostic is for `--strict` and `tally doctor`.

mod book;
mod deliver;
mod delivery;
mod fit;
mod locate;
mod report;
mod request;
mod spooled;
mod take;
#[cfg(test)]
mod tests;

pub use book::Book;
pub use deliver::{Desk, new_id};
pub use delivery::{Delivered, Delivery, Probed};
pub use request::{DEADLINE, Fate, LARGEST_PAYLOAD, Report, SignalAnswer, SignalRequest, World};
pub use spooled::{Taken, take_spooled};
pub use take::take_signal;
