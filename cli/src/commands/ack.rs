//! `tally ack`.

use session_core::Event;

use crate::args::AckArgs;
use crate::commands::clear::change;
use crate::context::Context;

/// Acknowledges a finished turn. Ends with status 1 when there is no such session.
pub(crate) fn run(args: &AckArgs, context: &Context) -> anyhow::Result<u8> {
    change(
        args.reference.as_deref(),
        context,
        Event::Acknowledge { turn: args.turn },
    )
}
