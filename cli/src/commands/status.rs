//! `tally status`.

use session_core::view::summary;

use crate::args::{StatusArgs, StatusFormat};
use crate::context::Context;
use crate::failure::exit;
use crate::output::{Document, StatusDocument, plain, styled_for_terminal, styled_for_tmux};
use crate::sight::Sight;
use crate::window::Asked;

/// Prints all states in one line; nothing at all when there is no agent.
pub(crate) fn run(args: &StatusArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let mut picture = context.picture(&config, None, false)?;
    let rollup = match &args.window {
        None => picture.snapshot.rollup,
        Some(window) => {
            let inside = context.inside();
            let asked = Asked::new(
                window,
                inside.as_ref().map(|inside| inside.socket.as_path()),
            )?;
            if asked.among(&picture.servers).next().is_none() {
                // The daemon has not seen it yet, or none runs.
                let sight = Sight::now(context);
                picture = context.picture(&config, Some(sight.fresh()), false)?;
            }
            let server = &asked.one_of(&picture.servers)?.server;
            asked.rollup(&picture.snapshot, server)
        }
    };
    let snapshot = &picture.snapshot;
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
