//! `tally __hold`: the guard of a follower (see `tmux_bridge::hold`).

use std::ffi::OsString;

/// Runs the command until it or standard input ends.
pub(crate) fn run(command: &[OsString]) -> u8 {
    tmux_bridge::hold::run(command)
}
