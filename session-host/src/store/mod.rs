//! The store: one SQLite database with a row for each session and one for each change of what a session shows.
//!
//! Whoever holds the write transaction runs the core's machine on the record in it (design §4), so `tally signal`
//! and the daemon cannot disagree, and a signal counts even when no daemon runs.

mod error;
mod rows;

use std::time::Duration;

pub use error::StoreError;
pub use rows::{JournalRow, SetAside, Unrouted, UnroutedReason};
use session_core::{Applied, PaneKey, Session, SessionId, ServerView};

use crate::paths::Paths;

/// An open store.
#[derive(Debug)]
pub struct Store {}

impl Store {
    /// Opens the store for reading only. Nothing is created.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is none yet, and whatever else stands in the way.
    pub fn open_reading(paths: &Paths, wait: Duration) -> Result<Self, StoreError> {
        let _ = (paths, wait);
        Err(StoreError::Missing)
    }

    /// Opens the store for writing: makes it when there is none, brings it up to date, sets a corrupt one aside.
    ///
    /// # Errors
    /// When it cannot be opened within `wait`.
    pub fn open_writing(paths: &Paths, wait: Duration) -> Result<Self, StoreError> {
        let _ = (paths, wait);
        Err(StoreError::Missing)
    }

    /// The live sessions, in no particular order.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn live(&self) -> Result<Vec<Session>, StoreError> {
        Ok(Vec::new())
    }

    /// All sessions that are kept, the newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn all(&self) -> Result<Vec<Session>, StoreError> {
        Ok(Vec::new())
    }

    /// One session.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn session(&self, id: SessionId) -> Result<Option<Session>, StoreError> {
        let _ = id;
        Ok(None)
    }

    /// The live session in a pane.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn live_at(&self, pane: &PaneKey) -> Result<Option<Session>, StoreError> {
        let _ = pane;
        Ok(None)
    }

    /// Changes one session in a transaction of its own: reads its record, runs `change` (the core's `apply`), saves
    /// the record and the journal rows that follow. `None` when there is no such session.
    ///
    /// # Errors
    /// When the store cannot be written in time; nothing has changed then.
    pub fn update(
        &mut self,
        id: SessionId,
        change: impl FnOnce(&mut Session) -> Applied,
    ) -> Result<Option<(Session, Applied)>, StoreError> {
        let _ = (id, change);
        Ok(None)
    }

    /// The journal after `seq`, oldest first, at most `limit` rows.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn journal_since(&self, seq: u64, limit: usize) -> Result<Vec<JournalRow>, StoreError> {
        let _ = (seq, limit);
        Ok(Vec::new())
    }

    /// The number of the newest journal row; 0 for none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn newest_seq(&self) -> Result<u64, StoreError> {
        Ok(0)
    }

    /// The servers as the daemon saw them last.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn servers(&self) -> Result<Vec<ServerView>, StoreError> {
        Ok(Vec::new())
    }

    /// The signals that named no live pane.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn unrouted(&self) -> Result<Unrouted, StoreError> {
        Ok(Unrouted::default())
    }

    /// The corrupt stores that were set aside, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn set_aside(&self) -> Result<Vec<SetAside>, StoreError> {
        Ok(Vec::new())
    }
}
