//! How long things are kept. Only the daemon prunes.

use rusqlite::params;
use session_core::Time;

use super::error::StoreError;
use super::transaction::Transaction;

const DAY_MS: i64 = 86_400_000;

/// How long things are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// The age of the oldest journal row, in milliseconds.
    pub journal_ms: i64,
    /// How many journal rows.
    pub journal_rows: i64,
    /// The age of the oldest session that is over, in milliseconds.
    pub over_ms: i64,
    /// How many sessions that are over.
    pub over_rows: i64,
}

impl Default for Keep {
    fn default() -> Self {
        Self {
            journal_ms: 30 * DAY_MS,
            journal_rows: 20_000,
            over_ms: 7 * DAY_MS,
            over_rows: 500,
        }
    }
}

impl Transaction<'_> {
    /// Removes what is older than `keep` says. The newest change always stays, since the next one is numbered after
    /// it.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn prune(&self, keep: &Keep, now: Time) -> Result<(), StoreError> {
        let connection = self.connection();
        connection.execute(
            "DELETE FROM journal WHERE at < ?1 OR seq <= (SELECT max(seq) FROM journal) - ?2",
            params![now.plus_ms(-keep.journal_ms).0, keep.journal_rows],
        )?;
        connection.execute(
            "DELETE FROM session WHERE live = 0 AND changed_seq < (SELECT max(changed_seq) FROM session) AND \
             (ended < ?1 OR key NOT IN (SELECT key FROM session WHERE live = 0 ORDER BY ended DESC LIMIT ?2))",
            params![now.plus_ms(-keep.over_ms).0, keep.over_rows],
        )?;
        connection.execute(
            "DELETE FROM claim WHERE seq < (SELECT ifnull(min(seq), 0) FROM journal)",
            [],
        )?;
        Ok(())
    }
}
