//! Waiting for a condition: the only place of the harness that sleeps.

use std::thread;
use std::time::{Duration, Instant};

/// How long a test waits for a state before it gives up. Generous, because a loaded two-core
/// machine may start an agent in ten seconds; a passing test never waits this long.
pub const LIMIT: Duration = Duration::from_secs(60);

/// The pause between two looks at a condition.
const STEP: Duration = Duration::from_millis(20);

/// Calls `probe` until it gives a value, and returns that value.
///
/// # Panics
///
/// When `limit` has passed, with `what` was awaited and what `shown` says is there instead.
pub fn wait_until<T>(
    what: &str,
    limit: Duration,
    probe: impl FnMut() -> Option<T>,
    shown: impl FnOnce() -> String,
) -> T {
    poll(limit, probe).unwrap_or_else(|| {
        panic!(
            "waited {limit:?} for {what}; instead there is:\n{}",
            shown()
        )
    })
}

/// Calls `probe` until it gives a value, or gives up after `limit`.
pub fn poll<T>(limit: Duration, mut probe: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        if let Some(value) = probe() {
            return Some(value);
        }
        if start.elapsed() > limit {
            return None;
        }
        thread::sleep(STEP);
    }
}

/// Waits until `holds` has held without a break for `span`.
///
/// # Panics
///
/// As [`wait_until`] does, after [`LIMIT`].
pub fn wait_until_steady(
    what: &str,
    span: Duration,
    mut holds: impl FnMut() -> bool,
    shown: impl FnOnce() -> String,
) {
    let mut since = None;
    let steady = || {
        since = if holds() {
            since.or_else(|| Some(Instant::now()))
        } else {
            None
        };
        since
            .is_some_and(|since| since.elapsed() >= span)
            .then_some(())
    };
    wait_until(what, LIMIT, steady, shown);
}

/// Watches `look` for the whole of `span` and returns the first answer that `bad` objects to.
/// For what must *not* happen, such as a lamp that must not flash.
pub fn watch_for<T>(
    span: Duration,
    mut look: impl FnMut() -> T,
    bad: impl Fn(&T) -> bool,
) -> Option<T> {
    poll(span, || Some(look()).filter(|seen| bad(seen)))
}
