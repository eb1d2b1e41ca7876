//! `tally ack`.

use session_core::{Event, State};

use crate::args::AckArgs;
use crate::commands::clear::change;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::reference::find;

/// Acknowledges a finished turn; that none is to be acknowledged is told, and fine. Ends with status 1 when there is no
/// such session, or there never was such a turn.
pub(crate) fn run(args: &AckArgs, context: &Context) -> anyhow::Result<u8> {
    let picture = context.picture(&context.config(), None, false)?;
    let session = find(args.reference.as_deref(), &picture.sessions, context)?;
    let (id, last) = (session.id, session.turn.number);
    let state = picture
        .snapshot
        .sessions
        .iter()
        .find(|view| view.id == id)
        .map_or(State::None, |view| view.state);
    let why = match args.turn {
        Some(turn) if turn > last => {
            return Err(Failure::failed(format!(
                "the session {id} has had no turn {turn}: its last one is {last}"
            ))
            .into());
        }
        Some(turn) if turn < last => Some(format!("turn {turn} was followed by turn {last}")),
        _ if state != State::Done => Some(format!("the session is {state}")),
        _ => None,
    };
    if let Some(why) = why {
        context
            .out
            .note(&format!("Nothing was to be acknowledged: {why}."));
        return Ok(exit::OK);
    }
    // A turn that has begun meanwhile stays as it is.
    let event = Event::Acknowledge { turn: Some(last) };
    change(Some(&id.to_string()), context, event)
}
