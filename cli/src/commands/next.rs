//! `tally next`.

use session_core::{SessionView, State};

use crate::args::NextArgs;
use crate::commands::focus::go;
use crate::context::{Context, Inside};
use crate::failure::exit;
use crate::output::{ListText, Paint, list};

/// Goes to the session that most needs the person.
pub(crate) fn run(args: &NextArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let picture = context.picture(&config, None, false)?;
    let Some(view) = next(&picture.snapshot.sessions, context.inside().as_ref()) else {
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

/// The most urgent session that needs the person; when that is the one they are at, the one after it.
fn next<'s>(sessions: &'s [SessionView], inside: Option<&Inside>) -> Option<&'s SessionView> {
    let needs = |view: &&SessionView| {
        view.pane.is_some() && matches!(view.state, State::Blocked | State::Error | State::Done)
    };
    let waiting: Vec<&SessionView> = sessions.iter().filter(needs).collect();
    let here = waiting
        .iter()
        .position(|view| inside.is_some_and(|inside| is_at(view, inside)));
    let after = here.map_or(0, |index| index + 1);
    waiting.get(after).or_else(|| waiting.first()).copied()
}

fn is_at(view: &SessionView, inside: &Inside) -> bool {
    view.pane.as_ref().is_some_and(|pane| {
        std::path::Path::new(&pane.server) == inside.socket && Some(pane.pane_id) == inside.pane
    })
}
