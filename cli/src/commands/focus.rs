//! `tally focus`.

use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::process::Command;

use session_core::view::clean;
use session_core::{ClientId, Mux, PaneKey};
use tmux_bridge::{Asked, Jump, Tmux, jump};

use crate::args::FocusArgs;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::reference::find;

/// Goes to the pane of a session. Ends with status 1 when nobody sees it.
pub(crate) fn run(args: &FocusArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let picture = context.picture(&config, None, false)?;
    let session = find(Some(&args.reference), &picture.sessions, context)?;
    let pane = session.pane.as_ref().ok_or_else(|| {
        Failure::failed(format!(
            "the session {} is in no pane that one could go to",
            session.id
        ))
    })?;
    go(pane, args.client.as_deref(), context)
}

/// Shows a pane to the person. Where no terminal can show it, the pane is chosen for whoever attaches next, and the
/// status says that nobody sees it.
pub(super) fn go(pane: &PaneKey, client: Option<&str>, context: &Context) -> anyhow::Result<u8> {
    if pane.server.mux != Mux::Tmux {
        return Err(Failure::failed(format!(
            "{pane} is in zellij, and this Tallylight cannot go to its panes yet"
        ))
        .into());
    }
    let inside = context.inside();
    let asked = Asked {
        client: client.map(|name| ClientId(name.to_owned())),
        from: inside
            .as_ref()
            .map(|inside| (inside.socket.clone(), inside.pane)),
    };
    match jump(
        &Tmux::at(&pane.server.socket, &context.env),
        pane.pane,
        &asked,
    )? {
        Jump::Switched {
            client,
            elsewhere: true,
        } => {
            context.out.note(&format!("Shown on {}.", client.0));
            Ok(exit::OK)
        }
        Jump::Switched { .. } => Ok(exit::OK),
        Jump::Chosen { attach, .. } if inside.is_none() && std::io::stdin().is_terminal() => {
            Err(Command::new("sh")
                .args(["-c", &format!("exec {attach}")])
                .exec()
                .into())
        }
        Jump::Chosen {
            mux_session,
            attach,
        } => {
            let (pane, mux_session) = (pane.pane, clean(&mux_session, 60));
            context.out.note(&format!(
                "No terminal is attached to that tmux server, so nothing shows it yet: {pane} is the active pane of \
                 {mux_session:?} now. This shows it:"
            ));
            context.out.data(&attach)?;
            Ok(exit::FAILED)
        }
    }
}
