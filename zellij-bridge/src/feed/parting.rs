//! The good-bye of a daemon that was killed, said for it (case H4).

use std::time::{Duration, Instant};

use session_core::Time;
use session_core::wire::{Down, Flavour};
use session_host::env::Env;
use session_host::process::ProcessTable;

use super::file::PictureFile;
use crate::discover::Finder;
use crate::zellij::Zellij;

/// How long one session may take, and all of them: a new daemon waits for the end of it.
const LIMIT: Duration = Duration::from_secs(1);
const LIMIT_OF_ALL: Duration = Duration::from_secs(3);

/// Tells the bars of every session that the daemon is away, and removes the pictures it kept for new ones, which would
/// show the past for ever. Only while no daemon runs: a line said later would put out what a new one shows. Blocking.
pub fn part(flavour: Flavour, env: &Env, processes: &dyn ProcessTable, now: Time) {
    let zellij = Zellij::on_path(env);
    let found = Finder::default().find(env, processes, now);
    // First for all of them: it cannot hang.
    for found in &found {
        PictureFile::of(processes, found.server.pid, None, flavour).remove();
    }
    let begun = Instant::now();
    for found in found.iter().filter(|found| found.ready) {
        let left = LIMIT_OF_ALL.saturating_sub(begun.elapsed()).min(LIMIT);
        let line = Down::farewell(found.server.pid, now.ms()).line();
        let (Some(address), Ok(line), false) = (found.address(&zellij), line, left.is_zero())
        else {
            continue;
        };
        if let Err(error) = address.pipe(flavour.down(), &line, left) {
            tracing::debug!(%error, "no good-bye was taken");
        }
    }
}
