//! `tally down`.

use std::thread::sleep;
use std::time::{Duration, Instant};

use session_host::process::ProcessTable as _;
use session_host::service::{ControlError, Request, Status, ask};

use crate::commands::up::{ANSWER, log_file, running};
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::output::counted;

/// How long the daemon may take to put the lamps out.
const PATIENCE: Duration = Duration::from_secs(10);

/// Stops the daemon; that none runs is fine. Ends with status 1 when it does not stop.
pub(crate) fn run(context: &Context) -> anyhow::Result<u8> {
    // Only for telling which one it was: one that does not say how it is may stop all the same.
    let before = running(&context.paths).ok();
    match ask(&context.paths, Request::Stop, ANSWER) {
        Ok(_) => {}
        Err(ControlError::NotRunning) => {
            context.out.note("No daemon is running.");
            return Ok(exit::OK);
        }
        Err(error) => return Err(error.into()),
    }
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let hung_up = matches!(running(&context.paths), Err(ControlError::NotRunning));
        // It hangs up first and then waits for multiplexers that do not answer.
        let ended = |status: &Status| match context.processes.stat(status.pid) {
            Ok(process) => process.zombie,
            Err(_) => true,
        };
        if hung_up && before.as_ref().is_none_or(ended) {
            context.out.note(&stopped(before.as_ref()));
            return Ok(exit::OK);
        }
        sleep(Duration::from_millis(10));
    }
    let which = before.map_or_else(String::new, |status| format!(" (pid {})", status.pid));
    Err(Failure::failed(format!(
        "the daemon{which} was told to stop and still runs after {} s",
        PATIENCE.as_secs()
    ))
    .hint(format!(
        "Its log is {}.",
        log_file(&context.paths).display()
    ))
    .into())
}

fn stopped(before: Option<&Status>) -> String {
    let Some(status) = before else {
        return "The daemon has stopped; lamps are out.".to_owned();
    };
    let lamps = match status.servers {
        0 => String::new(),
        servers => format!("; lamps are out on {}", counted(servers, "server")),
    };
    format!("The daemon has stopped (pid {}){lamps}.", status.pid)
}
