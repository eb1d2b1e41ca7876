//! The queue of the hooks: what happened, and the commands that are to run for it.
//!
//! A row is put in by the transaction that takes up the fact, and taken out by the one process that begins it. So it
//! runs once, whoever is killed between the two: a row that was begun and never finished is lost, not run again.

use rusqlite::{OptionalExtension as _, params};
use serde::{Deserialize, Serialize};
use session_core::happening::{Happening, HookEvent};
use session_core::{MachineId, Time};

use super::error::StoreError;
use super::open::Store;
use super::rows::JournalRow;
use super::transaction::Transaction;
use crate::hooks::HookCommand;

/// How many may wait in one line; the oldest of more is dropped.
pub const MOST_WAITING: i64 = 32;
/// How many that are over are kept for `tally hooks log`.
const OVER_KEPT: i64 = 500;

/// Something that happened, and the commands to run for it, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Errand {
    /// What happened.
    pub happening: Happening,
    /// The commands, as the configuration had them when it happened.
    pub commands: Vec<HookCommand>,
}

/// The first errand of a line in which none is running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its number.
    pub seq: u64,
    /// Its line.
    pub line: String,
    /// Not before this time.
    pub due: Time,
    /// The errand.
    pub errand: Errand,
}

/// How a command fared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HookRun {
    /// How often it ran.
    pub runs: u64,
    /// How often it was dropped or lost.
    pub dropped: u64,
    /// Its last exit status; `None` when it was killed or did not start.
    pub last_exit: Option<i32>,
    /// When it ran last.
    pub last_at: Option<Time>,
    /// How long it ran then, in milliseconds.
    pub last_ms: Option<i64>,
    /// What went wrong then: nothing for one that ended well.
    pub last_error: Option<String>,
}

/// One row of the queue, also one that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Logged {
    /// Its number.
    pub seq: u64,
    /// When it happened.
    pub at: Time,
    /// The event.
    pub event: String,
    /// What came of it.
    pub state: String,
    /// Why it did not run.
    pub why: Option<String>,
}

/// What becomes of an errand that does not run, or is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate<'w> {
    /// Its commands ran.
    Done,
    /// It was not to alert.
    Withheld(&'w str),
    /// It waited too long, or too many waited.
    Dropped(&'w str),
    /// It was begun and nobody finished it.
    Lost(&'w str),
}

impl<'w> Fate<'w> {
    const fn parts(self) -> (&'static str, Option<&'w str>) {
        match self {
            Self::Done => ("done", None),
            Self::Withheld(why) => ("withheld", Some(why)),
            Self::Dropped(why) => ("dropped", Some(why)),
            Self::Lost(why) => ("lost", Some(why)),
        }
    }
}

impl Transaction<'_> {
    /// Puts an errand at the end of its line, and drops the oldest where too many wait. Gives the numbers of those.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn put_errand(&self, errand: &Errand, due: Time) -> Result<Vec<u64>, StoreError> {
        let (happening, line) = (&errand.happening, errand.happening.row());
        self.connection()
            .prepare_cached(
                "INSERT INTO happening (at, event, line, due, state, until, body) VALUES (?1, ?2, ?3, ?4, 'waiting', 0, ?5)",
            )?
            .execute(params![
                happening.at.0,
                happening.event.word(),
                line,
                due.0,
                serde_json::to_string(errand)?,
            ])?;
        let mut find = self.connection().prepare_cached(
            "SELECT seq FROM happening WHERE state = 'waiting' AND line = ?1 ORDER BY seq DESC LIMIT -1 OFFSET ?2",
        )?;
        let excess: Vec<i64> = find
            .query_map(params![line, MOST_WAITING], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let excess: Vec<u64> = excess.into_iter().map(i64::unsigned_abs).collect();
        for seq in &excess {
            self.end_errand(*seq, Fate::Dropped("too many waited"))?;
        }
        self.connection()
            .prepare_cached(
                "DELETE FROM happening WHERE seq <= (SELECT max(seq) FROM happening) - ?1 AND state NOT IN ('waiting', 'running')",
            )?
            .execute([OVER_KEPT])?;
        Ok(excess)
    }

    /// Begins an errand: given to the one caller who is to run it, until `until`.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn begin_errand(
        &self,
        seq: u64,
        until: impl Fn(&Errand) -> Time,
    ) -> Result<Option<Errand>, StoreError> {
        let Some(body) = self.open_body(seq, "waiting")? else {
            return Ok(None);
        };
        let errand: Errand = serde_json::from_str(&body)?;
        self.connection()
            .prepare_cached("UPDATE happening SET state = 'running', until = ?2 WHERE seq = ?1")?
            .execute(params![number(seq), until(&errand).0])?;
        Ok(Some(errand))
    }

    fn open_body(&self, seq: u64, state: &str) -> Result<Option<String>, StoreError> {
        let mut find = self
            .connection()
            .prepare_cached("SELECT body FROM happening WHERE seq = ?1 AND state = ?2")?;
        Ok(find
            .query_row(params![number(seq), state], |row| row.get(0))
            .optional()?)
    }

    /// Tells more of what happened while an errand waits.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn amend_errand(&self, seq: u64, errand: &Errand) -> Result<(), StoreError> {
        self.connection()
            .prepare_cached("UPDATE happening SET body = ?2 WHERE seq = ?1 AND state = 'waiting'")?
            .execute(params![number(seq), serde_json::to_string(errand)?])?;
        Ok(())
    }

    /// Ends an errand that waits or runs; one that is over stays as it is.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn end_errand(&self, seq: u64, fate: Fate<'_>) -> Result<(), StoreError> {
        let mut find = self.connection().prepare_cached(
            "SELECT body FROM happening WHERE seq = ?1 AND state IN ('waiting', 'running')",
        )?;
        let body: Option<String> = find.query_row([number(seq)], |row| row.get(0)).optional()?;
        let Some(body) = body else { return Ok(()) };
        let (state, why) = fate.parts();
        self.connection()
            .prepare_cached("UPDATE happening SET state = ?2, why = ?3, until = 0 WHERE seq = ?1")?
            .execute(params![number(seq), state, why])?;
        if matches!(fate, Fate::Dropped(_) | Fate::Lost(_))
            && let Ok(errand) = serde_json::from_str::<Errand>(&body)
        {
            for command in &errand.commands {
                self.count_dropped(errand.happening.event, &command.run)?;
            }
        }
        Ok(())
    }

    /// The process that was to run an errand has ended. One it did not begin waits until `again`; one it did not finish
    /// is lost. Tells whether it was.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn runner_ended(&self, seq: u64, again: Time) -> Result<bool, StoreError> {
        if self.open_body(seq, "running")?.is_some() {
            self.end_errand(seq, Fate::Lost("its runner was killed"))?;
            return Ok(true);
        }
        self.connection()
            .prepare_cached("UPDATE happening SET due = ?2 WHERE seq = ?1 AND state = 'waiting'")?
            .execute(params![number(seq), again.0])?;
        Ok(false)
    }

    /// Gives up errands that were begun by somebody who is past any deadline, and gives their numbers.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn lose_overdue(&self, now: Time) -> Result<Vec<u64>, StoreError> {
        let mut find = self
            .connection()
            .prepare_cached("SELECT seq FROM happening WHERE state = 'running' AND until < ?1")?;
        let overdue: Vec<i64> = find
            .query_map([now.0], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let overdue: Vec<u64> = overdue.into_iter().map(i64::unsigned_abs).collect();
        for seq in &overdue {
            self.end_errand(*seq, Fate::Lost("its runner was killed"))?;
        }
        Ok(overdue)
    }

    /// The journal after one row and up to another, oldest first, at most `limit` rows.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn journal_between(
        &self,
        after: u64,
        to: u64,
        limit: usize,
    ) -> Result<Vec<JournalRow>, StoreError> {
        let mut find = self.connection().prepare_cached(
            "SELECT seq, at, machine, body FROM journal WHERE seq > ?1 AND seq <= ?2 ORDER BY seq LIMIT ?3",
        )?;
        let mut found = find.query([
            number(after),
            number(to),
            i64::try_from(limit).unwrap_or(i64::MAX),
        ])?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let body = row.get_ref(3)?.as_str().map_err(rusqlite::Error::from)?;
            rows.push(JournalRow {
                seq: row.get::<_, i64>(0)?.unsigned_abs(),
                at: Time(row.get(1)?),
                machine: MachineId(row.get(2)?),
                transition: serde_json::from_str(body)?,
            });
        }
        Ok(rows)
    }

    fn count_dropped(&self, event: HookEvent, command: &str) -> Result<(), StoreError> {
        self.connection()
            .prepare_cached(
                "INSERT INTO hook_run (event, command, runs, dropped) VALUES (?1, ?2, 0, 1) \
                 ON CONFLICT (event, command) DO UPDATE SET dropped = dropped + 1",
            )?
            .execute([event.word(), command])?;
        Ok(())
    }

    /// Writes down how a command fared.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn record_run(
        &self,
        event: HookEvent,
        command: &str,
        at: Time,
        exit: Option<i32>,
        ms: i64,
        error: Option<&str>,
    ) -> Result<(), StoreError> {
        self.connection()
            .prepare_cached(
                "INSERT INTO hook_run (event, command, runs, dropped, last_exit, last_at, last_ms, last_error) \
                 VALUES (?1, ?2, 1, 0, ?3, ?4, ?5, ?6) \
                 ON CONFLICT (event, command) DO UPDATE SET runs = runs + 1, last_exit = excluded.last_exit, \
                 last_at = excluded.last_at, last_ms = excluded.last_ms, last_error = excluded.last_error",
            )?
            .execute(params![event.word(), command, exit, at.0, ms, error])?;
        Ok(())
    }
}

impl Store {
    /// The first errand of each line in which none is running, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn errands_waiting(&self) -> Result<Vec<Waiting>, StoreError> {
        self.begin_operation();
        let mut find = self.connection.prepare_cached(
            "SELECT seq, line, due, body FROM happening WHERE seq IN \
             (SELECT min(seq) FROM happening WHERE state IN ('waiting', 'running') GROUP BY line \
              HAVING sum(state = 'running') = 0) ORDER BY seq",
        )?;
        let mut found = find.query([])?;
        let mut waiting = Vec::new();
        while let Some(row) = found.next()? {
            let body = row.get_ref(3)?.as_str().map_err(rusqlite::Error::from)?;
            waiting.push(Waiting {
                seq: row.get::<_, i64>(0)?.unsigned_abs(),
                line: row.get(1)?,
                due: Time(row.get(2)?),
                errand: serde_json::from_str(body)?,
            });
        }
        Ok(waiting)
    }

    /// The errands that somebody has begun, and when each counts as lost.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn errands_running(&self) -> Result<Vec<(u64, Time)>, StoreError> {
        self.begin_operation();
        let mut find = self
            .connection
            .prepare_cached("SELECT seq, until FROM happening WHERE state = 'running'")?;
        let found = find.query_map([], |row| {
            Ok((row.get::<_, i64>(0)?.unsigned_abs(), Time(row.get(1)?)))
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// How a command fared.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn hook_run(&self, event: HookEvent, command: &str) -> Result<HookRun, StoreError> {
        self.begin_operation();
        let mut find = self.connection.prepare_cached(
            "SELECT runs, dropped, last_exit, last_at, last_ms, last_error FROM hook_run WHERE event = ?1 AND command = ?2",
        )?;
        let found = find
            .query_row([event.word(), command], |row| {
                Ok(HookRun {
                    runs: row.get::<_, i64>(0)?.unsigned_abs(),
                    dropped: row.get::<_, i64>(1)?.unsigned_abs(),
                    last_exit: row.get(2)?,
                    last_at: row.get::<_, Option<i64>>(3)?.map(Time),
                    last_ms: row.get(4)?,
                    last_error: row.get(5)?,
                })
            })
            .optional()?;
        Ok(found.unwrap_or_default())
    }

    /// The newest errands, oldest first, at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn errands_logged(&self, limit: u32) -> Result<Vec<Logged>, StoreError> {
        self.begin_operation();
        let mut find = self.connection.prepare_cached(
            "SELECT seq, at, event, state, why FROM happening ORDER BY seq DESC LIMIT ?1",
        )?;
        let found = find.query_map([limit], |row| {
            Ok(Logged {
                seq: row.get::<_, i64>(0)?.unsigned_abs(),
                at: Time(row.get(1)?),
                event: row.get(2)?,
                state: row.get(3)?,
                why: row.get(4)?,
            })
        })?;
        let mut logged = found.collect::<Result<Vec<_>, _>>()?;
        logged.reverse();
        Ok(logged)
    }
}

fn number(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}
