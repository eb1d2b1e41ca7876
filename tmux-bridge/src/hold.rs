//! The guard process of a follower in control mode: `tally __hold -- tmux …`.
//!
//! From tmux 3.4 on an unattached control client does not notice that whoever started it has died; it would stay, and
//! keep the server from exiting (facts §4.1). The guard notices for it: its own standard input is a pipe from the
//! daemon, and when that ends it kills and reaps the client. This needs no signal that only one system has, and no
//! unsafe code.

use std::ffi::OsString;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

/// The exit status when the command could not be started.
const NOT_STARTED: u8 = 127;

/// Runs the command until it ends or standard input does, then kills and reaps it; returns an exit status.
///
/// The command gets a standard input that never ends, and writes to our standard output.
#[must_use]
pub fn run(command: &[OsString]) -> u8 {
    run_until(command, std::io::stdin())
}

fn run_until(command: &[OsString], mut input: impl Read + Send + 'static) -> u8 {
    let Some((program, arguments)) = command.split_first() else { return NOT_STARTED };
    let Ok(mut child) = Command::new(program).args(arguments).stdin(Stdio::piped()).spawn() else {
        return NOT_STARTED;
    };
    let reaped = Arc::new(Mutex::new(false));
    if let Some(pid) = pid(&child) {
        let reaped = Arc::clone(&reaped);
        std::thread::spawn(move || {
            // Whatever comes is of no interest, only the end.
            let _ = std::io::copy(&mut input, &mut std::io::sink());
            // While it is not reaped the number cannot be another process's.
            let reaped = reaped.lock().unwrap_or_else(PoisonError::into_inner);
            if !*reaped {
                let _ = kill_process(pid, Signal::KILL);
            }
        });
        let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    }
    *reaped.lock().unwrap_or_else(PoisonError::into_inner) = true;
    // It has ended already, and the standard input that `wait` closes was the last thing to hold on to.
    let status = child.wait().ok().and_then(|status| status.code());
    status.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn shell(script: &str) -> Vec<OsString> {
        ["sh", "-c", script].map(OsString::from).to_vec()
    }

    #[test]
    fn the_end_of_the_input_is_the_end_of_the_command() {
        let begun = Instant::now();
        assert_eq!(run_until(&shell("exec sleep 60"), std::io::empty()), 1);
        assert!(begun.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn the_end_of_the_command_is_passed_on() {
        let (never, _writer) = std::io::pipe().unwrap();
        assert_eq!(run_until(&shell("exit 7"), never), 7);
        assert_eq!(run_until(&[OsString::from("/nonexistent")], std::io::empty()), NOT_STARTED);
        assert_eq!(run_until(&[], std::io::empty()), NOT_STARTED);
    }

    #[test]
    fn the_input_of_the_command_stays_open() {
        let (never, _writer) = std::io::pipe().unwrap();
        assert_eq!(run_until(&shell("timeout 0.3 cat; exit $?"), never), 124);
    }
}
