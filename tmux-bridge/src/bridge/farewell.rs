//! Leaving servers as they were found.

use std::path::Path;

use session_core::ServerView;
use session_host::env::Env;

use crate::command::{Batch, Tmux};
use crate::discover::{World, candidates, is_served, listener};
use crate::error::TmuxError;
use crate::follow::end_leftovers;
use crate::hooks::WakeHooks;
use crate::look::{Depth, look};
use crate::publish::{Change, Published, changes, leftovers};
use crate::run::DEADLINE;
use crate::style::remove_formats;

/// Takes everything of ours off a server; blocking. What is not known to be published is read from the server.
///
/// # Errors
/// When the server does not answer.
pub(super) fn take_back(
    tmux: &Tmux,
    view: &ServerView,
    published: Option<Published>,
    hooks: Option<&WakeHooks>,
) -> Result<(), TmuxError> {
    let published = match published {
        Some(published) => published,
        None => leftovers(tmux, view, DEADLINE)?,
    };
    let unset = changes(&published, &Published::default(), view);
    let mut batch: Batch = unset.iter().map(Change::line).collect();
    let removal = hooks.into_iter().flat_map(WakeHooks::removal);
    for line in remove_formats().into_iter().chain(removal) {
        batch.push(line);
    }
    tmux.run(&batch, DEADLINE).map(drop)
}

/// Does for a daemon that died what it does at its end: ends its followers, puts the lamps out and takes the hooks back,
/// on every server of the user (case H4). Blocking; a server that does not answer is left as it is, with a warning.
pub fn clear(env: &Env) {
    let world = World::of(env);
    std::thread::scope(|scope| {
        for socket in candidates(env, &world) {
            let world = &world;
            scope.spawn(move || {
                if let Err(err) = clear_one(&socket, env, world) {
                    tracing::warn!(%err, socket = %socket.display(), "cannot clear away what the daemon left in a tmux server");
                }
            });
        }
    });
}

fn clear_one(socket: &Path, env: &Env, world: &World) -> Result<(), TmuxError> {
    if !is_served(socket) {
        return Ok(());
    }
    let tmux = Tmux::at(socket, env);
    let view = look(&tmux, Depth::Full, DEADLINE).map(|look| look.view);
    let pid = match &view {
        Ok(view) => Some(view.server.pid),
        // Followers of a server that hangs are ours to end all the same.
        Err(_) => listener(socket),
    };
    let Some(pid) = pid.filter(|pid| world.holds(*pid)) else {
        return view.map(drop);
    };
    end_leftovers(&tmux, pid);
    let view = view?;
    take_back(
        &tmux,
        &view,
        None,
        Some(&WakeHooks::new(pid, &view.version)),
    )
}
