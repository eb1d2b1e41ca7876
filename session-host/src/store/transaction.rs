//! One write transaction.

use rusqlite::{Connection, OptionalExtension as _, params};
use session_core::{
    Effect, MachineId, Mux, PaneId, Policy, ProcessRef, ServerView, Session, SessionId, Time,
    Transition,
};

use super::error::StoreError;
use super::read::{LIVE, sessions};
use super::rows::{Counter, UnroutedReason};

/// The key in `meta` of the person's numbers.
pub(super) const POLICY: &str = "policy";
/// How many unrouted signals are kept.
const UNROUTED_KEPT: i64 = 20;

/// A session and its place in the store.
#[derive(Clone, Debug)]
pub struct Row {
    key: Option<i64>,
    /// The session.
    pub session: Session,
}

impl Row {
    /// A session that is not in the store yet.
    #[must_use]
    pub const fn new(session: Session) -> Self {
        Self { key: None, session }
    }
}

/// The end of the last session in a pane.
#[derive(Clone, Debug)]
pub struct Ended {
    /// When.
    pub at: Time,
    /// The agent's process in it, as far as it was known.
    pub process: Option<ProcessRef>,
    /// The session.
    pub id: SessionId,
}

/// One write transaction; see [`Store::write`](super::Store::write).
#[derive(Debug)]
pub struct Transaction<'c> {
    connection: &'c Connection,
    now: Time,
}

impl<'c> Transaction<'c> {
    pub(super) const fn new(connection: &'c Connection, now: Time) -> Self {
        Self { connection, now }
    }

    /// A session by its id.
    ///
    /// # Errors
    /// When the store cannot be read, or the record does not read back.
    pub fn by_id(&self, id: SessionId) -> Result<Option<Row>, StoreError> {
        let mut find = self
            .connection
            .prepare_cached("SELECT key, record FROM session WHERE id = ?1")?;
        let found: Option<(i64, String)> = find
            .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((key, record)) = found else {
            return Ok(None);
        };
        Ok(Some(Row {
            key: Some(key),
            session: serde_json::from_str(&record)?,
        }))
    }

    /// The live sessions, in no particular order.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn live(&self) -> Result<Vec<Session>, StoreError> {
        sessions(self.connection, LIVE, [])
    }

    /// The live sessions in a pane, by what a signal knows of its server: at most one a server, and two servers of
    /// one process id never live at once. A record that does not read back is retired: it must not stand in the way.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub fn live_in_pane(
        &self,
        machine: &MachineId,
        mux: Mux,
        server_pid: u32,
        pane: PaneId,
    ) -> Result<Vec<Row>, StoreError> {
        let mut find = self.connection.prepare_cached(
            "SELECT key, machine, record FROM session WHERE live = 1 AND server_pid = ?1 AND pane = ?2",
        )?;
        let mut found = find.query(params![server_pid, pane.0])?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let key: i64 = row.get(0)?;
            if row.get_ref(1)?.as_str().is_ok_and(|at| at != machine.0) {
                continue;
            }
            let record = row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?;
            match serde_json::from_str::<Session>(record) {
                Ok(session)
                    if session
                        .pane
                        .as_ref()
                        .is_some_and(|pane| pane.server.mux == mux) =>
                {
                    rows.push(Row {
                        key: Some(key),
                        session,
                    });
                }
                Ok(_) => {}
                Err(error) => self.retire(key, &error)?,
            }
        }
        Ok(rows)
    }

    fn retire(&self, key: i64, why: &serde_json::Error) -> Result<(), StoreError> {
        tracing::warn!(key, %why, "retired a record that does not read back");
        self.connection
            .prepare_cached("UPDATE session SET live = 0, ended = ?2 WHERE key = ?1")?
            .execute(params![key, self.now.0])?;
        Ok(())
    }

    /// The end of the last session in a pane that had one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn last_end(&self, server: &str, pane: PaneId) -> Result<Option<Ended>, StoreError> {
        let mut find = self.connection.prepare_cached(
            "SELECT record FROM session WHERE live = 0 AND server = ?1 AND pane = ?2 ORDER BY ended DESC LIMIT 1",
        )?;
        let record: Option<String> = find
            .query_row(params![server, pane.0], |row| row.get(0))
            .optional()?;
        // A record that does not read back ended some time ago.
        let session = record.and_then(|record| serde_json::from_str::<Session>(&record).ok());
        Ok(session.and_then(|session| {
            Some(Ended {
                at: session.gone?.at,
                process: session.process,
                id: session.id,
            })
        }))
    }

    /// Saves a session and the journal rows that its change gave rise to.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn save(&self, row: &Row, effects: &[Effect]) -> Result<(), StoreError> {
        let session = &row.session;
        let record = serde_json::to_string(session)?;
        let live = session.gone.is_none();
        let ended = session.gone.map(|gone| gone.at.0);
        let server = session
            .pane
            .as_ref()
            .map(|pane| (pane.server.to_string(), pane.server.pid, pane.pane.0));
        let (server, server_pid, pane) = match server {
            Some((server, pid, pane)) => (Some(server), Some(pid), Some(pane)),
            None => (None, None, None),
        };
        match row.key {
            Some(key) => self
                .connection
                .prepare_cached(
                    "UPDATE session SET server = ?2, server_pid = ?3, pane = ?4, live = ?5, ended = ?6, record = ?7, \
                     changed_seq = (SELECT max(changed_seq) + 1 FROM session) WHERE key = ?1",
                )?
                .execute(params![key, server, server_pid, pane, live, ended, record])?,
            None => self
                .connection
                .prepare_cached(
                    "INSERT INTO session (id, machine, mux, server, server_pid, pane, live, born, ended, changed_seq, record) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, (SELECT ifnull(max(changed_seq), 0) + 1 FROM session), ?10)",
                )?
                .execute(params![
                    session.id.0,
                    session.machine.0,
                    session.pane.as_ref().map(|pane| pane.server.mux.to_string()),
                    server,
                    server_pid,
                    pane,
                    live,
                    session.born.0,
                    ended,
                    record,
                ])?,
        };
        for effect in effects {
            if let Effect::Journal(transition) = effect {
                self.journal(&session.machine, transition)?;
            }
        }
        Ok(())
    }

    fn journal(&self, machine: &MachineId, transition: &Transition) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT INTO journal (at, machine, session, state_before, state_after, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                self.now.0,
                machine.0,
                transition.session.0,
                transition.from.word(),
                transition.to.word(),
                serde_json::to_string(transition)?,
            ])?;
        Ok(())
    }

    /// Counts a signal that named no live pane, and keeps the reason among the last few.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn unrouted(&self, reason: &UnroutedReason) -> Result<(), StoreError> {
        self.count(Counter::Unrouted)?;
        self.connection
            .prepare_cached("INSERT INTO unrouted (at, event, agent, why) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![reason.at.0, reason.event, reason.agent, reason.why])?;
        self.connection
            .prepare_cached(
                "DELETE FROM unrouted WHERE number <= (SELECT max(number) FROM unrouted) - ?1",
            )?
            .execute([UNROUTED_KEPT])?;
        Ok(())
    }

    /// Counts something.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn count(&self, counter: Counter) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT INTO counter (name, value, at) VALUES (?1, 1, ?2) \
                 ON CONFLICT (name) DO UPDATE SET value = value + 1, at = excluded.at",
            )?
            .execute(params![counter.name(), self.now.0])?;
        Ok(())
    }

    /// The person's numbers, as the daemon or a command wrote them down last; the default ones otherwise. The
    /// configuration itself is not read on the hot path.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn policy(&self) -> Result<Policy, StoreError> {
        let policy = self
            .meta(POLICY)?
            .and_then(|policy| serde_json::from_str(&policy).ok());
        Ok(policy.unwrap_or_default())
    }

    /// Writes the person's numbers down for those who do not read the configuration.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn set_policy(&self, policy: &Policy) -> Result<(), StoreError> {
        self.set_meta(POLICY, &serde_json::to_string(policy)?)
    }

    /// A value of `meta`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        meta(self.connection, key)
    }

    /// Sets a value of `meta`.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn set_meta(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.connection
            .prepare_cached("INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value")?
            .execute([key, value])?;
        Ok(())
    }

    /// A server as it was seen last, by its process id.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn server(&self, mux: Mux, pid: u32) -> Result<Option<ServerView>, StoreError> {
        let views = views(self.connection, "SELECT view FROM server")?;
        Ok(views
            .into_iter()
            .find(|view| view.server.mux == mux && view.server.pid == pid))
    }

    /// Writes down what a server looks like.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn save_server(&self, view: &ServerView) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT INTO server (server, view, seen_at) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (server) DO UPDATE SET view = excluded.view, seen_at = excluded.seen_at",
            )?
            .execute(params![view.server.to_string(), serde_json::to_string(view)?, self.now.0])?;
        Ok(())
    }

    /// Forgets all servers but these.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn keep_servers(&self, known: &[String]) -> Result<(), StoreError> {
        let mut all = self
            .connection
            .prepare_cached("SELECT server FROM server")?;
        let all: Vec<String> = all
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for gone in all.iter().filter(|server| !known.contains(server)) {
            self.connection
                .prepare_cached("DELETE FROM server WHERE server = ?1")?
                .execute([gone])?;
        }
        Ok(())
    }

    /// Takes up an effect of a journal row: true for the one caller who is to run it.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn claim(&self, seq: u64, effect: &str, by: &str) -> Result<bool, StoreError> {
        let claimed = self
            .connection
            .prepare_cached("INSERT INTO claim (seq, effect, by, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING")?
            .execute(params![i64::try_from(seq).unwrap_or(i64::MAX), effect, by, self.now.0])?;
        Ok(claimed == 1)
    }

    pub(super) const fn connection(&self) -> &Connection {
        self.connection
    }
}

pub(super) fn meta(connection: &Connection, key: &str) -> Result<Option<String>, StoreError> {
    let mut find = connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    Ok(find.query_row([key], |row| row.get(0)).optional()?)
}

/// The views that a query gives; one that does not read back is from another version and says nothing.
pub(super) fn views(connection: &Connection, query: &str) -> Result<Vec<ServerView>, StoreError> {
    let mut statement = connection.prepare_cached(query)?;
    let mut found = statement.query([])?;
    let mut views = Vec::new();
    while let Some(row) = found.next()? {
        let view = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        views.extend(serde_json::from_str::<ServerView>(view));
    }
    Ok(views)
}
