//! Who looks at the world, in a thread of its own: a multiplexer that hangs holds up no key.
//!
//! It asks the store four times a second whether it has changed, which costs a read of shared memory, and draws the
//! picture only when it has. Where no daemon runs it looks at the servers itself, as slowly as one would.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use session_core::view::clean;
use session_core::{Mux, Session, SessionId, Time, explain};
use session_host::clock::Clock as _;
use session_host::config::Config;
use session_host::query::{Fresh, Picture};
use session_host::repo::checkout;
use session_host::store::{JournalRow, Store};
use tmux_bridge::{Tmux, screen};

use super::detail::{Detail, Row};
use super::event::Event;
use super::fleet::Fleet;
use super::past::{Change, SPAN_MS};
use crate::commands::daemon_runs;
use crate::context::Context;
use crate::sight::Sight;

/// How often the store is asked whether it has changed.
const BEAT: Duration = Duration::from_millis(250);
/// How often it is asked whether a daemon runs, and how often the world is looked at where none does.
const SLOW: Duration = Duration::from_secs(5);
/// How often a screen is looked at that is shown.
const PREVIEW: Duration = Duration::from_secs(2);
/// How long to wait for a store that is held, and for a multiplexer.
const LIMIT: Duration = Duration::from_millis(500);
/// How many rows of the journal are told of one session.
const ROWS: usize = 8;
/// How many rows of the journal are read at once.
const AT_ONCE: usize = 20_000;
/// The widest and the highest screen that is shown, in graphemes and rows.
const SCREEN: (usize, usize) = (400, 200);

/// What the lookout is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    /// Tell more about this session, or about none.
    Watch(Option<SessionId>),
}

/// Who looks.
pub(super) struct Lookout<'c> {
    context: &'c Context,
    config: &'c Config,
    store: Option<Store>,
    version: i64,
    sessions: Vec<Session>,
    journal: Vec<JournalRow>,
    seq: u64,
    daemon: Option<bool>,
    with_past: bool,
}

impl<'c> Lookout<'c> {
    /// One that has not looked yet. Without the past it is quicker.
    pub(super) fn new(context: &'c Context, config: &'c Config, with_past: bool) -> Self {
        Self {
            context,
            config,
            store: None,
            version: 0,
            sessions: Vec::new(),
            journal: Vec::new(),
            seq: 0,
            daemon: None,
            with_past,
        }
    }

    /// Looks until nobody listens any more.
    pub(super) fn run(mut self, asks: &Receiver<Ask>, tell: &dyn Fn(Event) -> bool) {
        let (mut watched, mut told, mut shown) = (None, None, None);
        let (mut slow, mut preview) = (Instant::now(), Instant::now());
        let mut first = true;
        loop {
            let asked = match asks.recv_timeout(if first { Duration::ZERO } else { BEAT }) {
                Ok(Ask::Watch(id)) => {
                    watched = id;
                    shown = None;
                    true
                }
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let due = first || slow.elapsed() >= SLOW;
            let changed = self.has_changed();
            let known = self.daemon;
            if due {
                self.daemon = Some(daemon_runs(&self.context.paths));
                slow = Instant::now();
            }
            // What only time and the servers change the daemon writes down, if there is one.
            let alone = due && self.daemon == Some(false);
            if changed || alone || known != self.daemon {
                let sight = alone.then(|| Sight::now(self.context));
                match self.fleet(sight.as_ref().map(Sight::fresh)) {
                    Ok(fleet) if told.as_ref() != Some(&fleet) => {
                        told = Some(fleet.clone());
                        if !tell(Event::Fleet(Box::new(fleet))) {
                            return;
                        }
                    }
                    Ok(_) => {}
                    Err(why) => {
                        if !tell(Event::Note(why)) {
                            return;
                        }
                    }
                }
            }
            first = false;
            if asked || changed || preview.elapsed() >= PREVIEW {
                preview = Instant::now();
                let detail = watched.and_then(|id| self.detail(id));
                if let Some(detail) = detail.filter(|detail| shown.as_ref() != Some(detail)) {
                    shown = Some(detail.clone());
                    if !tell(Event::Detail(Box::new(detail))) {
                        return;
                    }
                }
            }
        }
    }

    /// Whether the store has changed since this was asked last.
    fn has_changed(&mut self) -> bool {
        if self.store.as_ref().is_some_and(Store::replaced) {
            self.store = None;
            self.journal.clear();
            self.seq = 0;
        }
        if self.store.is_none() {
            self.store = Store::open_reading(&self.context.paths, LIMIT).ok();
            self.version = i64::MIN;
        }
        let version = self.store.as_ref().map(Store::data_version);
        match version {
            Some(Ok(version)) => std::mem::replace(&mut self.version, version) != version,
            Some(Err(_)) => {
                self.store = None;
                false
            }
            None => false,
        }
    }

    /// How things are now. While a daemon runs, and before that is known, the store says it: to ask the world about
    /// hundreds of sessions takes a tenth of a second.
    pub(super) fn fleet(&mut self, servers: Option<Fresh<'_>>) -> Result<Fleet, String> {
        let picture = if self.daemon == Some(false) {
            self.context.picture(self.config, servers, false)
        } else {
            self.context.recorded(self.config, false)
        };
        let picture = picture.map_err(|failure| failure.to_string())?;
        let Picture {
            snapshot, sessions, ..
        } = picture;
        self.sessions = sessions;
        let mut fleet = Fleet::of(snapshot.sessions, snapshot.rollup);
        for view in &mut fleet.sessions {
            // An age is told by the time, and is no change.
            view.state_age_ms = 0;
        }
        fleet.repos = snapshot.repos;
        fleet.daemon = self.daemon;
        let folders: HashSet<&String> = fleet
            .sessions
            .iter()
            .filter_map(|view| view.pane.as_ref()?.cwd.as_ref())
            .collect();
        let checkouts: BTreeMap<String, _> = folders
            .into_iter()
            .filter_map(|cwd| Some((cwd.clone(), checkout(Path::new(cwd))?)))
            .collect();
        fleet.checkouts = checkouts;
        if self.with_past {
            self.read_journal();
            for row in &self.journal {
                let change = Change {
                    at_ms: row.transition.at.ms(),
                    from: row.transition.from,
                    to: row.transition.to,
                };
                let changes = fleet.past.entry(row.transition.session).or_default();
                changes.push(change);
            }
        }
        Ok(fleet)
    }

    /// Reads on in the journal. What cannot be read is missing in the strips, and in nothing else.
    fn read_journal(&mut self) {
        let Some(store) = &self.store else { return };
        let begin = self.context.clock.now().ms() - SPAN_MS;
        let new = if self.journal.is_empty() {
            store.journal_from(Time::from_ms(begin))
        } else {
            store.journal_since(self.seq, AT_ONCE)
        };
        self.journal.extend(new.unwrap_or_default());
        self.journal.retain(|row| row.at.ms() >= begin);
        if let Some(last) = self.journal.last() {
            self.seq = last.seq;
        }
    }

    /// More about one session; `None` once it is gone.
    fn detail(&self, id: SessionId) -> Option<Detail> {
        let session = self.sessions.iter().find(|session| session.id == id)?;
        let now = self.context.clock.now();
        let rows = self.store.as_ref().map(|store| store.journal_of(id, ROWS));
        let row = |row: JournalRow| Row {
            at_ms: row.transition.at.ms(),
            from: row.transition.from,
            to: row.transition.to,
            reason: row.transition.reason,
        };
        let rows = rows.and_then(Result::ok).unwrap_or_default();
        Some(Detail {
            session: id,
            why: explain(session, &self.config.policy, now),
            journal: rows.into_iter().map(row).collect(),
            screen: self.screen(session),
        })
    }

    fn screen(&self, session: &Session) -> Result<Vec<String>, String> {
        let Some(pane) = &session.pane else {
            return Err("It is in no pane.".to_owned());
        };
        if pane.server.mux != Mux::Tmux {
            return Err("Only the screens of panes in tmux can be shown.".to_owned());
        }
        let tmux = Tmux::at(&pane.server.socket, &self.context.env);
        let text = screen(&tmux, pane.pane, LIMIT).map_err(|error| error.to_string())?;
        let mut lines: Vec<String> = text.lines().take(SCREEN.1).map(cleaned).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        Ok(lines)
    }
}

/// A line of a screen without what a terminal would obey; its blanks stay (case K3).
fn cleaned(line: &str) -> String {
    let words: Vec<String> = line
        .trim_end()
        .split(' ')
        .map(|word| clean(word, SCREEN.0))
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_k3_a_line_of_a_screen_keeps_its_blanks_and_nothing_that_a_terminal_obeys() {
        assert_eq!(
            cleaned("  a   \u{1b}[31mb\u{1b}[0m \u{202e}c\u{7}  "),
            "  a   b c"
        );
    }
}
