//! `tally next`.

use session_core::{Mux, Need, PaneId, Session, SessionId, SessionView, Snapshot, attention};
use session_host::config::Look;
use session_host::query::Picture;
use tmux_bridge::JumpError;
use zellij_bridge::ZellijError;

use crate::args::NextArgs;
use crate::commands::focus::{asked, go};
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::output::{ListText, Paint, list};
use crate::screens::Screens;

/// Goes to the session that most needs the person. One that cannot be shown is skipped for the next one.
pub(crate) fn run(args: &NextArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let picture = context.picture(&config, None, false)?;
    let waiting = waiting(&picture.snapshot);
    if waiting.is_empty() {
        context.out.note("Nobody needs you.");
        return Ok(exit::FAILED);
    }
    let mut screens = Screens::new(
        asked(args.client.as_deref(), context),
        &picture.servers,
        context,
    );
    let here = match context.zellij_pane() {
        Some((server, pane)) => in_zellij(&picture.sessions, server, pane),
        None => screens.here(&waiting),
    };
    let (mut shown, mut failed) = (None, None);
    for view in after(&waiting, here) {
        let Some(pane) = &view.pane else { continue };
        let gone_to = match screens.shows(pane) {
            Ok(true) => {
                shown = shown.or(Some(view));
                continue;
            }
            Ok(false) => {
                skipped(&mut failed, context);
                reach(view, args, (&picture, &config.look), context)
            }
            Err(why) => Err(Failure::failed(why).into()),
        };
        match gone_to {
            Err(error) if is_about_the_pane(&error) => {
                skipped(&mut failed, context);
                failed = Some((pane.pane_id, error));
            }
            gone_to => return gone_to,
        }
    }
    let Some(view) = shown else {
        return failed.map_or(Ok(exit::FAILED), |(_, error)| Err(error));
    };
    // It is the only one that can be shown, and it is.
    skipped(&mut failed, context);
    reach(view, args, (&picture, &config.look), context)
}

/// Tells of a session that another one is tried for.
fn skipped(failed: &mut Option<(PaneId, anyhow::Error)>, context: &Context) {
    if let Some((pane, error)) = failed.take() {
        context.out.note(&format!("Skipped {pane}: {error}."));
    }
}

/// Goes to a session, or only tells which it is.
fn reach(
    view: &SessionView,
    args: &NextArgs,
    (picture, look): (&Picture, &Look),
    context: &Context,
) -> anyhow::Result<u8> {
    if args.print {
        let text = ListText {
            sessions: &[view],
            now_ms: picture.snapshot.at_ms,
            ids: false,
            look,
            paint: Paint::new(context.out.colour()),
            columns: context.out.columns(),
        };
        context.out.data(&list(&text))?;
        return Ok(exit::OK);
    }
    let mut sessions = picture.sessions.iter();
    let session = sessions.find(|session| session.id == view.id);
    match session.and_then(|session| session.pane.as_ref()) {
        Some(pane) => go(pane, args.client.as_deref(), &picture.servers, context),
        None => Ok(exit::FAILED),
    }
}

/// Whether another pane may be reached all the same.
fn is_about_the_pane(error: &anyhow::Error) -> bool {
    error.is::<JumpError>() || error.is::<ZellijError>() || error.is::<Failure>()
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

/// The sessions that need the person and can be gone to, the most urgent first.
fn waiting(snapshot: &Snapshot) -> Vec<&SessionView> {
    attention(&snapshot.sessions, snapshot.at_ms)
        .into_iter()
        .filter(|one| one.need == Need::Now && one.view.pane.is_some())
        .map(|one| one.view)
        .collect()
}

/// All of them, from the one after that which the person is at.
fn after<'s>(waiting: &[&'s SessionView], here: Option<SessionId>) -> Vec<&'s SessionView> {
    let mut order = waiting.to_vec();
    if let Some(index) = waiting.iter().position(|view| here == Some(view.id)) {
        order.rotate_left(index + 1);
    }
    order
}
