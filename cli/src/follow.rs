//! Follows the journal: every row once and in order, and a word where rows are missing.

use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use session_host::store::{JournalRow, Store, StoreError};

use crate::context::{Context, STORE_WAIT};
use crate::failure::of_store;

/// How often the store is asked whether it has changed, which is a read of shared memory.
const BEAT: Duration = Duration::from_millis(100);
/// How many rows are read at once.
const AT_ONCE: usize = 500;

/// What a follower is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// A row.
    Row(Box<JournalRow>),
    /// The rows of these numbers are kept no more, both ends included.
    Gap(u64, u64),
    /// The store is another one than before, and its numbers begin again.
    Anew,
}

/// Who follows.
pub(crate) struct Follower<'c> {
    context: &'c Context,
    /// Whether a store that is held may be tried again later.
    goes_on: bool,
    store: Option<Store>,
    version: Option<i64>,
    /// Up to where everything was told; `None` where it is to begin with whatever is kept.
    seq: Option<u64>,
    /// Whether another store has taken the place of the one that was followed.
    anew: bool,
    /// Whether all that there was has been read.
    drained: bool,
}

impl<'c> Follower<'c> {
    /// Begins after a number, or with the oldest row that is kept.
    pub(crate) const fn since(seq: Option<u64>, goes_on: bool, context: &'c Context) -> Self {
        Self {
            context,
            goes_on,
            store: None,
            version: None,
            seq,
            anew: false,
            drained: false,
        }
    }

    /// Begins with what comes from now on.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) fn from_now(context: &'c Context) -> anyhow::Result<Self> {
        let mut follower = Self::since(Some(0), true, context);
        follower.open()?;
        if let Some(store) = &follower.store {
            let newest = store.newest_seq();
            follower.seq = Some(newest.map_err(|error| of_store(&error, &context.paths))?);
        }
        Ok(follower)
    }

    /// What has come since the last time, a part of it if it is much; nothing when there is no more.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) fn read(&mut self) -> anyhow::Result<Vec<Told>> {
        if self.store.as_ref().is_some_and(Store::replaced) {
            self.store = None;
            self.version = None;
            self.anew = true;
        }
        self.open()?;
        let Some(store) = &self.store else {
            return Ok(Vec::new());
        };
        // The mark first: what is written meanwhile is then read at the next beat, instead of never.
        let Ok(version) = store.data_version() else {
            self.store = None;
            return Ok(Vec::new());
        };
        if self.drained && self.version == Some(version) {
            return Ok(Vec::new());
        }
        self.version = Some(version);
        let of = |error: StoreError| of_store(&error, &self.context.paths);
        let newest = store.newest_seq().map_err(of)?;
        let begins_again =
            std::mem::take(&mut self.anew) || self.seq.is_some_and(|seq| newest < seq);
        let mut told = Vec::new();
        if begins_again && self.seq.is_some_and(|seq| seq > 0) {
            told.push(Told::Anew);
            self.seq = Some(0);
        }
        let rows = store
            .journal_since(self.seq.unwrap_or(0), AT_ONCE)
            .map_err(of)?;
        self.drained = rows.len() < AT_ONCE;
        let (joined, seq) = joined(self.seq, rows, newest);
        self.seq = Some(seq);
        told.extend(joined);
        Ok(told)
    }

    /// Opens the store, if there is one. One that is held is tried again at the next beat.
    fn open(&mut self) -> anyhow::Result<()> {
        if self.store.is_some() {
            return Ok(());
        }
        self.drained = false;
        match Store::open_reading(&self.context.paths, STORE_WAIT) {
            Ok(store) => self.store = Some(store),
            Err(StoreError::Missing) => {}
            Err(StoreError::Busy | StoreError::Replaced) if self.goes_on => {}
            Err(error) => return Err(of_store(&error, &self.context.paths).into()),
        }
        Ok(())
    }
}

/// Rows as they follow on `seq`, with a word where numbers are missing, and the number that they lead to. `newest` is the
/// newest number that there ever was.
fn joined(seq: Option<u64>, rows: Vec<JournalRow>, newest: u64) -> (Vec<Told>, u64) {
    let mut told = Vec::with_capacity(rows.len());
    let mut last = seq;
    if rows.is_empty()
        && let Some(seq) = seq.filter(|seq| *seq < newest)
    {
        return (vec![Told::Gap(seq + 1, newest)], newest);
    }
    for row in rows {
        if let Some(last) = last.filter(|last| row.seq > last + 1) {
            told.push(Told::Gap(last + 1, row.seq - 1));
        }
        last = Some(row.seq);
        told.push(Told::Row(Box::new(row)));
    }
    (told, last.unwrap_or(newest))
}

/// Waits for a beat, and tells whether the reader of what is printed has gone away meanwhile: a pipe says so without
/// being written to.
///
/// # Errors
/// When standard output cannot be asked.
pub(crate) fn reader_is_gone() -> anyhow::Result<bool> {
    let stdout = std::io::stdout();
    let mut watched = [PollFd::from_borrowed_fd(stdout.as_fd(), PollFlags::empty())];
    let beat = Timespec::try_from(BEAT)?;
    match poll(&mut watched, Some(&beat)) {
        Ok(_) => {}
        Err(rustix::io::Errno::INTR) => return Ok(false),
        Err(error) => return Err(error.into()),
    }
    let gone = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
    Ok(watched
        .iter()
        .any(|watched| watched.revents().intersects(gone)))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use session_core::{EvidenceSource, MachineId, State, Time, Transition};

    use super::*;

    fn row(seq: u64) -> JournalRow {
        JournalRow {
            seq,
            at: Time(0),
            machine: MachineId("m".to_owned()),
            transition: Transition {
                session: format!("{seq:032x}").parse().unwrap(),
                at: Time(0),
                from: State::Idle,
                to: State::Working,
                blocked_kind: None,
                error_kind: None,
                source: EvidenceSource::Signal,
                reason: String::new(),
                turn: 1,
                message: None,
                away: None,
            },
        }
    }

    /// Rows as their numbers, gaps as two.
    fn told(all: &[Told]) -> Vec<(u64, u64)> {
        let of = |one: &Told| match one {
            Told::Row(row) => (row.seq, row.seq),
            Told::Gap(from, to) => (*from, *to),
            Told::Anew => (0, 0),
        };
        all.iter().map(of).collect()
    }

    #[rstest]
    #[case::nothing_new(Some(4), &[], 4, &[], 4)]
    #[case::one_after_the_other(Some(4), &[5, 6], 6, &[(5, 5), (6, 6)], 6)]
    #[case::the_next_ones_are_gone(Some(4), &[8], 8, &[(5, 7), (8, 8)], 8)]
    #[case::all_are_gone(Some(4), &[], 9, &[(5, 9)], 9)]
    #[case::a_hole(Some(4), &[5, 7], 7, &[(5, 5), (6, 6), (7, 7)], 7)]
    #[case::what_is_kept_has_no_gap_before_it(None, &[8, 9], 9, &[(8, 8), (9, 9)], 9)]
    #[case::from_the_very_first(Some(0), &[3], 3, &[(1, 2), (3, 3)], 3)]
    #[case::nothing_is_kept(None, &[], 9, &[], 9)]
    fn no_number_is_passed_over_in_silence(
        #[case] seq: Option<u64>,
        #[case] rows: &[u64],
        #[case] newest: u64,
        #[case] expected: &[(u64, u64)],
        #[case] leads_to: u64,
    ) {
        let rows = rows.iter().map(|seq| row(*seq)).collect();
        let (found, last) = joined(seq, rows, newest);
        assert_eq!((told(&found).as_slice(), last), (expected, leads_to));
    }
}
