//! Looks at the processes in the panes: who holds the foreground, and since when nothing has moved there.

use std::collections::BTreeMap;

use session_core::{
    AgentName, Corroboration, Event, PaneId, PaneKey, ProcessRef, ServerId, ServerView, Session,
    SessionId, SignalSource, Time,
};

use super::keeper::Keeper;
use crate::intake::new_id;
use crate::process::{Holder, corroborate, holder};
use crate::wiring::REPORTS_AS;
use crate::{registry, vitals};

/// The shortest and the longest pause between two looks at a pane whose foreground stays the same, in milliseconds.
const PAUSE_MS: (i64, i64) = (2_000, 30_000);

/// What was seen in one pane.
#[derive(Clone, Debug)]
struct Look {
    /// The pane's process.
    pid: u32,
    /// The foreground group.
    group: Option<u32>,
    /// When to look again although the group is the same.
    again: Time,
    pause_ms: i64,
}

/// What was seen in the panes.
#[derive(Clone, Debug, Default)]
pub(super) struct Looks {
    panes: BTreeMap<(ServerId, PaneId), Look>,
}

impl Looks {
    pub(super) fn forget_server(&mut self, server: &ServerId) {
        self.panes.retain(|(known, _), _| known != server);
    }

    /// Forgets the panes of a server that are no more.
    pub(super) fn keep_panes(&mut self, view: &ServerView) {
        self.panes
            .retain(|(server, pane), _| *server != view.server || view.pane(*pane).is_some());
    }
}

impl Keeper {
    /// Looks at all panes that may have changed; with `all`, also at those without a session.
    pub(super) fn look_at_panes(&mut self, all: bool) {
        let with_session: Vec<PaneKey> = self
            .sessions
            .values()
            .filter_map(|session| session.pane.clone())
            .collect();
        let mut panes: Vec<(PaneKey, u32)> = Vec::new();
        for view in self
            .servers
            .values()
            .filter(|view| view.stale_since.is_none())
        {
            for place in view.panes.iter().filter(|place| place.dead.is_none()) {
                let Some(pid) = place.pid else { continue };
                let key = PaneKey {
                    server: view.server.clone(),
                    pane: place.pane,
                };
                if all || with_session.contains(&key) {
                    panes.push((key, pid));
                }
            }
        }
        for (key, pid) in panes {
            self.look_at_pane(&key, pid, false);
        }
    }

    /// Looks at the foreground of one pane, if it has moved or has not been looked at for some time.
    pub(super) fn look_at_pane(&mut self, key: &PaneKey, pid: u32, now_please: bool) {
        let now = self.now();
        let place = (key.server.clone(), key.pane);
        let Ok(root) = self.tools.processes.stat(pid) else {
            return;
        };
        let known = self
            .looks
            .panes
            .get(&place)
            .filter(|look| look.pid == pid && look.group == root.foreground);
        let (same, last_pause) = known.map_or((false, 0), |look| (true, look.pause_ms));
        if known.is_some_and(|look| !now_please && now < look.again && root.foreground.is_some()) {
            return;
        }
        let held = holder(&*self.tools.processes, &self.recogniser, pid);
        let pause_ms = if same {
            (last_pause * 2).clamp(PAUSE_MS.0, PAUSE_MS.1)
        } else {
            PAUSE_MS.0
        };
        let look = Look {
            pid,
            group: root.foreground,
            again: now.plus_ms(pause_ms),
            pause_ms,
        };
        self.looks.panes.insert(place, look);
        self.judge(key, pid, &held);
    }

    /// Tells the session in a pane who holds its foreground, or begins one for an agent that nobody has heard of.
    fn judge(&mut self, key: &PaneKey, pid: u32, held: &Holder) {
        let session = self
            .sessions
            .values()
            .find(|session| session.pane.as_ref() == Some(key));
        match (session, held) {
            (Some(session), _) => {
                let (id, known) = (session.id, session.process);
                let corroboration =
                    corroborate(&*self.tools.processes, held, session.agent.as_ref(), known);
                let silent_exit = matches!(held, Holder::Shell { alone: true })
                    && known.is_none()
                    && session.turn.by == SignalSource::Wired
                    && session.agent.is_some();
                let found = match held {
                    Holder::Agent(agent, process) => Some((agent.clone(), *process)),
                    _ => None,
                };
                self.tell(
                    id,
                    vec![Event::Processes {
                        corroboration,
                        agent: found.clone(),
                    }],
                );
                if silent_exit {
                    // Its process was never known, and nothing runs under the pane's shell any more.
                    self.tell(id, vec![Event::AgentExited]);
                } else if let (None, Some((agent, process))) = (known, found) {
                    self.find_registry(id, &agent, process);
                }
            }
            (None, Holder::Agent(agent, process)) => self.begin_running(key, pid, agent, *process),
            (None, _) => {}
        }
    }

    fn begin_running(&mut self, key: &PaneKey, pid: u32, agent: &AgentName, process: ProcessRef) {
        // The last session of the pane may have said goodbye while its process still cleans up.
        let last = self
            .with_store(|store| store.last_over_at(key))
            .ok()
            .flatten();
        if last.is_some_and(|last| last.process == Some(process)) {
            return;
        }
        let now = self.now();
        let mut session = Session::new(
            new_id(now),
            self.tools.machine.clone(),
            Some(key.clone()),
            now,
        );
        session.pane_pid = Some(pid);
        session.registry_path = self.registry_path(agent, process);
        let declared = self.tools.processes.variable(process.pid, REPORTS_AS);
        session.reports_as = declared.and_then(|agent| agent.parse().ok());
        self.begin(
            &session,
            &[Event::Processes {
                corroboration: Corroboration::Agent,
                agent: Some((agent.clone(), process)),
            }],
        );
    }

    fn find_registry(&mut self, id: SessionId, agent: &AgentName, process: ProcessRef) {
        let Some(path) = self.registry_path(agent, process) else {
            return;
        };
        if self
            .sessions
            .get(&id)
            .is_some_and(|session| session.registry_path.is_none())
        {
            self.amend(id, |session| session.registry_path = Some(path.clone()));
        }
    }

    /// Where a process keeps its registry, by its own environment.
    fn registry_path(&self, agent: &AgentName, process: ProcessRef) -> Option<String> {
        let manifest = self.tools.agents.manifest(agent.as_str())?;
        let env = |name: &str| self.tools.processes.variable(process.pid, name);
        registry::path(&manifest, &env, process.pid)
    }

    /// Checks whether what the sessions live in is still there, where no bridge and no exit tells.
    pub(super) fn check_all(&mut self) {
        let ids: Vec<SessionId> = self.sessions.keys().copied().collect();
        for id in ids {
            let Some(session) = self
                .sessions
                .get(&id)
                .filter(|session| session.machine == self.tools.machine)
            else {
                continue;
            };
            let followed = session
                .pane
                .as_ref()
                .is_some_and(|key| self.servers.contains_key(&key.server));
            let event = if followed {
                vitals::agent_ended(session, &*self.tools.processes).then_some(Event::AgentExited)
            } else {
                vitals::check(session, &*self.tools.processes)
            };
            if let Some(event) = event {
                self.tell(id, vec![event]);
            }
        }
    }
}
