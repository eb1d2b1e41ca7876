//! `tally down`.

use std::thread::sleep;
use std::time::{Duration, Instant};

use session_host::service::{ControlError, Request, ask};

use crate::commands::up::{ANSWER, running};
use crate::context::Context;
use crate::failure::{Failure, exit};

/// How long the daemon may take to put the lamps out.
const PATIENCE: Duration = Duration::from_secs(10);

/// Stops the daemon; that none runs is fine. Ends with status 1 when it does not stop.
pub(crate) fn run(context: &Context) -> anyhow::Result<u8> {
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
        if matches!(running(&context.paths), Err(ControlError::NotRunning)) {
            return Ok(exit::OK);
        }
        sleep(Duration::from_millis(10));
    }
    Err(Failure::failed("the daemon was told to stop and has not").into())
}
