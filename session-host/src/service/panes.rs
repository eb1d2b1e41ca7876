//! What the bridges see: servers, their panes, and who looks at them.

use session_core::{
    Event, GoneWhy, PaneKey, PanePlace, ServerId, ServerView, Session, SessionId, Time,
};

use super::keeper::Keeper;
use crate::bridge::Seen;
use crate::query::{is_of_another, may_have_missed};

/// For how long after its agent's exit a pane that is kept open may still tell how it ended, in milliseconds.
const LAST_WORDS_MS: i64 = 60_000;

impl Keeper {
    /// Takes in what a bridge saw.
    pub(super) fn seen(&mut self, seen: Seen) {
        match seen {
            Seen::Server { view, began } => self.seen_server(&view, began),
            Seen::Polled { server, polled } => {
                if polled {
                    self.polled.insert(server);
                } else {
                    self.polled.remove(&server);
                }
            }
            Seen::Gone(server) => self.seen_gone(&server),
        }
    }

    fn seen_gone(&mut self, server: &ServerId) {
        self.servers.remove(server);
        self.polled.remove(server);
        self.views_changed = true;
        self.looks.forget_server(server);
        for id in self.in_server(server) {
            self.tell(id, vec![Event::Gone(GoneWhy::ServerGone)]);
        }
    }

    fn seen_server(&mut self, view: &ServerView, began: Time) {
        let server = view.server.clone();
        let before = self.servers.insert(server.clone(), view.clone());
        self.views_changed |= before.as_ref() != Some(view);
        if view.stale_since.is_some() {
            // What it shows is the last that was seen: no news.
            return;
        }
        self.adopt(&server);
        for id in self.in_server(&server) {
            self.look_at_session(id, view, began);
        }
        self.looks.keep_panes(view);
        for place in &view.panes {
            let key = PaneKey {
                server: server.clone(),
                pane: place.pane,
            };
            let known = before.as_ref().and_then(|before| before.pane(place.pane));
            let moved =
                known.is_none_or(|known| known.pid != place.pid || known.command != place.command);
            match (place.dead, place.pid) {
                (Some(_), _) if known.is_none_or(|known| known.dead != place.dead) => {
                    self.last_words(&key, place);
                }
                (None, Some(pid)) if moved => self.look_at_pane(&key, pid, true),
                _ => {}
            }
        }
    }

    /// Forgets who looked at what: nobody knows for how long while no daemon runs.
    pub(super) fn forget_views(&mut self) {
        let viewed = |session: &&Session| session.viewed_since.is_some();
        let viewed: Vec<SessionId> = self
            .sessions
            .values()
            .filter(viewed)
            .map(|session| session.id)
            .collect();
        for id in viewed {
            self.amend(id, |session| session.viewed_since = None);
        }
    }

    /// Sessions whose server's start time nobody could tell are in this one, by its process id.
    fn adopt(&mut self, server: &ServerId) {
        let orphans: Vec<SessionId> = self
            .sessions
            .values()
            .filter(|session| {
                session.machine == self.tools.machine
                    && session.pane.as_ref().is_some_and(|key| {
                        key.server.started == 0
                            && key.server.mux == server.mux
                            && key.server.pid == server.pid
                    })
            })
            .map(|session| session.id)
            .collect();
        for id in orphans {
            self.amend(id, |session| {
                if let Some(key) = &mut session.pane {
                    key.server = server.clone();
                }
            });
        }
    }

    fn in_server(&self, server: &ServerId) -> Vec<SessionId> {
        let there = |key: &Option<PaneKey>| key.as_ref().is_some_and(|key| key.server == *server);
        self.sessions
            .values()
            .filter(|session| there(&session.pane))
            .map(|session| session.id)
            .collect()
    }

    fn look_at_session(&mut self, id: SessionId, view: &ServerView, began: Time) {
        let Some((session, pane)) = self
            .sessions
            .get(&id)
            .and_then(|session| Some((session, session.pane.as_ref()?.pane)))
        else {
            return;
        };
        let Some(place) = view.pane(pane) else {
            if may_have_missed(session, began, self.now()) {
                self.doubtful = true;
            } else {
                self.tell(id, vec![Event::Gone(GoneWhy::PaneClosed)]);
            }
            return;
        };
        if is_of_another(session, place, began, self.now()) {
            self.doubtful = true;
            return;
        }
        let mut events = vec![Event::Pane {
            pid: place.pid,
            dead: place.dead,
        }];
        let viewed = view.viewed(pane);
        if self
            .sessions
            .get(&id)
            .is_some_and(|session| session.viewed_since.is_some() != viewed)
        {
            events.push(Event::Viewed(viewed));
        }
        self.tell(id, events);
        self.tell_exit(id);
    }

    /// A pane that is kept open tells how its process ended, also when the agent was missed before.
    fn last_words(&mut self, key: &PaneKey, place: &PanePlace) {
        let in_pane = |known: &Option<PaneKey>| known.as_ref() == Some(key);
        if self.sessions.values().any(|session| in_pane(&session.pane)) {
            return;
        }
        let now = self.now();
        let recent = |at: Time| now.ms_since(at) < LAST_WORDS_MS;
        let over = self
            .with_store(|store| store.last_over_at(key))
            .ok()
            .flatten();
        let Some(over) = over.filter(|session| session.gone.is_some_and(|gone| recent(gone.at)))
        else {
            return;
        };
        self.revive(
            over.id,
            &Event::Pane {
                pid: place.pid,
                dead: place.dead,
            },
        );
    }
}
