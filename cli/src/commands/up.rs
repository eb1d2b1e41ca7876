//! `tally up`.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use session_host::files::{make_private_dir, read_regular};
use session_host::paths::Paths;
use session_host::service::{ControlError, Reply, Request, Status, ask};

use crate::args::UpArgs;
use crate::context::Context;
use crate::failure::{Failure, exit};

/// How long a new daemon may take until it answers.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long one question may take.
pub(super) const ANSWER: Duration = Duration::from_secs(1);
/// How long to wait between two questions.
const PAUSE: Duration = Duration::from_millis(10);
/// The log is begun anew when it is larger, and the old one kept once.
const LOG_MAX: u64 = 1 << 20;
/// What a daemon must not believe of the pane it was started in.
const OF_THE_PANE: [&str; 8] = [
    "TMUX",
    "TMUX_PANE",
    "TALLY_SESSION",
    "ZELLIJ",
    "ZELLIJ_PANE_ID",
    "ZELLIJ_SESSION_NAME",
    "CLAUDECODE",
    "CLAUDE_PID",
];

/// Starts the daemon unless it runs. Ends with status 1 when it does not come up.
pub(crate) fn run(args: &UpArgs, context: &Context) -> anyhow::Result<u8> {
    let (status, new) = ensure(context)?;
    if !args.quiet {
        let how = if new { "started" } else { "already running" };
        context
            .out
            .note(&format!("The daemon is {how} (pid {}).", status.pid));
    }
    Ok(exit::OK)
}

/// Makes sure that the daemon runs; says whether it is new.
pub(super) fn ensure(context: &Context) -> anyhow::Result<(Status, bool)> {
    match running(&context.paths) {
        Ok(status) => return Ok((status, false)),
        Err(ControlError::NotRunning) => {}
        Err(error) => return Err(error.into()),
    }
    let mut child = start(context)?;
    let begun = Instant::now();
    let mut ended = None;
    while begun.elapsed() < PATIENCE {
        if let Ok(status) = running(&context.paths) {
            let new = status.pid == child.id();
            return Ok((status, new));
        }
        // One that ends at once may have met another that was quicker: that one answers in a moment.
        ended = ended.or(child.try_wait()?);
        if ended.is_some_and(|status| !status.success()) && begun.elapsed() > PATIENCE / 10 {
            break;
        }
        sleep(PAUSE);
    }
    let log = log_file(&context.paths);
    let why = match ended {
        Some(ended) => format!("the daemon ended: {ended}"),
        None => "the daemon does not answer".to_owned(),
    };
    Err(Failure::failed(why)
        .hint(last_words(&log))
        .hint(format!("Its log is {}.", log.display()))
        .into())
}

/// Starts the daemon for an agent that is about to take this process over, unless it runs. A process of its own does so
/// and ends: an agent is to have no child that it does not know. Nothing is said, since the agent starts all the same.
pub(super) fn for_agent(context: &Context) {
    if matches!(running(&context.paths), Err(ControlError::NotRunning)) {
        let _ = Command::new(context.program())
            .args(["up", "--quiet"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
}

/// How the running daemon is.
pub(super) fn running(paths: &Paths) -> Result<Status, ControlError> {
    match ask(paths, Request::Status, ANSWER)? {
        Reply::Status(status) => Ok(status),
        other => Err(ControlError::NoAnswer(format!("{other:?}"))),
    }
}

/// Whether a daemon runs and answers.
pub(crate) fn runs(paths: &Paths) -> bool {
    running(paths).is_ok()
}

fn start(context: &Context) -> anyhow::Result<Child> {
    let (state, log) = (&context.paths.state, log_file(&context.paths));
    make_private_dir(state)
        .with_context(|| format!("cannot make the state folder {}", state.display()))?;
    let log = open_log(&log).with_context(|| format!("cannot write the log {}", log.display()))?;
    let mut command = Command::new(context.program());
    command
        .args(["daemon", "run", "--detach"])
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    for name in OF_THE_PANE {
        command.env_remove(name);
    }
    Ok(command.stderr(log).spawn()?)
}

/// The file that a detached daemon's words go to.
pub(super) fn log_file(paths: &Paths) -> PathBuf {
    paths.state.join("daemon.log")
}

fn open_log(path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(about) if !about.is_file() => {
            return Err(io::Error::other("it is not a regular file"));
        }
        Ok(about) if about.len() > LOG_MAX => {
            fs::rename(path, path.with_extension("log.old"))?;
        }
        _ => {}
    }
    OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
}

fn last_words(log: &Path) -> String {
    let text = read_regular(log, 2 * LOG_MAX).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    session_core::view::clean(text.lines().last().unwrap_or_default(), 400)
}
