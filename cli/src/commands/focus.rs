//! `tally focus`.

use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::process::Command;

use session_core::{ClientId, Mux, PaneKey, ServerView};
use session_host::clock::Clock;
use tmux_bridge::{Asked, Jump, Tmux, jump};
use zellij_bridge::{Finder, Zellij};

use crate::args::FocusArgs;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::reference::find;

/// Goes to the pane of a session.
pub(crate) fn run(args: &FocusArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let picture = context.picture(&config, None, false)?;
    let session = find(Some(&args.reference), &picture.sessions, context)?;
    let pane = session
        .pane
        .as_ref()
        .ok_or_else(|| Failure::failed("the session is in no pane"))?;
    go(pane, args.client.as_deref(), &picture.servers, context)
}

/// Shows a pane to the person.
pub(super) fn go(
    pane: &PaneKey,
    client: Option<&str>,
    servers: &[ServerView],
    context: &Context,
) -> anyhow::Result<u8> {
    if pane.server.mux == Mux::Zellij {
        return go_in_zellij(pane, servers, context);
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
        Jump::Attach { command } if inside.is_none() && std::io::stdin().is_terminal() => {
            Err(Command::new("sh")
                .args(["-c", &format!("exec {command}")])
                .exec()
                .into())
        }
        Jump::Attach { command } => {
            context
                .out
                .note("Nobody is attached to that server; this shows the pane:");
            context.out.data(&command)?;
            Ok(exit::OK)
        }
    }
}

fn go_in_zellij(pane: &PaneKey, servers: &[ServerView], context: &Context) -> anyhow::Result<u8> {
    let zellij = Zellij::on_path(&context.env);
    let found = Finder::default().find(&context.env, &context.processes, context.clock.now());
    let session = |pid: u32| {
        let found = found.iter().find(|found| found.server.pid == pid);
        found.and_then(|found| found.address(&zellij))
    };
    let target = session(pane.server.pid)
        .ok_or_else(|| Failure::failed("the zellij session cannot be reached"))?;
    // Whoever asks from another session is taken over from there.
    let here = context
        .zellij_server()
        .filter(|pid| *pid != pane.server.pid);
    let from = here.and_then(session);
    let view = servers.iter().find(|view| view.server == pane.server);
    let asked = zellij_bridge::Asked {
        from: from.as_ref(),
        clients: view.map(|view| view.clients.len()),
    };
    if let zellij_bridge::Jump::Attach { session } = zellij_bridge::jump(&target, pane.pane, asked)?
    {
        context
            .out
            .note("Nobody is attached to that session; this shows the pane:");
        context
            .out
            .data(&format!("zellij attach {}", quoted(&session)))?;
    }
    Ok(exit::OK)
}

fn quoted(text: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
