//! Claude Code's own record of its state, one file a process: `sessions/PID.json`.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::wait::{LIMIT, wait_until};

/// The status file of one process.
#[derive(Clone, Debug)]
pub struct StatusFile {
    path: PathBuf,
}

/// A change that was seen in a status file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusChange {
    /// When it was seen, in nanoseconds since the epoch; up to 2 ms late.
    pub at_ns: u128,
    /// `busy`, `shell`, `idle`, `waiting`, or `gone` when there is no file.
    pub status: String,
    /// What it waits for, or empty.
    pub waiting_for: String,
}

impl StatusFile {
    /// The file at that path.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Whether the file is there.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// The whole document, unless it is gone or half written.
    #[must_use]
    pub fn read(&self) -> Option<Value> {
        serde_json::from_slice(&fs::read(&self.path).ok()?).ok()
    }

    /// The status word, or `gone`.
    #[must_use]
    pub fn status(&self) -> String {
        let word = |document: Value| document["status"].as_str().map(str::to_owned);
        self.read()
            .and_then(word)
            .unwrap_or_else(|| "gone".to_owned())
    }

    /// Waits for a status word.
    pub fn wait_for(&self, status: &str) {
        wait_until(
            &format!("the status file to say {status}"),
            LIMIT,
            || (self.status() == status).then_some(()),
            || self.status(),
        );
    }

    /// Writes every change down from now on.
    #[must_use]
    pub fn follow(&self) -> Follower {
        let changes = Arc::new(Mutex::new(Vec::new()));
        let stopped = Arc::new(AtomicBool::new(false));
        let (file, to, stop) = (self.clone(), Arc::clone(&changes), Arc::clone(&stopped));
        let thread = thread::spawn(move || file.record(&to, &stop));
        Follower {
            changes,
            stopped,
            thread: Some(thread),
        }
    }

    fn record(&self, changes: &Mutex<Vec<StatusChange>>, stopped: &AtomicBool) {
        let mut last = None;
        while !stopped.load(Ordering::Relaxed) {
            let document = self.read();
            // A file that is there but unreadable is being written: look again.
            if document.is_some() || !self.exists() {
                let document = document.unwrap_or_default();
                let text = |key: &str| document[key].as_str().unwrap_or_default().to_owned();
                let status = if document.is_null() {
                    "gone".to_owned()
                } else {
                    text("status")
                };
                let seen = (status, text("waitingFor"));
                if last.as_ref() != Some(&seen) {
                    let (status, waiting_for) = seen.clone();
                    let change = StatusChange {
                        at_ns: now_ns(),
                        status,
                        waiting_for,
                    };
                    changes.lock().expect("the changes").push(change);
                    last = Some(seen);
                }
            }
            // Finer than the pause of a test's own waiting: this one measures.
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// A thread that writes the changes of a status file down until it is dropped.
#[derive(Debug)]
pub struct Follower {
    changes: Arc<Mutex<Vec<StatusChange>>>,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Follower {
    /// The changes so far.
    #[must_use]
    pub fn changes(&self) -> Vec<StatusChange> {
        self.changes.lock().expect("the changes").clone()
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// The wall clock, as the hooks' stamps have it.
#[must_use]
pub fn now_ns() -> u128 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |since| since.as_nanos())
}
