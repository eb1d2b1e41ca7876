//! Waiting for a store that another process holds, up to a deadline.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::error::StoreError;

/// The first pause, and how much longer each further one is. A writer holds the store for about 0.1 ms.
const STEP: Duration = Duration::from_micros(150);
/// The longest pause.
const LONGEST: Duration = Duration::from_millis(3);

/// The deadline of the running operation, shared with SQLite's busy handler.
#[derive(Clone, Debug)]
pub(super) struct Deadline(Arc<Mutex<Instant>>);

impl Deadline {
    /// A deadline `wait` from now.
    pub(super) fn after(wait: Duration) -> Self {
        Self(Arc::new(Mutex::new(Instant::now() + wait)))
    }

    /// Moves it to `wait` from now.
    pub(super) fn set(&self, wait: Duration) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + wait;
    }

    /// The time that is left.
    pub(super) fn left(&self) -> Duration {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .saturating_duration_since(Instant::now())
    }

    /// Lets a connection wait until then.
    pub(super) fn install(&self, connection: &mut Connection) -> Result<(), StoreError> {
        let deadline = self.clone();
        let mut noise = std::process::id();
        let again = move |attempt: i32| {
            let left = deadline.left();
            if left.is_zero() {
                return false;
            }
            let pause = STEP
                .saturating_mul(u32::try_from(attempt).unwrap_or(0).saturating_add(1))
                .min(LONGEST);
            // Up to half as long again, so that writers who met once do not meet again.
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            std::thread::sleep((pause + pause * (noise >> 24) / 512).min(left));
            true
        };
        Ok(connection.busy_handler(Some(again))?)
    }
}
