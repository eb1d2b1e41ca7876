//! `tally list`.

use session_core::{ServerView, SessionView, Time};
use session_host::clock::Clock as _;
use session_host::query::Fresh;
use tmux_bridge::{Found, TmuxError};

use crate::args::ListArgs;
use crate::context::Context;
use crate::failure::exit;
use crate::output::{Document, Ended, ListDocument, ListText, Paint, ServerDocument, list};
use crate::unrouted::Recent;

/// Lists the sessions, the most urgent first.
pub(crate) fn run(args: &ListArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let began = context.clock.now();
    let found = tmux_bridge::servers(&context.env);
    let servers: Vec<ServerView> = found
        .iter()
        .filter_map(|found| found.server.as_ref().ok())
        .cloned()
        .collect();
    let fresh = Fresh {
        views: &servers,
        began,
    };
    let picture = context.picture(&config, Some(fresh), true)?;
    let snapshot = &picture.snapshot;
    let (mut ended, live): (Vec<&SessionView>, Vec<&SessionView>) = snapshot
        .sessions
        .iter()
        .partition(|view| view.gone.is_some());
    ended.sort_by_key(|view| view.gone.map(|gone| std::cmp::Reverse(gone.at)));
    if args.json {
        context.out.json(&Document::new(ListDocument {
            machine: &snapshot.machine,
            at_ms: snapshot.at_ms,
            seq: snapshot.seq,
            sessions: live,
            ended: ended.into_iter().filter_map(Ended::of).collect(),
            servers: found.iter().map(server_document).collect(),
            rollup: snapshot.rollup,
            unrouted: (&picture.unrouted).into(),
        }))?;
        return Ok(exit::OK);
    }
    let shown: Vec<&SessionView> = if args.all {
        live.iter().chain(&ended).copied().collect()
    } else {
        live
    };
    if shown.is_empty() {
        context.out.note("No agents.");
    } else {
        let text = ListText {
            sessions: &shown,
            now_ms: snapshot.at_ms,
            look: &config.look,
            paint: Paint::new(context.out.colour()),
            columns: context.out.columns(),
        };
        context.out.data(&list(&text))?;
    }
    let recent = Recent::of(&picture.unrouted, Time::from_ms(snapshot.at_ms));
    for note in notes(&found, &recent) {
        context.out.note(&note);
    }
    Ok(exit::OK)
}

/// What the list alone does not tell (cases B1, B6 and C7).
fn notes(found: &[Found], unrouted: &Recent<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    if found.iter().all(|found| found.server.is_err()) {
        notes.push("No tmux server is running.".to_owned());
    }
    for server in found {
        if let Err(error) = &server.server {
            notes.push(format!("{}: {}", server.socket.display(), error.reason()));
        }
    }
    if unrouted.count > 0 {
        let count = unrouted.shown_count();
        notes.push(format!(
            "Signals of the last hour that named no live pane: {count}; `tally doctor` tells why."
        ));
    }
    notes
}

/// What was found on a socket.
pub(super) fn server_document(found: &Found) -> ServerDocument {
    let server = found.server.as_ref();
    ServerDocument {
        mux: "tmux",
        socket: found.socket.display().to_string(),
        pid: found.pid,
        version: server.ok().map(|view| view.version.clone()),
        panes: server.ok().map(|view| view.panes.len()),
        reachable: server.is_ok(),
        why: server.err().map(TmuxError::reason),
    }
}
