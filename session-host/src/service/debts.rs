//! What the daemon owes to a store that cannot be written: it goes on in memory, and makes up for it later.

use std::sync::Arc;

use session_core::{Event, SessionId, Time};

use super::keeper::{Keeper, apply_all};
use super::memory::MemoryBook;
use crate::intake::{Delivered, Delivery, Desk, Probed, take_spooled};
use crate::store::StoreError;

/// How much is owed to the store at most; what is older is given up.
const MAX_OWED: usize = 4_096;

/// Something that could not be written yet.
pub(super) enum Owed {
    /// A signal that came with a nudge.
    Delivery(Box<Delivery>),
    /// What a session was told, and when.
    Events(SessionId, Vec<Event>, Time),
}

impl Keeper {
    /// Takes a signal in that came with a nudge.
    pub(super) fn deliver(&mut self, mut delivery: Delivery) {
        if delivery.probed == Probed::NotAsked {
            // What the daemon has seen of the server decides; there is nobody else to ask.
            delivery.probed = Probed::NoAnswer;
        }
        if self.owed.is_empty() && self.delivered(&delivery).is_ok() {
            return;
        }
        let book = MemoryBook::new(&mut self.sessions, &self.servers, &self.tools.policy);
        let desk = Desk {
            book: &book,
            processes: &*self.tools.processes,
            machine: &self.tools.machine,
            now: self.tools.clock.now(),
        };
        if let Err(error) = desk.deliver(&delivery) {
            tracing::warn!(%error, "cannot take a signal in");
        }
        self.owe(Owed::Delivery(Box::new(delivery)));
    }

    fn delivered(&mut self, delivery: &Delivery) -> Result<Delivered, StoreError> {
        let (now, machine) = (self.now(), self.tools.machine.clone());
        let processes = Arc::clone(&self.tools.processes);
        self.with_store(|store| {
            store.write(now, |transaction| {
                Desk {
                    book: transaction,
                    processes: &*processes,
                    machine: &machine,
                    now,
                }
                .deliver(delivery)
            })
        })
    }

    pub(super) fn owe(&mut self, owed: Owed) {
        if self.owed.len() >= MAX_OWED {
            self.owed.pop_front();
        }
        self.owed.push_back(owed);
    }

    /// Writes down what is owed to the store, in order.
    pub(super) fn settle_up(&mut self) {
        if self.owed.is_empty() {
            return;
        }
        while let Some(owed) = self.owed.pop_front() {
            let written = match &owed {
                Owed::Delivery(delivery) => self.delivered(delivery).map(|_| ()),
                Owed::Events(id, events, at) => {
                    let policy = self.tools.policy.clone();
                    self.with_store(|store| {
                        store
                            .update(*id, *at, |session| apply_all(session, events, &policy, *at))
                            .map(|_| ())
                    })
                }
            };
            if let Err(error) = written {
                tracing::debug!(%error, "the store still cannot be written");
                self.owed.push_front(owed);
                return;
            }
        }
        tracing::info!("wrote down what was owed to the store");
        // What was begun in memory has been begun in the store under ids of its own.
        let known = std::mem::take(&mut self.sessions);
        if let Err(error) = self.reopen() {
            tracing::warn!(%error, "cannot read the store");
            self.sessions = known;
        }
    }

    /// Takes spooled signals in.
    pub(super) fn take_spooled(&mut self) {
        let (paths, machine) = (self.tools.paths.clone(), self.tools.machine.clone());
        let (processes, clock) = (
            Arc::clone(&self.tools.processes),
            Arc::clone(&self.tools.clock),
        );
        let taken = self
            .with_store(|store| take_spooled(store, &paths, &*processes, &machine, &*clock, None));
        match taken {
            Ok(taken) if taken.count > 0 => {
                tracing::info!(count = taken.count, "took spooled signals in");
                self.take_over();
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "spooled signals have to wait"),
        }
    }
}
