//! The daemon's side of a click: goes to panes that a plugin cannot go to itself.

use std::thread;

use session_core::wire::{Flavour, Go};
use session_core::{Mux, PaneKey, Session};
use session_host::clock::Clock;
use tmux_bridge::Tmux;
use tokio::sync::mpsc;
use zellij_bridge::{Finder, Zellij};

use crate::context::Context;

/// How many clicks may wait; a person who clicks more often than that has given up on the first ones.
const QUEUE: usize = 8;

/// Starts to listen; whoever has the sender tells where a person wants to go. Ends when the last sender is gone.
pub(super) fn start(context: Context) -> std::io::Result<mpsc::Sender<Go>> {
    let (sender, mut wanted) = mpsc::channel(QUEUE);
    // A thread of its own: a multiplexer that hangs holds up no lamp.
    thread::Builder::new()
        .name("jumps".to_owned())
        .spawn(move || {
            while let Some(go) = wanted.blocking_recv() {
                if let Err(error) = follow(go, &context) {
                    tracing::warn!(%error, pane = %go.pane, server = go.server_pid, "cannot go there");
                }
            }
        })?;
    Ok(sender)
}

fn follow(go: Go, context: &Context) -> anyhow::Result<()> {
    let picture = context.picture(&context.config(), None, false)?;
    let Some(pane) = pane_of(&picture.sessions, go) else {
        anyhow::bail!("no session is in that pane any more");
    };
    match pane.server.mux {
        Mux::Tmux => in_tmux(pane, context),
        Mux::Zellij => in_zellij(pane, context),
    }
}

/// The pane that was meant: only one that has a session, as the list had.
fn pane_of(sessions: &[Session], go: Go) -> Option<&PaneKey> {
    let panes = sessions.iter().filter_map(|session| session.pane.as_ref());
    panes
        .filter(|pane| pane.server.pid == go.server_pid)
        .find(|pane| pane.pane == go.pane)
}

/// In the client that was used last: the daemon has no terminal, and knows none that the click came from.
fn in_tmux(pane: &PaneKey, context: &Context) -> anyhow::Result<()> {
    let tmux = Tmux::at(&pane.server.socket, &context.env);
    let jump = tmux_bridge::jump(&tmux, pane.pane, &tmux_bridge::Asked::default())?;
    if let tmux_bridge::Jump::Chosen { .. } = jump {
        tracing::info!(socket = %pane.server.socket, "nobody is attached to the tmux server");
    }
    Ok(())
}

fn in_zellij(pane: &PaneKey, context: &Context) -> anyhow::Result<()> {
    let zellij = Zellij::on_path(&context.env);
    let found = Finder::default().find(&context.env, &context.processes, context.clock.now());
    let address = found
        .iter()
        .find(|found| found.server.pid == pane.server.pid)
        .and_then(|found| found.address(&zellij));
    let Some(address) = address else {
        anyhow::bail!("the zellij session cannot be reached");
    };
    let asked = zellij_bridge::Asked {
        from: None,
        clients: None,
        flavour: Flavour::BUILD,
    };
    zellij_bridge::jump(&address, pane.pane, asked)?;
    Ok(())
}
