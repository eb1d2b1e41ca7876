//! `tally restart`.

use session_core::{Session, State};
use session_host::clock::Clock;
use session_host::intake::new_id;

use crate::args::{RestartArgs, SpotArgs};
use crate::commands::new::begin;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::reference::find;
use crate::spot::Spot;

/// Starts the command of a session again, in its pane where that is still there. Prints the REF of the new session.
pub(crate) fn run(args: &RestartArgs, context: &Context) -> anyhow::Result<u8> {
    let picture = context.picture(&context.config(), None, true)?;
    let session = find(args.reference.as_deref(), &picture.sessions, context)?;
    let state = picture
        .snapshot
        .sessions
        .iter()
        .find(|view| view.id == session.id)
        .map_or(State::None, |view| view.state);
    let now = context.clock.now();
    let next = session.again(new_id(now), now).ok_or_else(|| {
        Failure::failed(format!(
            "the session {} was not started by Tallylight, so its command is not known",
            session.id
        ))
        .hint("`tally new` starts one whose command is kept.")
    })?;
    if matches!(state, State::Working | State::Blocked) && !args.yes {
        return Err(Failure::failed(format!(
            "the session {} is {state}: what it is doing would be cut off",
            session.id
        ))
        .hint("Give --yes to start it again all the same.")
        .into());
    }
    let begun = begin(next, context, |argv| place(session, argv, context))?;
    context.out.data(&begun.id.to_string())?;
    Ok(exit::OK)
}

/// The session's own pane; where it is gone a new window of its server, and where that is gone as well, one here.
fn place(
    session: &Session,
    argv: &[&str],
    context: &Context,
) -> anyhow::Result<crate::spot::Opened> {
    let name = session.name.as_deref();
    let pane = session.pane.as_ref();
    let Some((pane, (spot, there))) =
        pane.and_then(|pane| Some((pane, Spot::of_pane(pane, context)?)))
    else {
        let here = SpotArgs {
            server: None,
            session: None,
            detached: true,
        };
        return Spot::find(&here, context)?.open(name, argv, context);
    };
    // A pane that is kept after its process ended is as good as one that runs.
    if there && (session.gone.is_none() || session.exit.is_some()) {
        spot.replace(pane.pane, argv, context)
    } else {
        spot.open(name, argv, context)
    }
}
