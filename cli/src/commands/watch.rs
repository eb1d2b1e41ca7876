//! `tally watch`.

use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::Serialize;
use session_core::{
    AgentName, AwayChange, BlockedKind, ErrorKind, EvidenceSource, PaneView, SessionId,
    SessionView, State,
};
use session_host::config::Config;
use session_host::store::{JournalRow, Store, StoreError};

use crate::args::{EventsArgs, WatchArgs};
use crate::context::{Context, STORE_WAIT};
use crate::failure::{exit, of_store};
use crate::output::{Document, Paint, change};

/// How often the store is asked whether it has changed.
const BEAT: Duration = Duration::from_millis(200);
/// How many changes are read at once.
const AT_ONCE: usize = 500;

/// A change, as `--json` prints it.
#[derive(Debug, Serialize)]
struct ChangeDocument<'d> {
    seq: u64,
    at_ms: i64,
    session: SessionId,
    name: Option<&'d str>,
    agent: Option<&'d AgentName>,
    from: State,
    to: State,
    blocked_kind: Option<BlockedKind>,
    error_kind: Option<ErrorKind>,
    source: EvidenceSource,
    reason: &'d str,
    turn: u64,
    /// Set where it is not about the state: what became of its being put away.
    away: Option<AwayChange>,
    message: Option<&'d str>,
    pane: Option<&'d PaneView>,
    repo: Option<&'d str>,
}

/// Changes that are kept no more, as `tally events --json` tells of them.
#[derive(Debug, Serialize)]
struct GapDocument {
    gap: Gap,
}

/// The numbers of changes that are kept no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Gap {
    from: u64,
    to: u64,
}

/// Prints a line for each change until nobody reads them any more.
pub(crate) fn run(args: &WatchArgs, context: &Context) -> anyhow::Result<u8> {
    let seq = match (args.after, open(context)?) {
        (Some(seq), _) => seq,
        (None, Some(store)) => store
            .newest_seq()
            .map_err(|error| of_store(&error, &context.paths))?,
        (None, None) => 0,
    };
    follow(seq, args.json, context)
}

/// Prints the changes that are kept, and with `--follow` goes on with those that come.
pub(crate) fn events(args: &EventsArgs, context: &Context) -> anyhow::Result<u8> {
    let Some(store) = open(context)? else {
        return if args.follow {
            follow(args.since, args.json, context)
        } else {
            Ok(exit::OK)
        };
    };
    let of = |error: StoreError| of_store(&error, &context.paths);
    let newest = store.newest_seq().map_err(of)?;
    // A number that never was is of a store that was set aside: this one is told from its beginning.
    let since = if args.since > newest { 0 } else { args.since };
    let kept = store.oldest_seq().map_err(of)?.unwrap_or(newest + 1);
    if let Some(gap) = gap(since, kept) {
        if args.json {
            let document = Document::new(GapDocument { gap });
            context.out.data(&serde_json::to_string(&document)?)?;
        } else {
            context
                .out
                .data(&format!("{} to {} are kept no more", gap.from, gap.to))?;
        }
    }
    if args.follow {
        return follow(since, args.json, context);
    }
    tell(&store, since, &context.config(), args.json, context)?;
    Ok(exit::OK)
}

/// What is missing after `since` where `kept` is the oldest that is kept. Where nothing was asked after, nothing is missed.
fn gap(since: u64, kept: u64) -> Option<Gap> {
    let (from, to) = (since + 1, kept.saturating_sub(1));
    (since > 0 && from <= to).then_some(Gap { from, to })
}

/// Prints a line for each change after `seq` until nobody reads them any more.
fn follow(mut seq: u64, json: bool, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let mut store = None;
    let mut version = None;
    loop {
        if store.as_ref().is_some_and(Store::replaced) {
            store = None;
            version = None;
        }
        if store.is_none() {
            store = open(context)?;
        }
        if let Some(open) = &store {
            match open.data_version() {
                Ok(now) if version != Some(now) => {
                    version = Some(now);
                    seq = tell(open, seq, &config, json, context)?;
                }
                Ok(_) => {}
                Err(_) => store = None,
            }
        }
        if reader_is_gone()? {
            return Ok(exit::OK);
        }
    }
}

/// The store; `None` where there is none yet. One that is held is tried again at the next beat.
fn open(context: &Context) -> anyhow::Result<Option<Store>> {
    match Store::open_reading(&context.paths, STORE_WAIT) {
        Ok(store) => Ok(Some(store)),
        Err(StoreError::Missing | StoreError::Busy | StoreError::Replaced) => Ok(None),
        Err(error) => Err(of_store(&error, &context.paths).into()),
    }
}

/// Prints what came after `seq`, and gives the number of the last of it.
fn tell(
    store: &Store,
    mut seq: u64,
    config: &Config,
    json: bool,
    context: &Context,
) -> anyhow::Result<u64> {
    let of = |error: StoreError| of_store(&error, &context.paths);
    // A store that was begun anew counts from the beginning again.
    if store.newest_seq().map_err(of)? < seq {
        seq = 0;
    }
    loop {
        let rows = store.journal_since(seq, AT_ONCE).map_err(of)?;
        let Some(last) = rows.last().map(|row| row.seq) else {
            return Ok(seq);
        };
        let picture = context.picture(config, None, true)?;
        for row in &rows {
            let sessions = &picture.snapshot.sessions;
            let view = sessions
                .iter()
                .find(|view| view.id == row.transition.session);
            line(row, view, config, json, context)?;
        }
        seq = last;
    }
}

fn line(
    row: &JournalRow,
    view: Option<&SessionView>,
    config: &Config,
    json: bool,
    context: &Context,
) -> anyhow::Result<()> {
    let what = &row.transition;
    if !json {
        let paint = Paint::new(context.out.colour());
        context.out.data(&change(row, view, &config.look, paint))?;
        return Ok(());
    }
    let document = ChangeDocument {
        seq: row.seq,
        at_ms: what.at.ms(),
        session: what.session,
        name: view.and_then(|view| view.name.as_deref()),
        agent: view.and_then(|view| view.agent.as_ref()),
        from: what.from,
        to: what.to,
        blocked_kind: what.blocked_kind,
        error_kind: what.error_kind,
        source: what.source,
        reason: &what.reason,
        turn: what.turn,
        away: what.away,
        message: what.message.as_deref(),
        pane: view.and_then(|view| view.pane.as_ref()),
        repo: view.and_then(|view| view.repo.as_deref()),
    };
    let text = serde_json::to_string(&Document::new(document))?;
    context.out.data(&text)?;
    Ok(())
}

/// Waits for a beat, and tells whether the reader of what is printed has gone away meanwhile: a pipe says so without
/// being written to.
fn reader_is_gone() -> anyhow::Result<bool> {
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
    use super::*;

    #[test]
    fn what_is_kept_no_more_is_told_to_those_who_had_seen_something() {
        let missing = |since, kept| gap(since, kept).map(|gap| (gap.from, gap.to));
        assert_eq!(missing(3, 10), Some((4, 9)));
        assert_eq!(missing(3, 5), Some((4, 4)));
        assert_eq!(missing(3, 4), None);
        assert_eq!(missing(3, 1), None);
        assert_eq!(missing(0, 10), None);
    }
}
