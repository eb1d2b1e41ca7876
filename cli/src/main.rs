//! `tally`: see which of your coding agents waits for you.
//!
//! [`signal`] comes first and alone: an agent waits for it at every step, so nothing of the rest of the program, not
//! even the parser of the command line, is touched on its way.

mod absent;
mod args;
mod bridge;
mod commands;
mod context;
mod dash;
mod failure;
mod follow;
mod nest;
mod output;
mod reference;
mod screens;
mod sight;
mod signal;
mod spot;
mod standings;
mod unrouted;
mod window;

use std::ffi::OsString;
use std::process::ExitCode;

use session_host::clock::{Clock, SystemClock};

fn main() -> ExitCode {
    // The order of signals is the order of these stamps, whatever order they are stored in.
    let at = SystemClock.now();
    let words: Vec<OsString> = std::env::args_os().collect();
    let code = match signal::quick(&words) {
        Some(signal) => signal::run(&signal, at),
        None => commands::run(&words, at),
    };
    ExitCode::from(code)
}
