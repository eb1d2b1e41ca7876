//! Reading the store.

use rusqlite::{Connection, OptionalExtension as _, Params, Row as SqlRow, params};
use session_core::{MachineId, PaneKey, ServerView, Session, SessionId, Time};

use super::error::StoreError;
use super::fresh;
use super::migrate;
use super::open::Store;
use super::rows::{Counted, Counter, JournalRow, SetAside, Unrouted, UnroutedReason};
use super::transaction::{meta, views};

/// The live sessions.
pub(super) const LIVE: &str = "SELECT record FROM session WHERE live = 1";

impl Store {
    /// The live sessions, in no particular order.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn live(&self) -> Result<Vec<Session>, StoreError> {
        self.sessions(LIVE, [])
    }

    /// All sessions that are kept, the newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn all(&self) -> Result<Vec<Session>, StoreError> {
        self.sessions(
            "SELECT record FROM session ORDER BY born DESC, key DESC",
            [],
        )
    }

    /// The sessions that changed after `seq`, oldest change first, and a number after which what they do not show yet
    /// is to be asked for.
    ///
    /// The number is read first: what others write between the two reads may come twice, and is never missed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn changed_since(&self, seq: u64) -> Result<(Vec<Session>, u64), StoreError> {
        let newest = self.newest_change()?;
        let seq = i64::try_from(seq).unwrap_or(i64::MAX);
        let sessions = self.sessions(
            "SELECT record FROM session WHERE changed_seq > ?1 ORDER BY changed_seq",
            [seq],
        )?;
        Ok((sessions, newest))
    }

    /// The number of the newest change of a session. To be read before the sessions themselves.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn newest_change(&self) -> Result<u64, StoreError> {
        self.begin_operation();
        let mut newest = self
            .connection
            .prepare_cached("SELECT ifnull(max(changed_seq), 0) FROM session")?;
        Ok(number(newest.query_row([], |row| row.get(0))?))
    }

    /// One session.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn session(&self, id: SessionId) -> Result<Option<Session>, StoreError> {
        Ok(self
            .sessions("SELECT record FROM session WHERE id = ?1", [id.0])?
            .pop())
    }

    /// The live session in a pane.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn live_at(&self, pane: &PaneKey) -> Result<Option<Session>, StoreError> {
        let found = self.sessions(
            "SELECT record FROM session WHERE live = 1 AND server_pid = ?1 AND pane = ?2 AND server = ?3",
            params![pane.server.pid, pane.pane.0, pane.server.to_string()],
        )?;
        Ok(found.into_iter().next())
    }

    /// The last session in a pane that is over.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn last_over_at(&self, pane: &PaneKey) -> Result<Option<Session>, StoreError> {
        let found = self.sessions(
            "SELECT record FROM session WHERE live = 0 AND server = ?1 AND pane = ?2 ORDER BY ended DESC LIMIT 1",
            params![pane.server.to_string(), pane.pane.0],
        )?;
        Ok(found.into_iter().next())
    }

    fn sessions(&self, query: &str, parameters: impl Params) -> Result<Vec<Session>, StoreError> {
        self.begin_operation();
        sessions(&self.connection, query, parameters)
    }

    /// The journal after `seq`, oldest first, at most `limit` rows.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn journal_since(&self, seq: u64, limit: usize) -> Result<Vec<JournalRow>, StoreError> {
        let parameters = [
            i64::try_from(seq).unwrap_or(i64::MAX),
            i64::try_from(limit).unwrap_or(i64::MAX),
        ];
        self.journal(
            "SELECT seq, at, machine, body FROM journal WHERE seq > ?1 ORDER BY seq LIMIT ?2",
            parameters,
        )
    }

    /// The journal from a point in time on, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn journal_from(&self, at: Time) -> Result<Vec<JournalRow>, StoreError> {
        self.journal(
            "SELECT seq, at, machine, body FROM journal WHERE at >= ?1 ORDER BY seq",
            [at.0],
        )
    }

    /// The last rows of the journal that are about one session, the latest first, at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn journal_of(&self, id: SessionId, limit: usize) -> Result<Vec<JournalRow>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.journal(
            "SELECT seq, at, machine, body FROM journal WHERE session = ?1 ORDER BY seq DESC LIMIT ?2",
            params![id.0, limit],
        )
    }

    fn journal(&self, query: &str, parameters: impl Params) -> Result<Vec<JournalRow>, StoreError> {
        self.begin_operation();
        let mut statement = self.connection.prepare_cached(query)?;
        let mut found = statement.query(parameters)?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let body = row.get_ref(3)?.as_str().map_err(rusqlite::Error::from)?;
            rows.push(JournalRow {
                seq: number(row.get(0)?),
                at: Time(row.get(1)?),
                machine: MachineId(row.get(2)?),
                transition: serde_json::from_str(body)?,
            });
        }
        Ok(rows)
    }

    /// The number of the newest journal row that there ever was, also when it is kept no more; 0 for none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn newest_seq(&self) -> Result<u64, StoreError> {
        self.begin_operation();
        let mut newest = self.connection.prepare_cached(
            "SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'journal'",
        )?;
        Ok(number(newest.query_row([], |row| row.get(0))?))
    }

    /// The servers as the daemon saw them last.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn servers(&self) -> Result<Vec<ServerView>, StoreError> {
        self.begin_operation();
        views(&self.connection, "SELECT view FROM server ORDER BY server")
    }

    /// The signals that named no live pane.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn unrouted(&self) -> Result<Unrouted, StoreError> {
        let count = self.counted(Counter::Unrouted)?.count;
        let mut last = self
            .connection
            .prepare_cached("SELECT at, event, agent, why FROM unrouted ORDER BY number")?;
        let last = last.query_map([], reason)?.collect::<Result<_, _>>()?;
        Ok(Unrouted { count, last })
    }

    /// How often something was counted.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn counted(&self, counter: Counter) -> Result<Counted, StoreError> {
        self.begin_operation();
        let mut find = self
            .connection
            .prepare_cached("SELECT value, at FROM counter WHERE name = ?1")?;
        let found = find.query_row([counter.name()], |row| {
            Ok(Counted {
                count: number(row.get(0)?),
                at: Time(row.get(1)?),
            })
        });
        Ok(found.optional()?.unwrap_or_default())
    }

    /// The corrupt stores that were set aside, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn set_aside(&self) -> Result<Vec<SetAside>, StoreError> {
        self.begin_operation();
        let known = meta(&self.connection, fresh::META)?;
        Ok(known
            .and_then(|known| serde_json::from_str(&known).ok())
            .unwrap_or_default())
    }

    /// Makes sure that no newer Tallylight has changed the store's form meanwhile.
    ///
    /// # Errors
    /// When one has, or the store cannot be read.
    pub fn check_version(&self) -> Result<(), StoreError> {
        self.begin_operation();
        migrate::up_to_date(&self.connection).map(|_| ())
    }

    /// A number that grows when another connection has changed the store.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn data_version(&self) -> Result<i64, StoreError> {
        self.begin_operation();
        let mut version = self.connection.prepare_cached("PRAGMA data_version")?;
        Ok(version.query_row([], |row| row.get(0))?)
    }
}

/// The sessions that a query for records gives. One record from another version must not hide the others.
pub(super) fn sessions(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
) -> Result<Vec<Session>, StoreError> {
    let mut statement = connection.prepare_cached(query)?;
    let mut found = statement.query(parameters)?;
    let mut sessions = Vec::new();
    while let Some(row) = found.next()? {
        let record = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        match serde_json::from_str(record) {
            Ok(session) => sessions.push(session),
            Err(error) => tracing::warn!(%error, "skipped a record that does not read back"),
        }
    }
    Ok(sessions)
}

fn reason(row: &SqlRow<'_>) -> Result<UnroutedReason, rusqlite::Error> {
    Ok(UnroutedReason {
        at: Time(row.get(0)?),
        event: row.get(1)?,
        agent: row.get(2)?,
        why: row.get(3)?,
    })
}

fn number(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
