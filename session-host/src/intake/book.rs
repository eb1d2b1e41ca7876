//! Where deliveries are written: the store's transaction, or the daemon's memory while the store cannot be written.

use session_core::{Effect, MachineId, Mux, PaneId, Policy, ServerView, Session, SessionId};

use crate::store::{Counter, Ended, Row, StoreError, Transaction, UnroutedReason};

/// The sessions, as far as a delivery needs them.
pub trait Book {
    /// The person's numbers.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn policy(&self) -> Result<Policy, StoreError>;

    /// A session by its id.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn by_id(&self, id: SessionId) -> Result<Option<Row>, StoreError>;

    /// The live sessions.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn live(&self) -> Result<Vec<Session>, StoreError>;

    /// The live sessions in a pane of a server with this process id.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn live_in_pane(
        &self,
        machine: &MachineId,
        mux: Mux,
        server_pid: u32,
        pane: PaneId,
    ) -> Result<Vec<Row>, StoreError>;

    /// The end of the last session in a pane.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn last_end(&self, server: &str, pane: PaneId) -> Result<Option<Ended>, StoreError>;

    /// A server as it was seen last.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn server(&self, mux: Mux, pid: u32) -> Result<Option<ServerView>, StoreError>;

    /// Saves a session and the journal rows of its change.
    ///
    /// # Errors
    /// When the book cannot be written.
    fn save(&self, row: &Row, effects: &[Effect]) -> Result<(), StoreError>;

    /// Counts something.
    ///
    /// # Errors
    /// When the book cannot be written.
    fn count(&self, counter: Counter) -> Result<(), StoreError>;

    /// Counts a signal that named no live pane.
    ///
    /// # Errors
    /// When the book cannot be written.
    fn unrouted(&self, reason: &UnroutedReason) -> Result<(), StoreError>;
}

impl Book for Transaction<'_> {
    fn policy(&self) -> Result<Policy, StoreError> {
        Transaction::policy(self)
    }

    fn by_id(&self, id: SessionId) -> Result<Option<Row>, StoreError> {
        Transaction::by_id(self, id)
    }

    fn live(&self) -> Result<Vec<Session>, StoreError> {
        Transaction::live(self)
    }

    fn live_in_pane(
        &self,
        machine: &MachineId,
        mux: Mux,
        server_pid: u32,
        pane: PaneId,
    ) -> Result<Vec<Row>, StoreError> {
        Transaction::live_in_pane(self, machine, mux, server_pid, pane)
    }

    fn last_end(&self, server: &str, pane: PaneId) -> Result<Option<Ended>, StoreError> {
        Transaction::last_end(self, server, pane)
    }

    fn server(&self, mux: Mux, pid: u32) -> Result<Option<ServerView>, StoreError> {
        Transaction::server(self, mux, pid)
    }

    fn save(&self, row: &Row, effects: &[Effect]) -> Result<(), StoreError> {
        Transaction::save(self, row, effects)
    }

    fn count(&self, counter: Counter) -> Result<(), StoreError> {
        Transaction::count(self, counter)
    }

    fn unrouted(&self, reason: &UnroutedReason) -> Result<(), StoreError> {
        Transaction::unrouted(self, reason)
    }
}
