//! `tally explain`.

use session_core::explain;
use session_host::clock::Clock;

use crate::args::ExplainArgs;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::output::{Document, ExplainDocument, Paint, explanation};
use crate::reference::find;
use crate::sight::Sight;

/// Tells why a session shows what it shows; also of one that ended lately.
pub(crate) fn run(args: &ExplainArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    // The places a daemon would know, also where none runs.
    let sight = Sight::now(context);
    let picture = context.picture(&config, Some(sight.fresh()), true)?;
    let session = find(args.reference.as_deref(), &picture.sessions, context)?;
    let now = context.clock.now();
    let why = explain(session, &config.policy, now);
    let view = picture
        .snapshot
        .sessions
        .iter()
        .find(|view| view.id == session.id);
    let view =
        view.ok_or_else(|| Failure::failed(format!("the session {} is gone", session.id)))?;
    if args.json {
        context.out.json(&Document::new(ExplainDocument {
            session: view,
            explanation: (&why).into(),
        }))?;
        return Ok(exit::OK);
    }
    let paint = Paint::new(context.out.colour());
    context
        .out
        .data(&explanation(view, &why, now.ms(), &config.look, paint))?;
    Ok(exit::OK)
}
