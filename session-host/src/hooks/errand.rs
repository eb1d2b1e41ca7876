//! Runs the commands of one errand: the work of `tally __hook`.

use std::path::Path;
use std::time::Duration;

use session_core::Time;
use session_core::happening::variables;

use super::command::{Limits, run};
use crate::clock::Clock;
use crate::env::Env;
use crate::paths::Paths;
use crate::store::{Errand, Fate, Store, StoreError};

/// How long the store may be held by others.
const WAIT: Duration = Duration::from_secs(10);
/// How much longer than its deadlines an errand may take before it counts as lost, in milliseconds.
const SLACK_MS: u64 = 15_000;

/// How long an errand may take at most, in milliseconds.
#[must_use]
pub fn longest(errand: &Errand) -> i64 {
    let commands = errand.commands.iter();
    let all = commands.fold(SLACK_MS, |all, command| {
        all.saturating_add(command.timeout_ms)
            .saturating_add(SLACK_MS)
    });
    i64::try_from(all).unwrap_or(i64::MAX / 2000)
}

/// Takes an errand out of the queue and runs its commands in order; one that fails does not stop the others. Nothing
/// happens when somebody else has taken it.
///
/// # Errors
/// When the store cannot be used.
pub fn run_errand(seq: u64, paths: &Paths, env: &Env, clock: &dyn Clock) -> Result<(), StoreError> {
    let mut store = Store::open_writing(paths, WAIT)?;
    let now = clock.now();
    let until = |errand: &Errand| now.plus_ms(longest(errand));
    let Some(errand) = store.write(now, |transaction| transaction.begin_errand(seq, until))? else {
        return Ok(());
    };
    let (happening, event) = (&errand.happening, errand.happening.event);
    let variables = variables(happening, seq);
    let folder = Some(happening.place.folder.as_str()).filter(|folder| !folder.is_empty());
    for command in &errand.commands {
        let begun: Time = clock.now();
        let limits = Limits {
            timeout: Duration::from_millis(command.timeout_ms),
            folder: folder.map(Path::new),
        };
        let ran = run(&command.run, &variables, env, limits);
        match ran.error() {
            None => {
                tracing::debug!(target: "hooks", %event, seq, ms = ran.ms, command = command.run, "hook ran");
            }
            Some(error) => {
                tracing::warn!(target: "hooks", %event, seq, ms = ran.ms, command = command.run, error, "hook failed");
            }
        }
        let error = ran.error();
        store.write(clock.now(), |transaction| {
            transaction.record_run(
                event,
                &command.run,
                begun,
                ran.exit,
                ran.ms,
                error.as_deref(),
            )
        })?;
    }
    store.write(clock.now(), |transaction| {
        transaction.end_errand(seq, Fate::Done)
    })
}
