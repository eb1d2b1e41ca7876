//! `tally __guard`: looks after what the daemon leaves behind when it dies instead of ending (case H4).
//!
//! Its standard input is a pipe from the daemon. A daemon that ends says good-bye through it and has put the lamps out;
//! one that was killed or crashed says nothing. Then its followers would stay on the tmux servers, and lamps would
//! tell what was true when it died.

use std::io::{self, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use session_core::wire::Flavour;
use session_host::clock::Clock as _;
use session_host::service::Vacancy;

use crate::args::GuardArgs;
use crate::commands::{daemon, up};
use crate::context::Context;
use crate::failure::exit;

/// A daemon that dies sooner would die again: it is not started anew.
const WORTH_A_RESTART: Duration = Duration::from_secs(30);

/// What is to be done about the end of a daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    /// It ended by itself, or another one runs.
    Nothing,
    /// What it left has to be cleared away.
    Clear,
    /// The same, and a new one is to take its place.
    Replace,
}

/// Waits for the end of the daemon and does what it did not do.
pub(crate) fn run(args: &GuardArgs, context: &Context) -> anyhow::Result<u8> {
    let begun = Instant::now();
    let mut parting = Vec::new();
    io::stdin().take(1).read_to_end(&mut parting)?;
    let lived = begun.elapsed();
    if !parting.is_empty() {
        return Ok(exit::OK);
    }
    daemon::log();
    let vacancy = Vacancy::take(&context.paths)?;
    let restart_after = args.restart_after.map(Duration::from_secs);
    let course = course(
        vacancy.as_ref().map(|vacancy| vacancy.was_ending),
        lived,
        restart_after,
    );
    if course == Course::Nothing {
        return Ok(exit::OK);
    }
    tracing::error!("the daemon died; clearing away what it left");
    tmux_bridge::clear(&context.env);
    zellij_bridge::clear(Flavour::BUILD, &context.env, &context.processes);
    if course == Course::Clear {
        // While the place is still ours: said later, it would put out what a new daemon shows.
        let now = context.clock.now();
        zellij_bridge::part(Flavour::BUILD, &context.env, &context.processes, now);
    }
    drop(vacancy);
    if course == Course::Replace {
        let (status, new) = up::ensure(context)?;
        if new {
            tracing::info!(pid = status.pid, "a new daemon has taken its place");
        }
    }
    Ok(exit::OK)
}

/// Decides: `was_ending` is `None` when the daemon's place is taken.
fn course(was_ending: Option<bool>, lived: Duration, restart_after: Option<Duration>) -> Course {
    match was_ending {
        None => Course::Nothing,
        Some(false) if restart_after.is_some_and(|least| lived >= least) => Course::Replace,
        Some(_) => Course::Clear,
    }
}

/// The guard, seen from the daemon.
pub(super) struct Guard {
    _process: Child,
    pipe: ChildStdin,
}

impl Guard {
    /// Starts the guard of this process.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn post(context: &Context, restart: bool) -> io::Result<Self> {
        let mut command = Command::new(context.program());
        command.arg("__guard");
        if restart {
            command.arg(format!("--restart-after={}", WORTH_A_RESTART.as_secs()));
        }
        // What a terminal sends to the daemon, as Ctrl-C, is not for the guard.
        command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        let mut process = command.spawn()?;
        match process.stdin.take() {
            Some(pipe) => Ok(Self {
                _process: process,
                pipe,
            }),
            None => Err(io::Error::other("it has no standard input")),
        }
    }
}

impl Drop for Guard {
    /// Says good-bye.
    fn drop(&mut self) {
        // A guard that is gone needs no word.
        let _ = self.pipe.write_all(b".");
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::another_runs(None, 100, Some(30), Course::Nothing)]
    #[case::killed(Some(false), 100, Some(30), Course::Replace)]
    #[case::died_young(Some(false), 29, Some(30), Course::Clear)]
    #[case::told_to_end(Some(true), 100, Some(30), Course::Clear)]
    #[case::somebody_elses_to_restart(Some(false), 100, None, Course::Clear)]
    fn a_daemon_is_replaced_only_when_it_was_to_go_on_and_can(
        #[case] was_ending: Option<bool>,
        #[case] lived: u64,
        #[case] restart_after: Option<u64>,
        #[case] wanted: Course,
    ) {
        let secs = Duration::from_secs;
        assert_eq!(
            course(was_ending, secs(lived), restart_after.map(secs)),
            wanted
        );
    }
}
