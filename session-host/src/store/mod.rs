//! The store: one SQLite database with a row for each session and one for each change of what a session shows.
//!
//! Whoever holds the write transaction runs the core's machine on the record in it (design §4), so `tally signal`
//! and the daemon cannot disagree, and a signal counts even when no daemon runs.

mod error;
mod fresh;
mod keep;
mod migrate;
mod open;
mod outbox;
#[cfg(test)]
mod outbox_tests;
mod read;
mod rows;
#[cfg(test)]
mod tests;
mod transaction;
mod wait;

pub use error::StoreError;
pub use keep::Keep;
pub use open::Store;
pub use outbox::{Errand, Fate, HookRun, Logged, MOST_WAITING, Waiting};
pub use rows::{Counted, Counter, JournalRow, SetAside, Unrouted, UnroutedReason};
pub use transaction::{Ended, Row, Transaction};

/// Makes the store look as if a newer Tallylight had written it.
#[cfg(test)]
pub(crate) fn pretend_newer(paths: &crate::paths::Paths) {
    let connection = rusqlite::Connection::open(paths.store()).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
}
