//! Why nothing is found on a server that a REF names: it may not be there at all.

use session_core::Mux;
use session_core::view::clean;
use session_host::clock::Clock as _;
use session_host::query::{is_called, server_of};
use tmux_bridge::TmuxError;
use zellij_bridge::Finder;

use crate::context::Context;

/// The longest name of a server that is told.
const NAME: usize = 60;

/// That the server of a REF cannot be seen, or does not answer; `None` when it does, or when the REF names none.
pub(crate) fn server(reference: &str, context: &Context) -> Option<String> {
    let (mux, name) = server_of(reference)?;
    match mux {
        Mux::Tmux => tmux(name, context),
        Mux::Zellij => zellij(name, context),
    }
}

fn tmux(name: &str, context: &Context) -> Option<String> {
    let found = tmux_bridge::servers(&context.env);
    let called = found
        .iter()
        .find(|found| is_called(&found.socket.to_string_lossy(), name));
    match called.map(|found| &found.server) {
        None => Some(format!("no tmux server {} can be seen", clean(name, NAME))),
        Some(Err(error)) if error.is_unreachable() => Some(format!(
            "the tmux server {} is gone, and only its socket is left",
            clean(name, NAME)
        )),
        Some(Err(error)) => Some(silent(name, error)),
        Some(Ok(_)) => None,
    }
}

fn silent(name: &str, error: &TmuxError) -> String {
    format!(
        "the tmux server {} is there, but {}",
        clean(name, NAME),
        error.reason()
    )
}

fn zellij(name: &str, context: &Context) -> Option<String> {
    let found = Finder::default().find(&context.env, &context.processes, context.clock.now());
    let is_there = found
        .iter()
        .any(|found| found.name.as_deref() == Some(name) || is_called(&found.server.socket, name));
    (!is_there).then(|| format!("no zellij session {} can be seen", clean(name, NAME)))
}
