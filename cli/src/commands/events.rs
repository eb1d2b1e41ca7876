//! `tally events`.

use serde::Serialize;
use session_core::{
    AgentName, AwayChange, BlockedKind, ErrorKind, EvidenceSource, PaneView, SessionId,
    SessionView, State,
};
use session_host::config::Config;
use session_host::store::JournalRow;

use crate::args::EventsArgs;
use crate::context::Context;
use crate::failure::exit;
use crate::follow::{Follower, Told, reader_is_gone};
use crate::output::{Document, Paint, change};

/// A line of `--json`.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum EventDocument<'d> {
    /// A change of a state.
    State(ChangeDocument<'d>),
    /// A change of whether a session is put away.
    Away(ChangeDocument<'d>),
    /// Events that are kept no more.
    Gap { from: u64, to: u64 },
    /// The numbers begin again.
    Anew {},
}

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

/// Prints the events that are kept, and with `--follow` those that come, until nobody reads them any more.
pub(crate) fn run(args: &EventsArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let mut follower = Follower::since(args.since, args.follow, context);
    loop {
        let told = follower.read()?;
        if told.is_empty() {
            if !args.follow || reader_is_gone()? {
                return Ok(exit::OK);
            }
            continue;
        }
        let picture = context.recorded(&config, true)?;
        for one in &told {
            let view = |row: &JournalRow| {
                let mut sessions = picture.snapshot.sessions.iter();
                sessions.find(|view| view.id == row.transition.session)
            };
            let line = if args.json {
                serde_json::to_string(&Document::new(document(one, view)))?
            } else {
                text(one, view, &config, context)
            };
            context.out.data(&line)?;
        }
    }
}

fn document<'d>(
    told: &'d Told,
    view: impl Fn(&JournalRow) -> Option<&'d SessionView>,
) -> EventDocument<'d> {
    let row = match told {
        Told::Gap(from, to) => {
            return EventDocument::Gap {
                from: *from,
                to: *to,
            };
        }
        Told::Anew => return EventDocument::Anew {},
        Told::Row(row) => row,
    };
    let (what, view) = (&row.transition, view(row));
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
    if what.is_of_state() {
        EventDocument::State(document)
    } else {
        EventDocument::Away(document)
    }
}

/// The line of `tally watch`, behind its number.
fn text<'d>(
    told: &Told,
    view: impl Fn(&JournalRow) -> Option<&'d SessionView>,
    config: &Config,
    context: &Context,
) -> String {
    match told {
        Told::Row(row) => {
            let paint = Paint::new(context.out.colour());
            let line = change(row, view(row), &config.look, paint);
            format!("{}  {line}", row.seq)
        }
        Told::Gap(from, to) => format!("{from}-{to}  kept no more"),
        Told::Anew => "0  begun anew: the numbers begin again".to_owned(),
    }
}
