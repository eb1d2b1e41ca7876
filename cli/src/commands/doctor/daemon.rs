//! The daemon, and how it follows the servers.

use session_core::view::clean;
use session_host::service::{ControlError, Status};

use super::finding::Finding;
use crate::commands::up::{log_file, running};
use crate::context::Context;

/// The longest path that is told.
const NAME: usize = 120;

/// The daemon, and the servers that it cannot follow as it should.
pub(super) fn daemon(context: &Context) -> Vec<Finding> {
    let running = running(&context.paths);
    let polled: Vec<Finding> = match &running {
        Ok(status) => status.polled.iter().map(|socket| polled(socket)).collect(),
        Err(_) => Vec::new(),
    };
    let mut findings = vec![how(running, context)];
    findings.extend(polled);
    findings
}

/// A server that sends followers away (case H4).
fn polled(socket: &str) -> Finding {
    Finding::warning(
        format!("tmux server {}", clean(socket, NAME)),
        "sends every follower away at once, so that the daemon only looks at it every few seconds",
    )
    .expected("a follower that stays until something changes: lamps are late by some seconds")
    .repair("nothing: it is tried again after half a minute, and less and less often; if that lasts, restart the server when you can")
}

fn how(running: Result<Status, ControlError>, context: &Context) -> Finding {
    match running {
        Ok(status) if status.version != env!("CARGO_PKG_VERSION") => Finding::warning(
            "daemon",
            format!("version {} runs (pid {})", status.version, status.pid),
        )
        .expected(format!(
            "version {}, as this program",
            env!("CARGO_PKG_VERSION")
        ))
        .repair("tally down; tally up"),
        Ok(status) => Finding::ok("daemon", format!("runs (pid {})", status.pid)),
        Err(ControlError::NotRunning) => Finding::warning("daemon", "does not run")
            .expected("a daemon: signals are stored without it, and no lamp shows them")
            .repair("tally up"),
        Err(ControlError::RuntimeDir(_)) => Finding::warning(
            "daemon",
            "cannot run, nor be asked, with such a runtime folder",
        )
        .repair("repair the runtime folder first"),
        Err(error @ ControlError::Elsewhere { .. }) => {
            Finding::warning("daemon", error.to_string())
        }
        Err(ref error @ ControlError::Silent { pid: Some(pid), .. }) => {
            Finding::warning("daemon", error.to_string())
                .expected("an answer: until then lamps stay as they are")
                .repair(format!(
                    "ps -o stat= -p {pid} tells: T is stopped, and kill -CONT {pid} lets it go on; what hangs for good \
                     must be ended. Its log is {}",
                    log_file(&context.paths).display()
                ))
        }
        Err(error) => Finding::warning("daemon", error.to_string()).repair(format!(
            "tally down; tally up. Its log is {}",
            log_file(&context.paths).display()
        )),
    }
}
