//! What the passing of time brings about.

use std::fs;
use std::path::Path;

use session_core::{Event, ProcessRef, RegistryReport, Session, SessionId, Time, apply, derive};

use super::keeper::Keeper;
use crate::store::Keep;
use crate::{registry, repo, vitals, wiring};

/// After how many changes of the store it is tidied up; one takes about 16 KiB of its log.
const TIDY_AFTER: u64 = 200;
/// How large the daemon's own log may grow.
const LOG_BYTES: u64 = 4 * 1024 * 1024;
/// The pause before a session is told again that its time has come, in milliseconds.
const STUCK_MS: i64 = 1_000;

impl Keeper {
    /// The next time at which something may change by itself.
    pub(super) fn next_wake(&self) -> Option<Time> {
        let now = self.now();
        let wake = |session: &Session| match derive(session, &self.tools.policy, now).until {
            // It was due and nothing came of it: not again at once.
            Some(until) if until <= now => Some(now.plus_ms(STUCK_MS)),
            until => until,
        };
        self.sessions.values().filter_map(wake).min()
    }

    /// Lets the time tell those sessions whose time has come, their registries being read afresh: only a reading as
    /// new as the question can contradict the signals.
    pub(super) fn wake(&mut self) {
        let now = self.now();
        let due = |session: &&Session| {
            let (verdict, shown) = (derive(session, &self.tools.policy, now), &session.shown);
            (verdict.state, verdict.blocked_kind, verdict.error_kind)
                != (shown.state, shown.blocked_kind, shown.error_kind)
                || verdict.until.is_some_and(|until| until <= now)
        };
        let due: Vec<SessionId> = self
            .sessions
            .values()
            .filter(due)
            .map(|session| session.id)
            .collect();
        for id in due {
            self.read_registry(id);
        }
    }

    /// Reads the registry of a session, and lets the time tell it.
    pub(super) fn read_registry(&mut self, id: SessionId) {
        let now = self.now();
        let mut events = Vec::new();
        if let Some(report) = self.registry_report(id, now) {
            events.push(Event::Registry(report));
        }
        events.push(Event::Tick);
        self.tell_quietly(id, events);
    }

    /// The registry as it is now; `None` for a session that has none.
    #[expect(
        clippy::option_option,
        reason = "no registry at all, or one that says nothing"
    )]
    fn registry_report(&mut self, id: SessionId, now: Time) -> Option<Option<RegistryReport>> {
        let session = self.sessions.get(&id)?;
        let (path, process) = (session.registry_path.clone()?, session.process);
        let agent = session.agent.clone()?;
        let spec = self.registry_of(&agent)?;
        let stat = process.and_then(|process| self.tools.processes.stat(process.pid).ok());
        let since = stat
            .and_then(|stat| self.tools.processes.started_epoch(&stat))
            .map(registry::since);
        Some(registry::read(&spec, &path, since, now))
    }

    /// Tells a session something that is mostly no news: what differs only in the time of reading is kept in memory.
    fn tell_quietly(&mut self, id: SessionId, events: Vec<Event>) {
        let Some(known) = self.sessions.get(&id) else {
            return;
        };
        let (now, policy) = (self.now(), &self.tools.policy);
        let mut tried = known.clone();
        let mut effects = 0;
        for event in &events {
            effects += apply(&mut tried, event.clone(), policy, now).effects.len();
        }
        let mut reread = known.clone();
        if let (Some(known), Some(tried)) = (&mut reread.registry, &tried.registry) {
            known.read = tried.read;
        }
        if effects == 0 && reread == tried {
            self.sessions.insert(id, tried);
        } else {
            self.tell(id, events);
        }
    }

    /// The agent's process of a session has ended.
    pub(super) fn exited(&mut self, id: SessionId, process: ProcessRef) {
        let Some(session) = self
            .sessions
            .get(&id)
            .filter(|session| session.process == Some(process))
        else {
            return;
        };
        if !vitals::agent_ended(session, &*self.tools.processes) {
            return;
        }
        self.tell_exit(id);
    }

    /// Tells a session that its agent is gone, if it is. A pane that is kept open has been heard first.
    pub(super) fn tell_exit(&mut self, id: SessionId) {
        if self
            .sessions
            .get(&id)
            .is_some_and(|session| vitals::agent_ended(session, &*self.tools.processes))
        {
            self.tell(id, vec![Event::AgentExited]);
        }
    }

    /// Brings a session back whose pane says how it ended.
    pub(super) fn revive(&mut self, id: SessionId, event: &Event) {
        let (now, policy) = (self.now(), self.tools.policy.clone());
        let told = self.with_store(|store| {
            store.update(id, now, |session| {
                apply(session, event.clone(), &policy, now)
            })
        });
        match told {
            Ok(Some((session, _))) => self.put(session),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "cannot write the store"),
        }
    }

    /// Finds out which repositories new sessions are in.
    pub(super) fn find_repos(&mut self) {
        let unknown: Vec<(SessionId, String)> = self
            .sessions
            .values()
            .filter(|session| session.repo.is_none() && session.machine == self.tools.machine)
            .filter_map(|session| Some((session.id, self.directory(session)?)))
            .collect();
        for (id, directory) in unknown {
            if let Some(repo) = repo::of(Path::new(&directory)) {
                let repo = repo.display().to_string();
                self.amend(id, |session| session.repo = Some(repo.clone()));
            }
        }
    }

    fn directory(&self, session: &Session) -> Option<String> {
        if session.cwd.is_some() {
            return session.cwd.clone();
        }
        let key = session.pane.as_ref()?;
        self.servers.get(&key.server)?.pane(key.pane)?.cwd.clone()
    }

    /// Writes down what the servers look like, for those who ask without us.
    pub(super) fn save_servers(&mut self) {
        if !self.views_changed {
            return;
        }
        let (now, views) = (
            self.now(),
            self.servers.values().cloned().collect::<Vec<_>>(),
        );
        let saved = self.with_store(|store| {
            store.write(now, |transaction| {
                let known: Vec<String> = views.iter().map(|view| view.server.to_string()).collect();
                transaction.keep_servers(&known)?;
                views
                    .iter()
                    .try_for_each(|view| transaction.save_server(view))
            })
        });
        match saved {
            Ok(()) => {
                self.written += 1;
                self.views_changed = false;
            }
            Err(error) => tracing::debug!(%error, "cannot write down what the servers look like"),
        }
    }

    /// Moves new pages into the database file after many changes.
    pub(super) fn tidy(&mut self) {
        if self.written < TIDY_AFTER {
            return;
        }
        let now = self.now();
        self.written = 0;
        if let Err(error) = self.with_store(|store| store.tidy(now)) {
            tracing::debug!(%error, "cannot tidy the store up");
        }
    }

    /// Moves all pages into the database file: the last thing the daemon does.
    pub(super) fn leave(&mut self) {
        if let Err(error) = self.with_store(|store| store.checkpoint(0)) {
            tracing::debug!(%error, "cannot tidy the store up");
        }
    }

    /// Keeps the daemon's own log small: what it holds is put aside once.
    pub(super) fn cap_log(&self) {
        let log = self.tools.paths.log();
        if fs::metadata(&log).map_or(0, |log| log.len()) <= LOG_BYTES {
            return;
        }
        // The file stays open, and is appended to.
        let capped = fs::copy(&log, log.with_extension("log.old"))
            .and_then(|_| fs::OpenOptions::new().write(true).open(&log)?.set_len(0));
        if let Err(error) = capped {
            tracing::warn!(%error, "cannot cap the log");
        }
    }

    /// Removes what is older than it is kept for.
    pub(super) fn prune(&mut self) {
        let now = self.now();
        let pruned = self.with_store(|store| {
            store.write(now, |transaction| transaction.prune(&Keep::default(), now))
        });
        if let Err(error) = pruned {
            tracing::debug!(%error, "cannot prune the store");
        }
        let wiring = self.tools.paths.wiring();
        if let Err(error) = wiring::forget_merged(&wiring, &*self.tools.processes) {
            tracing::debug!(%error, "cannot remove the settings of an agent that has ended");
        }
    }
}
