//! Ends the pipes that an earlier daemon left behind when it was killed. The up pipe of one goes on asking for its dead
//! reader as fast as it can (case H4).

use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use session_core::wire::Flavour;
use session_host::env::Env;
use session_host::process::ProcessTable;

use crate::discover::{same_store, zellij_processes};

/// How long a pipe down that has lost its daemon may take to end by itself. It tells the plugin so, whose bar then says
/// that the daemon is away; one that is killed tells nothing, and the bar goes on to show the past.
const LAST_WORD: Duration = Duration::from_secs(1);
/// The pause between two looks at it.
const PAUSE: Duration = Duration::from_millis(20);

/// Ends every pipe of ours: while no daemon runs, or before one has begun, none of them is of use. Blocking, for a second
/// at most.
pub fn clear(flavour: Flavour, env: &Env, processes: &dyn ProcessTable) {
    let ours = |name: &str| -> Vec<u32> {
        let mut pids = zellij_processes();
        pids.retain(|pid| {
            is_pipe(&processes.argv(*pid), name) && same_store(env, processes, *pid) == Some(true)
        });
        pids
    };
    ours(flavour.up()).into_iter().for_each(end);
    let down = ours(flavour.down());
    let is_left = |pid: &u32| processes.stat(*pid).is_ok_and(|stat| !stat.zombie);
    let begun = Instant::now();
    while down.iter().any(is_left) && begun.elapsed() < LAST_WORD {
        sleep(PAUSE);
    }
    down.into_iter().filter(is_left).for_each(end);
}

fn end(pid: u32) {
    tracing::info!(pid, "ending a pipe that was left behind");
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn is_pipe(argv: &[String], name: &str) -> bool {
    argv.windows(3).any(|words| match words {
        [verb, option, told] => verb == "pipe" && option == "--name" && told == name,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pipes_of_ours_are_known() {
        let is_ours = |line: &str| {
            let argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
            [Flavour::Release.up(), Flavour::Release.down()]
                .iter()
                .any(|name| is_pipe(&argv, name))
        };
        assert!(is_ours(
            "/usr/bin/zellij -s work pipe --name tally:up -- hello"
        ));
        assert!(is_ours("zellij -s work pipe --name tally:down"));
        assert!(!is_ours("zellij -s work pipe --name tally-dev:down"));
        assert!(!is_ours("zellij -s work pipe --name zjstatus"));
        assert!(!is_ours("zellij -s tally:up action list-clients"));
    }
}
