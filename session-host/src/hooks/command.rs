//! Runs one command of the person's, with a deadline for it and all that it started.

use std::io::Read;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::env::Env;

/// How much of what a command prints is kept, in bytes: the end of it.
const TAIL: usize = 1024;
/// How long a command may take to end when it is told to, before it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// How long its last words are waited for. A program that it left behind may hold its output open for ever.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// The first and the longest pause between two looks at whether it has ended.
const PAUSE: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));
/// Variables that name the pane which the daemon happened to be started in: they would mislead every command.
const OF_THE_PANE: [&str; 5] = [
    "TMUX",
    "TMUX_PANE",
    "ZELLIJ",
    "ZELLIJ_PANE_ID",
    "ZELLIJ_SESSION_NAME",
];

/// What a command may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'l> {
    /// How long it may run.
    pub timeout: Duration,
    /// The folder it starts in; one that is not there is the root folder.
    pub folder: Option<&'l Path>,
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Its exit status; `None` when a signal ended it, or when it did not start.
    pub exit: Option<i32>,
    /// How long it ran, in milliseconds.
    pub ms: i64,
    /// What went wrong, in a few words; `None` for one that ended well.
    pub failure: Option<String>,
    /// The end of its standard output.
    pub stdout: String,
    /// The end of its standard error.
    pub stderr: String,
}

impl Ran {
    /// What went wrong and the last words of it; `None` for one that ended well.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        let failure = self.failure.as_ref()?;
        let words = self.stderr.trim();
        Some(if words.is_empty() {
            failure.clone()
        } else {
            format!("{failure}: {words}")
        })
    }
}

/// Runs a command with `sh -c` in a process group of its own, with nothing to read, and with `variables` beside the
/// environment. At the deadline the whole group is told to end, and killed when it does not.
#[must_use]
pub fn run(command: &str, variables: &[(&str, String)], env: &Env, limits: Limits<'_>) -> Ran {
    let begun = Instant::now();
    let folder = limits.folder.filter(|folder| folder.is_dir());
    let mut sh = Command::new("sh");
    sh.arg("-c")
        .arg(command)
        .env_clear()
        .envs(env.iter())
        .current_dir(folder.unwrap_or(Path::new("/")))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    for name in OF_THE_PANE {
        sh.env_remove(name);
    }
    sh.envs(variables.iter().map(|(name, value)| (name, value)));
    let mut child = match sh.spawn() {
        Ok(child) => child,
        Err(error) => {
            return Ran {
                exit: None,
                ms: 0,
                failure: Some(format!("cannot start sh: {error}")),
                stdout: String::new(),
                stderr: String::new(),
            };
        }
    };
    let tails = [tail_of(child.stdout.take()), tail_of(child.stderr.take())];
    let in_time = ends_by(&child, begun + limits.timeout);
    if !in_time {
        end_group(&child);
    }
    let status = child.wait();
    let ms = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    let last_words = Instant::now() + LAST_WORDS;
    let [stdout, stderr] = tails.map(|tail| text(&tail, last_words));
    let exit = status
        .as_ref()
        .ok()
        .and_then(std::process::ExitStatus::code);
    let failure = match status {
        _ if !in_time => Some(format!("stopped after {} s", limits.timeout.as_secs_f32())),
        Err(error) => Some(error.to_string()),
        Ok(status) if status.success() => None,
        Ok(status) => Some(match (status.code(), status.signal()) {
            (Some(code), _) => format!("exit {code}"),
            (None, signal) => format!("signal {}", signal.unwrap_or_default()),
        }),
    };
    Ran {
        exit: exit.filter(|_| in_time),
        ms,
        failure,
        stdout,
        stderr,
    }
}

/// Waits until it has ended, and leaves it to be reaped: as long as it is not, its group is no other's.
fn ends_by(child: &Child, until: Instant) -> bool {
    let Some(pid) = pid(child) else { return true };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let mut pause = PAUSE.0;
    loop {
        if !matches!(waitid(WaitId::Pid(pid), options), Ok(None)) {
            return true;
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        sleep(pause.min(left));
        pause = (pause * 2).min(PAUSE.1);
    }
}

fn end_group(child: &Child) {
    let Some(group) = pid(child) else { return };
    // Who is gone needs no signal.
    let _ = kill_process_group(group, Signal::TERM);
    ends_by(child, Instant::now() + GRACE);
    let _ = kill_process_group(group, Signal::KILL);
}

fn pid(child: &Child) -> Option<Pid> {
    Pid::from_raw(i32::try_from(child.id()).ok()?)
}

/// The end of what a pipe gave, and whether it is at its end.
type Tail = Arc<Mutex<(Vec<u8>, bool)>>;

/// Reads a pipe to its end in a thread. Only the end of it is kept.
fn tail_of(pipe: Option<impl Read + Send + 'static>) -> Tail {
    let tail = Tail::default();
    let Some(mut pipe) = pipe else {
        tail.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        return tail;
    };
    let filled = Arc::clone(&tail);
    spawn(move || {
        let mut block = [0; 4096];
        loop {
            let count = pipe.read(&mut block).unwrap_or_default();
            let mut tail = filled.lock().unwrap_or_else(PoisonError::into_inner);
            tail.0
                .extend_from_slice(block.get(..count).unwrap_or_default());
            let excess = tail.0.len().saturating_sub(TAIL);
            tail.0.drain(..excess);
            if count == 0 {
                tail.1 = true;
                return;
            }
        }
    });
    tail
}

fn text(tail: &Tail, until: Instant) -> String {
    loop {
        let tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.1 || Instant::now() >= until {
            return String::from_utf8_lossy(&tail.0).into_owned();
        }
        drop(tail);
        sleep(PAUSE.0);
    }
}
