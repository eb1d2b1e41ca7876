//! The book of deliveries while the store cannot be written: the daemon's own memory.

use std::cell::RefCell;
use std::collections::BTreeMap;

use session_core::{
    Effect, MachineId, Mux, PaneId, Policy, ServerId, ServerView, Session, SessionId,
};

use crate::intake::Book;
use crate::store::{Counter, Ended, Row, StoreError, UnroutedReason};

/// The live sessions in memory. What is counted and what is over is left to the time when the store can be written.
pub(super) struct MemoryBook<'m> {
    sessions: RefCell<&'m mut BTreeMap<SessionId, Session>>,
    servers: &'m BTreeMap<ServerId, ServerView>,
    policy: &'m Policy,
}

impl<'m> MemoryBook<'m> {
    pub(super) const fn new(
        sessions: &'m mut BTreeMap<SessionId, Session>,
        servers: &'m BTreeMap<ServerId, ServerView>,
        policy: &'m Policy,
    ) -> Self {
        Self {
            sessions: RefCell::new(sessions),
            servers,
            policy,
        }
    }
}

impl Book for MemoryBook<'_> {
    fn policy(&self) -> Result<Policy, StoreError> {
        Ok(self.policy.clone())
    }

    fn by_id(&self, id: SessionId) -> Result<Option<Row>, StoreError> {
        Ok(self.sessions.borrow().get(&id).cloned().map(Row::new))
    }

    fn live(&self) -> Result<Vec<Session>, StoreError> {
        Ok(self.sessions.borrow().values().cloned().collect())
    }

    fn live_in_pane(
        &self,
        machine: &MachineId,
        mux: Mux,
        server_pid: u32,
        pane: PaneId,
    ) -> Result<Vec<Row>, StoreError> {
        let sessions = self.sessions.borrow();
        let there = |session: &&Session| {
            session.machine == *machine
                && session.pane.as_ref().is_some_and(|key| {
                    key.server.mux == mux && key.server.pid == server_pid && key.pane == pane
                })
        };
        Ok(sessions
            .values()
            .filter(there)
            .cloned()
            .map(Row::new)
            .collect())
    }

    fn last_end(&self, _server: &str, _pane: PaneId) -> Result<Option<Ended>, StoreError> {
        Ok(None)
    }

    fn server(&self, mux: Mux, pid: u32) -> Result<Option<ServerView>, StoreError> {
        let found = self
            .servers
            .values()
            .find(|view| view.server.mux == mux && view.server.pid == pid);
        Ok(found.cloned())
    }

    fn save(&self, row: &Row, _effects: &[Effect]) -> Result<(), StoreError> {
        let session = &row.session;
        let mut sessions = self.sessions.borrow_mut();
        if session.gone.is_some() {
            sessions.remove(&session.id);
        } else {
            sessions.insert(session.id, session.clone());
        }
        Ok(())
    }

    fn count(&self, _counter: Counter) -> Result<(), StoreError> {
        Ok(())
    }

    fn unrouted(&self, _reason: &UnroutedReason) -> Result<(), StoreError> {
        Ok(())
    }
}
