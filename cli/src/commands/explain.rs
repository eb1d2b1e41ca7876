//! `tally explain`.

use session_core::{ServerView, explain};
use session_host::clock::Clock;
use session_host::query::Fresh;

use crate::args::ExplainArgs;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::output::{Document, ExplainDocument, Paint, explanation};
use crate::reference::find;

/// Tells why a session shows what it shows; also of one that ended lately.
pub(crate) fn run(args: &ExplainArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    // The places a daemon would know, also where none runs.
    let began = context.clock.now();
    let found = tmux_bridge::servers(&context.env);
    let views: Vec<ServerView> = found
        .into_iter()
        .filter_map(|found| found.server.ok())
        .collect();
    let fresh = Fresh {
        views: &views,
        began,
    };
    let picture = context.picture(&config, Some(fresh), true)?;
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
