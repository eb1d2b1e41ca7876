//! The keeper of the live sessions: the daemon without its event loop.
//!
//! It applies events to records in the store's transactions, exactly as `tally signal` does, and keeps the live ones
//! in memory. While the store cannot be written it goes on in memory, and writes down later what it owes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use session_core::manifest::RegistrySpec;
use session_core::{
    AgentName, Applied, Event, MachineId, Outcome, Policy, ServerId, ServerView, Session,
    SessionId, Snapshot, State, Time, apply, snapshot,
};

use super::debts::Owed;
use super::looks::Looks;
use crate::agents::AgentSource;
use crate::clock::Clock;
use crate::nudge::Nudge;
use crate::paths::Paths;
use crate::process::{ProcessTable, Recogniser};
use crate::store::{Row, Store, StoreError};

/// How long the daemon waits for a store that another process holds; its other work waits with it.
const WAIT: Duration = Duration::from_millis(50);
/// What the keeper works with.
pub(super) struct Tools {
    pub(super) paths: Paths,
    pub(super) machine: MachineId,
    pub(super) policy: Policy,
    pub(super) agents: Arc<dyn AgentSource>,
    pub(super) processes: Arc<dyn ProcessTable>,
    pub(super) clock: Arc<dyn Clock>,
}

/// The keeper.
pub(super) struct Keeper {
    pub(super) tools: Tools,
    pub(super) recogniser: Recogniser,
    pub(super) sessions: BTreeMap<SessionId, Session>,
    pub(super) servers: BTreeMap<ServerId, ServerView>,
    /// The servers that can only be polled.
    pub(super) polled: BTreeSet<ServerId>,
    /// Whether the views of the servers differ from those in the store.
    pub(super) views_changed: bool,
    pub(super) looks: Looks,
    /// Whether a session's pane was missed by a look that was too old to tell, or viewed before there was a session in
    /// it: another look is needed.
    pub(super) doubtful: bool,
    store: Option<Store>,
    /// The newest journal row.
    seq: u64,
    /// The newest change of the store that was taken over.
    taken_over: u64,
    /// How much was written since the store was tidied up, by whomever.
    pub(super) written: u64,
    data_version: i64,
    pub(super) owed: VecDeque<Owed>,
    /// A newer Tallylight has taken the store over.
    pub(super) outdated: bool,
    registries: BTreeMap<AgentName, Option<RegistrySpec>>,
}

impl Keeper {
    /// Opens the store and takes the live sessions over.
    ///
    /// # Errors
    /// When a newer Tallylight has written the store: nothing may be done to it then. Any other trouble may pass.
    pub(super) fn new(tools: Tools) -> Result<Self, StoreError> {
        let recogniser = Recogniser::new(tools.agents.processes());
        let mut keeper = Self {
            tools,
            recogniser,
            sessions: BTreeMap::new(),
            servers: BTreeMap::new(),
            polled: BTreeSet::new(),
            views_changed: false,
            looks: Looks::default(),
            doubtful: false,
            store: None,
            seq: 0,
            taken_over: 0,
            written: 0,
            data_version: 0,
            owed: VecDeque::new(),
            outdated: false,
            registries: BTreeMap::new(),
        };
        match keeper.reopen() {
            Err(error @ StoreError::Newer { .. }) => return Err(error),
            Err(error) => tracing::error!(%error, "the store cannot be used; going on without it"),
            Ok(()) => {}
        }
        keeper.take_spooled();
        keeper.forget_views();
        keeper.check_all();
        Ok(keeper)
    }

    pub(super) fn now(&self) -> Time {
        self.tools.clock.now()
    }

    /// Whether anything goes on that may change without a word: a turn, a question that somebody answers.
    pub(super) fn is_busy(&self) -> bool {
        let goes_on =
            |session: &Session| matches!(session.shown.state, State::Working | State::Blocked);
        self.sessions.values().any(goes_on) || !self.owed.is_empty()
    }

    pub(super) const fn seq(&self) -> u64 {
        self.seq
    }

    /// The sockets of the servers that can only be polled.
    pub(super) fn polled(&self) -> impl Iterator<Item = String> {
        self.polled.iter().map(|server| server.socket.clone())
    }

    /// Takes a nudge.
    pub(super) fn nudged(&mut self, nudge: Nudge) {
        if let Nudge::Delivery(delivery) = nudge {
            self.deliver(*delivery);
        }
        self.take_over();
    }

    /// Opens the store anew, and puts into it what it does not know: a fresh one follows one that was removed or set
    /// aside, and the sessions live on.
    pub(super) fn reopen(&mut self) -> Result<(), StoreError> {
        self.store = None;
        let opened = Store::open_writing(&self.tools.paths, WAIT);
        self.outdated = matches!(opened, Err(StoreError::Newer { .. }));
        let mut store = opened?;
        store.settle_in()?;
        let (now, policy) = (self.now(), self.tools.policy.clone());
        let (machine, known) = (self.tools.machine.clone(), &self.sessions);
        store.write(now, |transaction| {
            transaction.set_policy(&policy)?;
            for session in known.values().filter(|session| session.machine == machine) {
                let taken = match &session.pane {
                    Some(key) => !transaction
                        .live_in_pane(&machine, key.server.mux, key.server.pid, key.pane)?
                        .is_empty(),
                    None => false,
                };
                if !taken && transaction.by_id(session.id)?.is_none() {
                    transaction.save(&Row::new(session.clone()), &[])?;
                }
            }
            Ok(())
        })?;
        // The marks first: what others write meanwhile is then read once more, instead of never.
        self.data_version = store.data_version()?;
        self.seq = store.newest_seq()?;
        self.taken_over = store.newest_change()?;
        let live = store.live()?;
        self.views_changed = true;
        self.store = Some(store);
        self.sessions = live
            .into_iter()
            .map(|session| (session.id, session))
            .collect();
        Ok(())
    }

    /// Runs `work` on the store, opening it anew when it is not, or no longer, the one at its path.
    pub(super) fn with_store<T>(
        &mut self,
        mut work: impl FnMut(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut fresh = false;
        loop {
            let Some(store) = self.store.as_mut().filter(|store| !store.replaced()) else {
                self.reopen()?;
                fresh = true;
                continue;
            };
            match work(store) {
                // A damaged one was set aside; what the fresh one does not know yet is put into it.
                Err(StoreError::Corrupt(_) | StoreError::Replaced) if !fresh => {
                    self.reopen()?;
                    fresh = true;
                }
                result => return result,
            }
        }
    }

    /// Takes over what others have written since the last time.
    pub(super) fn take_over(&mut self) {
        if !self.owed.is_empty() {
            // Memory is ahead of the store; once that is made up for, all of it is read.
            self.settle_up();
            return;
        }
        let since = self.taken_over;
        let read = self.with_store(|store| {
            store.check_version()?;
            // The marks first, as above.
            let (version, seq) = (store.data_version()?, store.newest_seq()?);
            let (changed, newest) = store.changed_since(since)?;
            Ok((changed, newest, seq, version))
        });
        match read {
            Ok((changed, newest, seq, version)) => {
                // Opening anew has read everything.
                self.taken_over = self.taken_over.max(newest);
                (self.seq, self.data_version) = (seq, version);
                for session in changed {
                    self.written += 1;
                    self.put(session);
                }
            }
            Err(error) => {
                self.outdated |= matches!(error, StoreError::Newer { .. });
                tracing::warn!(%error, "cannot read the store");
            }
        }
    }

    /// Whether another process has written the store since it was last read.
    pub(super) fn written_by_others(&mut self) -> bool {
        let known = self.data_version;
        self.with_store(|store| store.data_version())
            .is_ok_and(|version| version != known)
    }

    /// Tells one session what happened. What changes nothing is not written. Returns whether it changed.
    pub(super) fn tell(&mut self, id: SessionId, events: Vec<Event>) -> bool {
        let Some(known) = self.sessions.get(&id) else {
            return false;
        };
        let (now, policy) = (self.now(), self.tools.policy.clone());
        let mut tried = known.clone();
        if !apply_all(&mut tried, &events, &policy, now).changed {
            return false;
        }
        if self.owed.is_empty() {
            let written = self.with_store(|store| {
                let change = |session: &mut Session| apply_all(session, &events, &policy, now);
                let written = store.update(id, now, change)?;
                Ok((written, store.newest_seq()?))
            });
            match written {
                Ok((Some((session, _)), seq)) => {
                    self.written += 1;
                    self.seq = seq;
                    self.put(session);
                    return true;
                }
                Ok((None, _)) => {
                    // Its row is gone: it was pruned, or the store is a fresh one.
                    self.sessions.remove(&id);
                    return true;
                }
                Err(error) => tracing::warn!(%error, "cannot write the store; going on in memory"),
            }
        }
        self.owe(Owed::Events(id, events, now));
        self.put(tried);
        true
    }

    /// Changes parts of a record that no event is about, such as where it is.
    pub(super) fn amend(&mut self, id: SessionId, change: impl Fn(&mut Session)) {
        let now = self.now();
        let amended = self.with_store(|store| {
            store.update(id, now, |session| {
                change(session);
                Applied {
                    outcome: Outcome::Taken,
                    effects: Vec::new(),
                    changed: true,
                }
            })
        });
        match amended {
            Ok(Some((session, _))) => {
                self.written += 1;
                self.put(session);
            }
            // It is no state that would be lost: the next look finds the same.
            Ok(None) | Err(_) => {
                if let Some(session) = self.sessions.get_mut(&id) {
                    change(session);
                }
            }
        }
    }

    /// Begins a session that nobody has signalled.
    pub(super) fn begin(&mut self, session: &Session, events: &[Event]) {
        let (now, policy) = (self.now(), self.tools.policy.clone());
        let Some(key) = session.pane.clone() else {
            return;
        };
        let begun = self.with_store(|store| {
            let begun = store.write(now, |transaction| {
                let machine = &session.machine;
                if !transaction
                    .live_in_pane(machine, key.server.mux, key.server.pid, key.pane)?
                    .is_empty()
                {
                    return Ok(None);
                }
                let mut row = Row::new(session.clone());
                let applied = apply_all(&mut row.session, events, &policy, now);
                transaction.save(&row, &applied.effects)?;
                Ok(Some(row.session))
            })?;
            Ok((begun, store.newest_seq()?))
        });
        match begun {
            Ok((Some(session), seq)) => {
                self.seq = seq;
                self.put(session);
            }
            Ok((None, _)) => self.take_over(),
            // Nothing is owed: the next look finds the agent again.
            Err(error) => tracing::warn!(%error, "cannot begin a session"),
        }
    }

    /// Takes a record over.
    pub(super) fn put(&mut self, session: Session) {
        if session.gone.is_some() {
            self.sessions.remove(&session.id);
        } else {
            // Whether it was missed, or begins before the person's eyes and has not been told.
            let unseen = session.pane.as_ref().is_some_and(|key| {
                let view = self.servers.get(&key.server);
                view.is_some_and(|view| view.pane(key.pane).is_none() || view.viewed(key.pane))
            });
            if self.sessions.insert(session.id, session).is_none() {
                self.doubtful |= unseen;
            }
        }
    }

    /// The registry that an agent keeps, by its manifest.
    pub(super) fn registry_of(&mut self, agent: &AgentName) -> Option<RegistrySpec> {
        if let Some(known) = self.registries.get(agent) {
            return known.clone();
        }
        let spec = self
            .tools
            .agents
            .manifest(agent.as_str())
            .and_then(|manifest| manifest.registry);
        self.registries.insert(agent.clone(), spec.clone());
        spec
    }

    /// The picture for the bridges.
    pub(super) fn picture(&self) -> Snapshot {
        let servers: Vec<ServerView> = self.servers.values().cloned().collect();
        snapshot(
            &self.tools.machine,
            self.seq,
            self.sessions.values(),
            &servers,
            |agent| self.tools.agents.coverage(agent),
            &self.tools.policy,
            self.now(),
        )
    }
}

/// Applies several events as one change.
pub(super) fn apply_all(
    session: &mut Session,
    events: &[Event],
    policy: &Policy,
    now: Time,
) -> Applied {
    let mut all = Applied {
        outcome: Outcome::Taken,
        effects: Vec::new(),
        changed: false,
    };
    for event in events {
        let applied = apply(session, event.clone(), policy, now);
        all.effects.extend(applied.effects);
        all.changed |= applied.changed;
        all.outcome = applied.outcome;
    }
    all
}
