//! `tally status`.

use session_core::view::summary;
use session_core::{Rollup, Snapshot, URGENCY, WindowId};

use crate::args::{StatusArgs, StatusFormat};
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::output::{Document, StatusDocument, plain, styled_for_terminal, styled_for_tmux};

/// Prints all states in one line; nothing at all when there is no agent.
pub(crate) fn run(args: &StatusArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let picture = context.picture(&config, None, false)?;
    let snapshot = &picture.snapshot;
    let rollup = match &args.window {
        Some(window) => window_rollup(window, snapshot, context)?,
        None => snapshot.rollup,
    };
    let format = args.format.unwrap_or(if context.out.colour() {
        StatusFormat::Ansi
    } else {
        StatusFormat::Plain
    });
    if format == StatusFormat::Json {
        context
            .out
            .json(&Document::new(StatusDocument::new(snapshot, rollup)))?;
        return Ok(exit::OK);
    }
    let segments = summary(
        &rollup.counts,
        &config.policy.urgency,
        config.look.glyphs,
        args.width,
    );
    let line = match format {
        StatusFormat::Ansi => styled_for_terminal(&segments, &config.look),
        StatusFormat::Tmux => styled_for_tmux(&segments, &config.look),
        _ => plain(&segments),
    };
    context.out.data(&line)?;
    Ok(exit::OK)
}

/// The rollup of a window of the server this was asked in, or of the only server there is.
fn window_rollup(window: &str, snapshot: &Snapshot, context: &Context) -> Result<Rollup, Failure> {
    let id: WindowId = window
        .parse()
        .map_err(|error| Failure::new(exit::USAGE, format!("{error}")))?;
    let servers = &snapshot.servers;
    let server = match context.inside() {
        Some(inside) => servers
            .iter()
            .find(|server| std::path::Path::new(&server.server.socket) == inside.socket),
        None => match &servers[..] {
            [] => None,
            [only] => Some(only),
            _ => {
                return Err(Failure::failed(format!(
                    "{} servers can have a window {id}",
                    servers.len()
                ))
                .hint("Ask inside tmux."));
            }
        },
    };
    let rollup = server.and_then(|server| server.windows.get(&id)).copied();
    Ok(rollup.unwrap_or_else(|| Rollup::of([], &URGENCY)))
}
