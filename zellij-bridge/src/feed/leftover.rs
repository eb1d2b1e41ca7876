//! Ends the pipes that an earlier daemon left behind when it was killed. The up pipe of one goes on asking for its dead
//! reader as fast as it can (case H4).

use rustix::process::{Pid, Signal, kill_process};
use session_core::wire::Flavour;
use session_host::env::Env;
use session_host::process::ProcessTable;

use crate::discover::{same_store, zellij_processes};

/// Ends every pipe of ours: while no daemon runs, or before one has begun, none of them is of use. Blocking.
pub fn clear(flavour: Flavour, env: &Env, processes: &dyn ProcessTable) {
    for pid in zellij_processes() {
        if is_pipe(&processes.argv(pid), flavour) && same_store(env, processes, pid) == Some(true) {
            tracing::info!(pid, "ending a pipe that was left behind");
            if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}

fn is_pipe(argv: &[String], flavour: Flavour) -> bool {
    let names = [flavour.down(), flavour.up()];
    argv.windows(3).any(|words| match words {
        [verb, option, name] => {
            verb == "pipe" && option == "--name" && names.contains(&name.as_str())
        }
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
            is_pipe(&argv, Flavour::Release)
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
