//! `tally ack`.

use session_core::{Event, Outcome};

use crate::args::AckArgs;
use crate::commands::clear::change;
use crate::context::Context;
use crate::failure::{Failure, exit};

/// Acknowledges a finished turn. Ends with status 1 when there is no such session.
pub(crate) fn run(args: &AckArgs, context: &Context) -> anyhow::Result<u8> {
    match change(
        args.reference.as_deref(),
        context,
        Event::Acknowledge { turn: args.turn },
    )? {
        Outcome::Refused(why) => Err(Failure::failed(why).into()),
        Outcome::Taken | Outcome::Repeated => Ok(exit::OK),
    }
}
