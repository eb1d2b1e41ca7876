//! `tally next`.

use session_core::{Mux, PaneId, ServerView, Session, SessionId, SessionView, State};

use crate::args::NextArgs;
use crate::commands::focus::go;
use crate::context::{Context, Inside};
use crate::failure::exit;
use crate::output::{ListText, Paint, list};

/// Goes to the session that most needs the person.
pub(crate) fn run(args: &NextArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let picture = context.picture(&config, None, false)?;
    let here = match context.zellij_pane() {
        Some((server, pane)) => in_zellij(&picture.sessions, server, pane),
        None => here(args.client.as_deref(), context.inside(), &picture.servers)
            .and_then(|inside| in_tmux(&picture.snapshot.sessions, &inside)),
    };
    let Some(view) = next(&picture.snapshot.sessions, here) else {
        context.out.note("Nobody needs you.");
        return Ok(exit::FAILED);
    };
    if args.print {
        let text = ListText {
            sessions: &[view],
            now_ms: picture.snapshot.at_ms,
            look: &config.look,
            paint: Paint::new(context.out.colour()),
            columns: context.out.columns(),
        };
        context.out.data(&list(&text))?;
        return Ok(exit::OK);
    }
    let pane = picture
        .sessions
        .iter()
        .find(|session| session.id == view.id)
        .and_then(|session| session.pane.as_ref());
    match pane {
        Some(pane) => go(pane, args.client.as_deref(), &picture.servers, context),
        None => Ok(exit::FAILED),
    }
}

/// The pane the person is at: in a key binding it is the one that their terminal shows.
fn here(client: Option<&str>, inside: Option<Inside>, servers: &[ServerView]) -> Option<Inside> {
    let inside = inside?;
    let shown = servers
        .iter()
        .filter(|view| std::path::Path::new(&view.server.socket) == inside.socket)
        .flat_map(|view| &view.clients)
        .find(|fact| client.is_some_and(|client| fact.client.0 == client))
        .map(|fact| fact.pane);
    Some(Inside {
        pane: shown.or(inside.pane),
        ..inside
    })
}

/// The session that the person is at in tmux.
fn in_tmux(sessions: &[SessionView], inside: &Inside) -> Option<SessionId> {
    let is_at = |view: &&SessionView| {
        view.pane.as_ref().is_some_and(|pane| {
            std::path::Path::new(&pane.server) == inside.socket && Some(pane.pane_id) == inside.pane
        })
    };
    sessions.iter().find(is_at).map(|view| view.id)
}

/// The session that the person is at in zellij, whose sessions may change their names.
fn in_zellij(sessions: &[Session], server: u32, pane: PaneId) -> Option<SessionId> {
    let is_at = |session: &&Session| {
        let key = session.pane.as_ref();
        key.is_some_and(|key| {
            key.server.mux == Mux::Zellij && key.server.pid == server && key.pane == pane
        })
    };
    sessions.iter().find(is_at).map(|session| session.id)
}

/// The most urgent session that needs the person; when that is the one they are at, the one after it.
fn next(sessions: &[SessionView], here: Option<SessionId>) -> Option<&SessionView> {
    let needs = |view: &&SessionView| {
        view.pane.is_some() && matches!(view.state, State::Blocked | State::Error | State::Done)
    };
    let waiting: Vec<&SessionView> = sessions.iter().filter(needs).collect();
    let here = waiting.iter().position(|view| here == Some(view.id));
    let after = here.map_or(0, |index| index + 1);
    waiting.get(after).or_else(|| waiting.first()).copied()
}
