//! `tally attention`.

use serde::Serialize;
use session_core::view::age;
use session_core::{Attention, AwayBy, MachineId, Need, SessionView, Shelf, attention};

use crate::args::AttentionArgs;
use crate::context::Context;
use crate::failure::exit;
use crate::output::{
    Column, Document, ListText, Paint, list, more_than_one_server, place, table, who,
};
use crate::sight::Sight;

/// `tally attention --json`.
#[derive(Serialize)]
struct AttentionDocument<'d> {
    machine: &'d MachineId,
    at_ms: i64,
    attention: Vec<Entry<'d>>,
}

/// A session in it.
#[derive(Serialize)]
struct Entry<'d> {
    /// Whether it needs the person now, or how it is put away.
    need: &'static str,
    #[serde(flatten)]
    session: &'d SessionView,
}

/// Lists those that need the person, and those that are put away. Ends with status 0 also when there is nobody.
pub(crate) fn run(args: &AttentionArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let sight = Sight::now(context);
    let picture = context.picture(&config, Some(sight.fresh()), false)?;
    let snapshot = &picture.snapshot;
    let now_ms = snapshot.at_ms;
    let found = attention(&snapshot.sessions, now_ms);
    if args.json {
        context.out.json(&Document::new(AttentionDocument {
            machine: &snapshot.machine,
            at_ms: now_ms,
            attention: found
                .iter()
                .map(|one| Entry {
                    need: need(one.need),
                    session: one.view,
                })
                .collect(),
        }))?;
        return Ok(exit::OK);
    }
    let (needed, away): (Vec<&Attention<'_>>, Vec<_>) =
        found.iter().partition(|one| one.need == Need::Now);
    let paint = Paint::new(context.out.colour());
    if needed.is_empty() {
        context.out.note("Nobody needs you.");
    } else {
        let sessions: Vec<&SessionView> = needed.iter().map(|one| one.view).collect();
        let text = ListText {
            sessions: &sessions,
            now_ms,
            ids: false,
            look: &config.look,
            paint,
            columns: context.out.columns(),
        };
        context.out.data(&list(&text))?;
    }
    if !away.is_empty() {
        let text = put_away(&away, now_ms, paint, context.out.columns());
        context.out.data(&text)?;
    }
    Ok(exit::OK)
}

const fn need(need: Need) -> &'static str {
    match need {
        Need::Now => "now",
        Need::Settled => Shelf::Settled.word(),
        Need::Snoozed => Shelf::Snoozed.word(),
    }
}

/// Those that are put away, dim: how, for how long or still how long, who and where.
fn put_away(away: &[&Attention<'_>], now_ms: i64, paint: Paint, columns: Option<usize>) -> String {
    let titles = [
        Column::left("AWAY", 7),
        Column::left("STATE", 7),
        Column::left("WHEN", 8),
        Column::left("AGENT", 6),
        Column::left("PANE", 4),
    ];
    let views: Vec<&SessionView> = away.iter().map(|one| one.view).collect();
    let many = more_than_one_server(&views);
    let rows: Vec<Vec<String>> = away
        .iter()
        .map(|one| {
            vec![
                need(one.need).to_owned(),
                one.view.state.word().to_owned(),
                when(one, now_ms),
                who(one.view),
                place(one.view, many),
            ]
        })
        .collect();
    table(&titles, &rows, columns, &|_, _, cell| paint.dim(cell))
}

fn when(one: &Attention<'_>, now_ms: i64) -> String {
    let Some(away) = one.away else {
        return String::new();
    };
    match (away.until_ms, away.by) {
        (Some(until), _) => format!("for {}", age(until - now_ms)),
        (None, AwayBy::Age) => "at rest".to_owned(),
        (None, AwayBy::Person) => format!("{} ago", age(now_ms - away.since_ms)),
    }
}
