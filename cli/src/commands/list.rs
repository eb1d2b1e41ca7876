//! `tally list`.

use session_core::{SessionView, Time};
use session_host::service::ControlError;
use session_host::spool;
use tmux_bridge::{Found, TmuxError};

use crate::args::ListArgs;
use crate::commands::up::running;
use crate::commands::zellij;
use crate::context::Context;
use crate::failure::exit;
use crate::output::{
    Document, Ended, ListDocument, ListText, Paint, ServerDocument, counted, list,
};
use crate::sight::Sight;
use crate::unrouted::Recent;

/// Lists the sessions, the most urgent first.
pub(crate) fn run(args: &ListArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let sight = Sight::now(context);
    let picture = context.picture(&config, Some(sight.fresh()), true)?;
    let found = &sight.found;
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
            servers: servers(found, context),
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
            ids: args.all,
            look: &config.look,
            paint: Paint::new(context.out.colour()),
            columns: context.out.columns(),
        };
        context.out.data(&list(&text))?;
    }
    let recent = Recent::of(&picture.unrouted, Time::from_ms(snapshot.at_ms));
    let any = snapshot.sessions.iter().any(|view| view.gone.is_none());
    let trouble = any.then(|| without_daemon(context)).flatten();
    for note in notes(found, &recent, context)
        .into_iter()
        .chain(trouble)
        .chain(waiting(context))
    {
        context.out.note(&note);
    }
    Ok(exit::OK)
}

/// That nobody draws the lamps of what is listed.
fn without_daemon(context: &Context) -> Option<String> {
    let what = match running(&context.paths) {
        Ok(_) => return None,
        Err(ControlError::NotRunning) => {
            return Some("No daemon runs: lamps are not drawn; `tally up` starts it.".to_owned());
        }
        Err(error) => error.to_string(),
    };
    Some(format!(
        "Lamps may not be drawn: {what}; `tally doctor` tells more."
    ))
}

/// That signals are not in the list, since they could not be stored yet.
fn waiting(context: &Context) -> Option<String> {
    let (waiting, _) = spool::count(&context.paths);
    (waiting > 0).then(|| {
        let count = counted(waiting, "signal");
        format!("Not taken in yet: {count}; `tally doctor` tells why.")
    })
}

/// What the list alone does not tell (cases B1, B6 and C7).
fn notes(found: &[Found], unrouted: &Recent<'_>, context: &Context) -> Vec<String> {
    let mut notes = Vec::new();
    if found.iter().all(|found| found.server.is_err()) {
        notes.push(no_server(context).to_owned());
    }
    for server in found {
        // A file that a server left behind is no trouble.
        if let Err(error) = &server.server
            && !error.is_unreachable()
        {
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

/// What it is when no tmux server is found. A server whose environment leads to another state folder is followed from
/// there, and one may be in it all the same.
pub(super) fn no_server(context: &Context) -> &'static str {
    if context
        .inside()
        .is_some_and(|inside| inside.socket.exists())
    {
        "The tmux server you are in belongs to another Tallylight: it was started with another XDG_STATE_HOME (or HOME)."
    } else {
        "No tmux server is running."
    }
}

/// All servers of both multiplexers.
fn servers(found: &[Found], context: &Context) -> Vec<ServerDocument> {
    let tmux = found.iter().map(server_document);
    let zellij = zellij::sessions(context);
    let zellij = zellij.iter().map(|session| session.document(context));
    tmux.chain(zellij).collect()
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
