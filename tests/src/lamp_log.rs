//! Every lamp that a window's entry in the status line has shown, and when.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::lamp::Lamp;

/// The pause between two looks. A look costs about five milliseconds itself.
const STEP: Duration = Duration::from_millis(5);

/// A thread that watches a client's status line until it is dropped.
#[derive(Debug)]
pub struct LampLog {
    seen: Arc<Mutex<Vec<(Instant, Lamp)>>>,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LampLog {
    /// Watches the lamp of a window, such as `0:claude`, from now on.
    #[must_use]
    pub fn start(client: &Client, window: &str) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let stopped = Arc::new(AtomicBool::new(false));
        let (to, stop) = (Arc::clone(&seen), Arc::clone(&stopped));
        let (line, window) = (client.status_row(), window.to_owned());
        let thread = thread::spawn(move || {
            let mut last = None;
            while !stop.load(Ordering::Relaxed) {
                let lamp = line.read().and_then(|line| Lamp::of_window(&line, &window));
                if let Some(lamp) = lamp.filter(|lamp| last != Some(*lamp)) {
                    to.lock().expect("the lamps").push((Instant::now(), lamp));
                    last = Some(lamp);
                }
                thread::sleep(STEP);
            }
        });
        Self {
            seen,
            stopped,
            thread: Some(thread),
        }
    }

    /// The lamps so far, one entry a change.
    #[must_use]
    pub fn lamps(&self) -> Vec<Lamp> {
        self.seen
            .lock()
            .expect("the lamps")
            .iter()
            .map(|(_, lamp)| *lamp)
            .collect()
    }

    /// When the lamp last changed to this one.
    #[must_use]
    pub fn last(&self, wanted: Lamp) -> Option<Instant> {
        let seen = self.seen.lock().expect("the lamps");
        seen.iter()
            .rev()
            .find(|(_, lamp)| *lamp == wanted)
            .map(|(at, _)| *at)
    }
}

impl Drop for LampLog {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
