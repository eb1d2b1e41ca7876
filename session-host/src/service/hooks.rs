//! The hooks in the daemon: what is put into the queue, and for which errands a process is started.
//!
//! The queue is in the store, so that neither a flood nor the daemon's end is anything to it. Here is only which errands
//! are with a process now.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::process::Stdio;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use session_core::happening::{Alerts, Happening, HookEvent, MINUTES_A_DAY, Moment};
use session_core::{AwayChange, PaneKey, ServerView, Time, Transition};
use tokio::process::Command;
use tokio::sync::mpsc;

use super::keeper::Keeper;
use crate::config;
use crate::hooks::HookTable;
use crate::store::{Errand, Fate, JournalRow, StoreError, Transaction, Waiting};

/// The key in `meta` of the newest journal row that was taken up.
const TAKEN_UP: &str = "hooks_taken_up";
/// How many errands are with a process at once.
const AT_ONCE: usize = 8;
/// An errand that is due for longer is dropped, in milliseconds: a command for what was so long ago misleads.
const STALE_MS: i64 = 600_000;
/// The pause before an errand is tried again whose process could not take it, in milliseconds.
const AGAIN_MS: i64 = 1_000;
/// The least pause between two looks at the configuration, in milliseconds.
const LOOK_MS: i64 = 1_000;
/// For how long a look at the server is waited for that tells where something happened, in milliseconds.
const PLACE_MS: i64 = 2_000;
/// The pause before it is asked for again, in milliseconds.
const PLACE_AGAIN_MS: i64 = 50;
/// The pause between two looks at an errand that an earlier daemon began, in milliseconds: its end tells nobody.
const ORPHAN_MS: i64 = 250;
/// How many journal rows are taken up in one transaction.
const BATCH: usize = 200;

/// What tells one version of a file from the next: inode, length, and time of the last change.
type Version = (u64, u64, i64, i64);

/// The hooks.
pub(super) struct Hooks {
    file: PathBuf,
    version: Option<Version>,
    looked_at: Option<Time>,
    table: HookTable,
    alerts: Alerts,
    runner: Vec<OsString>,
    /// The errands that are with a process, and their lines.
    out: BTreeMap<u64, String>,
    ended: (mpsc::UnboundedSender<u64>, mpsc::UnboundedReceiver<u64>),
    /// The newest journal row that was taken up.
    taken_up: Option<u64>,
    /// Whether the queue may hold an errand that can begin.
    look: bool,
    next_wake: Option<Time>,
}

impl Hooks {
    pub(super) fn new(file: PathBuf, runner: Vec<OsString>) -> Self {
        Self {
            file,
            version: None,
            looked_at: None,
            table: HookTable::default(),
            alerts: Alerts::default(),
            runner,
            out: BTreeMap::new(),
            ended: mpsc::unbounded_channel(),
            taken_up: None,
            look: true,
            next_wake: None,
        }
    }

    /// An errand whose process has ended.
    pub(super) async fn ended(&mut self) -> Option<u64> {
        self.ended.1.recv().await
    }

    /// Takes the end of an errand's process.
    pub(super) fn take_end(&mut self, seq: u64, keeper: &mut Keeper) {
        self.out.remove(&seq);
        self.look = true;
        let now = keeper.now();
        let again = now.plus_ms(AGAIN_MS);
        let told = keeper.with_store(|store| {
            store.write(now, |transaction| transaction.runner_ended(seq, again))
        });
        match told {
            Ok(true) => {
                tracing::warn!(target: "hooks", seq, "the process that ran a hook was killed");
            }

            Ok(false) => {}
            Err(error) => {
                tracing::warn!(target: "hooks", seq, %error, "cannot write down the end of a hook");
            }
        }
    }

    /// When something is due.
    pub(super) const fn next_wake(&self) -> Option<Time> {
        self.next_wake
    }

    /// Takes up what has happened, and starts what can begin.
    pub(super) fn pump(&mut self, keeper: &mut Keeper) {
        let now = keeper.now();
        self.read_table(keeper, now);
        if self.table.is_empty() && self.taken_up.is_none() && !self.look {
            return;
        }
        self.take_up(keeper, now);
        if self.look || self.next_wake.is_some_and(|wake| wake <= now) {
            match self.start_due(keeper, now) {
                Ok(()) => self.look = false,
                Err(error) => {
                    tracing::debug!(target: "hooks", %error, "cannot read the queue");
                    self.next_wake = Some(now.plus_ms(AGAIN_MS));
                }
            }
        }
    }

    /// Reads the configuration when its file has changed. A mistake in the hooks keeps the table as it was.
    fn read_table(&mut self, keeper: &mut Keeper, now: Time) {
        if self
            .looked_at
            .is_some_and(|at| now.ms_since(at) < LOOK_MS && at <= now)
        {
            return;
        }
        let first = self.looked_at.is_none();
        self.looked_at = Some(now);
        let version = fs::metadata(&self.file)
            .ok()
            .map(|found| (found.ino(), found.len(), found.mtime(), found.mtime_nsec()));
        if version == self.version && !first {
            return;
        }
        self.version = version;
        let loaded = config::load(&self.file);
        if loaded.hooks_doubtful {
            for line in loaded.lines() {
                tracing::warn!(target: "hooks", "{line}");
            }
            if !first {
                tracing::warn!(target: "hooks", "the table of hooks stays as it was");
                return;
            }
        }
        let had_some = !self.table.is_empty();
        self.table = loaded.config.hooks;
        self.alerts = loaded.config.alerts;
        if self.table.is_empty() && (first || had_some) {
            self.forget_mark(keeper, now);
        }
    }

    /// With no hook, nothing is taken up: the first hook is to begin with what happens after it was written.
    fn forget_mark(&mut self, keeper: &mut Keeper, now: Time) {
        self.taken_up = None;
        let forgotten = keeper.with_store(|store| {
            store.write(now, |transaction| {
                if transaction.meta(TAKEN_UP)?.is_some() {
                    transaction.set_meta(TAKEN_UP, "")?;
                }
                Ok(())
            })
        });
        if let Err(error) = forgotten {
            tracing::debug!(target: "hooks", %error, "cannot forget how far the hooks have come");
        }
    }

    /// Puts the changes of states into the queue that are worth an alert, in the transaction that writes down how far
    /// the journal has been taken up.
    fn take_up(&mut self, keeper: &mut Keeper, now: Time) {
        if self.table.is_empty() {
            return;
        }
        // Not only when it is behind: a store that was begun anew counts from the beginning.
        while self.taken_up != Some(keeper.seq()) {
            let (seq, table, alerts) = (keeper.seq(), &self.table, &self.alerts);
            let servers: Vec<ServerView> = keeper.servers.values().cloned().collect();
            let taken = keeper.with_store(|store| {
                store.write(now, |transaction| {
                    take_up(transaction, seq, table, alerts, &servers, now)
                })
            });
            match taken {
                Ok(taken) => {
                    self.look |= taken.put > 0;
                    if taken.dropped > 0 {
                        let dropped = taken.dropped;
                        tracing::warn!(target: "hooks", dropped, "dropped the oldest of too many that waited for a hook");
                    }
                    self.taken_up = Some(taken.mark);
                }
                Err(error) => {
                    tracing::warn!(target: "hooks", %error, "cannot take up what happened; trying again");
                    self.next_wake = Some(now.plus_ms(AGAIN_MS));
                    return;
                }
            }
        }
    }

    fn start_due(&mut self, keeper: &mut Keeper, now: Time) -> Result<(), StoreError> {
        loop {
            let (waiting, running) = keeper
                .with_store(|store| Ok((store.errands_waiting()?, store.errands_running()?)))?;
            if running.iter().any(|(_, until)| *until < now) {
                let lost = keeper.with_store(|store| {
                    store.write(now, |transaction| transaction.lose_overdue(now))
                })?;
                for seq in lost {
                    tracing::warn!(target: "hooks", seq, "a hook was begun and never finished");
                }
                continue;
            }
            let orphan = running.iter().any(|(seq, _)| !self.out.contains_key(seq));
            self.next_wake = orphan.then(|| now.plus_ms(ORPHAN_MS));
            let mut over = Vec::new();
            for mut errand in waiting {
                if self.out.contains_key(&errand.seq)
                    || self.out.values().any(|line| *line == errand.line)
                {
                    continue;
                }
                if errand.due > now {
                    let due = Some(errand.due);
                    self.next_wake = [self.next_wake, due].into_iter().flatten().min();
                } else if let Some(fate) = self.fate(&errand, keeper, now) {
                    over.push((errand.seq, fate));
                } else if self.out.len() >= AT_ONCE {
                    // The end of one of them lets it begin.
                } else if errand.errand.happening.lacks_place()
                    && !place(&mut errand, keeper, now)?
                    && now.ms_since(errand.due) < PLACE_MS
                {
                    let again = Some(now.plus_ms(PLACE_AGAIN_MS));
                    self.next_wake = [self.next_wake, again].into_iter().flatten().min();
                } else {
                    self.start(errand);
                }
            }
            if over.is_empty() {
                return Ok(());
            }
            // What stood behind them in their lines comes next.
            keeper.with_store(|store| {
                store.write(now, |transaction| {
                    over.iter()
                        .try_for_each(|(seq, fate)| transaction.end_errand(*seq, *fate))
                })
            })?;
            for (seq, fate) in &over {
                if let Fate::Dropped(why) = fate {
                    tracing::warn!(target: "hooks", seq, why, "dropped what waited for a hook");
                } else {
                    tracing::debug!(target: "hooks", seq, ?fate, "no hook runs");
                }
            }
        }
    }

    /// Why an errand does not run, now that it is due.
    fn fate(&self, waiting: &Waiting, keeper: &Keeper, now: Time) -> Option<Fate<'static>> {
        if now.ms_since(waiting.due) > STALE_MS {
            return Some(Fate::Dropped("it waited too long"));
        }
        let happening = &waiting.errand.happening;
        let (HookEvent::AfterAgentState, Some(to)) = (happening.event, happening.agent.state)
        else {
            return None;
        };
        let session = happening
            .agent
            .session
            .and_then(|id| keeper.sessions.get(&id));
        let looked_at = session
            .and_then(|session| session.pane.as_ref())
            .is_some_and(|PaneKey { server, pane }| {
                keeper
                    .servers
                    .get(server)
                    .is_some_and(|view| view.viewed(*pane))
            });
        let moment = Moment {
            state: session.map(|session| session.shown.state),
            minute: self.alerts.quiet_hours.and_then(|_| minute_of_day(now)),
            looked_at,
        };
        self.alerts.withheld(to, moment).map(Fate::Withheld)
    }

    /// Starts the process that takes an errand out of the queue.
    fn start(&mut self, waiting: Waiting) {
        let Some((program, words)) = self.runner.split_first() else {
            return;
        };
        let started = Command::new(program)
            .args(words)
            .arg(waiting.seq.to_string())
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn();
        let (seq, ended) = (waiting.seq, self.ended.0.clone());
        self.out.insert(seq, waiting.line);
        match started {
            Ok(mut child) => {
                tokio::spawn(async move {
                    // However it ended, the store knows what came of it.
                    let _ = child.wait().await;
                    let _ = ended.send(seq);
                });
            }
            Err(error) => {
                tracing::warn!(target: "hooks", seq, %error, "cannot start a process for a hook; trying again");
                let _ = ended.send(seq);
            }
        }
    }
}

/// What came of taking up a part of the journal.
struct Taken {
    mark: u64,
    put: usize,
    dropped: usize,
}

fn take_up(
    transaction: &Transaction<'_>,
    seq: u64,
    table: &HookTable,
    alerts: &Alerts,
    servers: &[ServerView],
    now: Time,
) -> Result<Taken, StoreError> {
    let mark = transaction.meta(TAKEN_UP)?;
    let mark = mark.and_then(|mark| mark.parse::<u64>().ok());
    let mut taken = Taken {
        mark: seq,
        put: 0,
        dropped: 0,
    };
    if let Some(mark) = mark {
        let rows = transaction.journal_between(mark, seq, BATCH)?;
        if let Some(last) = rows.last().filter(|_| rows.len() >= BATCH) {
            taken.mark = last.seq;
        }
        for row in &rows {
            let Some((event, rest_ms)) = event_of(&row.transition, alerts) else {
                continue;
            };
            let commands = table.of(event);
            if commands.is_empty() {
                continue;
            }
            let errand = Errand {
                happening: told(transaction, event, row, servers)?,
                commands: commands.to_vec(),
            };
            let due = row.at.plus_ms(rest_ms);
            taken.put += 1;
            taken.dropped += transaction
                .put_errand(&errand, due.min(now.plus_ms(86_400_000)))?
                .len();
        }
    }
    transaction.set_meta(TAKEN_UP, &taken.mark.to_string())?;
    Ok(taken)
}

/// The event that a change is, if it is one, and how long it has to last, in milliseconds. What came back, and what was
/// snoozed, is none.
fn event_of(change: &Transition, alerts: &Alerts) -> Option<(HookEvent, i64)> {
    match change.away {
        Some(AwayChange::Settled) => Some((HookEvent::AfterSettle, 0)),
        Some(_) => None,
        None => alerts.wanted(change.from, change.to).then_some((
            HookEvent::AfterAgentState,
            i64::from(alerts.settle_seconds) * 1000,
        )),
    }
}

fn told(
    transaction: &Transaction<'_>,
    event: HookEvent,
    row: &JournalRow,
    servers: &[ServerView],
) -> Result<Happening, StoreError> {
    let session = transaction
        .by_id(row.transition.session)?
        .map(|row| row.session);
    let key = session.as_ref().and_then(|session| session.pane.as_ref());
    let seen = key.and_then(|key| servers.iter().find(|view| view.server == key.server));
    // A daemon that has just begun has seen nothing yet; the one before it has written down what it saw.
    let stored = match (seen, key) {
        (None, Some(key)) => transaction.server(key.server.mux, key.server.pid)?,
        _ => None,
    };
    let tell = if event == HookEvent::AfterSettle {
        Happening::of_settle
    } else {
        Happening::of_agent
    };
    Ok(tell(
        &row.transition,
        session.as_ref(),
        seen.or(stored.as_ref()),
    ))
}

/// Tells where something happened that was taken up before its server was looked at. False when nobody knows yet.
fn place(waiting: &mut Waiting, keeper: &mut Keeper, now: Time) -> Result<bool, StoreError> {
    let id = waiting.errand.happening.agent.session;
    let Some(session) = id.and_then(|id| keeper.sessions.get(&id)) else {
        return Ok(false);
    };
    let view = session
        .pane
        .as_ref()
        .and_then(|key| keeper.servers.get(&key.server));
    let Some(view) = view else { return Ok(false) };
    waiting.errand.happening.place_by(session, view);
    if waiting.errand.happening.lacks_place() {
        return Ok(false);
    }
    keeper.with_store(|store| {
        store.write(now, |transaction| {
            transaction.amend_errand(waiting.seq, &waiting.errand)
        })
    })?;
    Ok(true)
}

/// The minute of the day in local time.
fn minute_of_day(now: Time) -> Option<u16> {
    let time = Timestamp::from_microsecond(now.0).ok()?;
    let local = time.to_zoned(TimeZone::system());
    let (hour, minute) = (local.hour().unsigned_abs(), local.minute().unsigned_abs());
    Some((u16::from(hour) * 60 + u16::from(minute)) % MINUTES_A_DAY)
}
