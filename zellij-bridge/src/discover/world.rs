//! Which servers are ours to follow.

use session_host::env::Env;
use session_host::paths::Paths;
use session_host::process::ProcessTable;

/// What decides where a process reports.
const VARIABLES: [&str; 4] = [
    "HOME",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
];

/// Whether a server's environment leads to the same store as ours; one that leads nowhere does not contradict.
///
/// What runs in a session's panes inherits the server's environment, and with it the place where it reports. A server
/// whose environment leads to another store has another daemon, and two daemons must not feed one session. So a
/// Tallylight under test leaves the user's sessions alone, and the other way round.
pub(super) fn is_ours(env: &Env, processes: &dyn ProcessTable, pid: u32) -> bool {
    same_store(env, processes, pid).unwrap_or(true)
}

/// Whether a process's environment leads to the same store as ours; `None` when one of them leads nowhere.
pub(crate) fn same_store(env: &Env, processes: &dyn ProcessTable, pid: u32) -> Option<bool> {
    let told = VARIABLES
        .iter()
        .filter_map(|name| Some((*name, processes.variable(pid, name)?)));
    let ours = Paths::from_env(env).ok()?;
    Some(ours.state == Paths::from_env(&told.collect()).ok()?.state)
}

#[cfg(test)]
mod tests {
    use session_host::process::FakeProcesses;

    use super::*;

    #[test]
    fn a_server_with_another_store_is_not_ours() {
        let env: Env = [("HOME", "/home/a")].into_iter().collect();
        let server = |variables: &[(&str, &str)]| {
            let table = FakeProcesses::default().with(7, 1, "zellij");
            let add =
                |table: FakeProcesses, (name, value): &(&str, &str)| table.variable(7, name, value);
            is_ours(&env, &variables.iter().fold(table, add), 7)
        };
        assert!(server(&[
            ("HOME", "/home/a"),
            ("XDG_CONFIG_HOME", "/elsewhere")
        ]));
        assert!(server(&[]));
        assert!(!server(&[("HOME", "/home/b")]));
        assert!(!server(&[
            ("HOME", "/home/a"),
            ("XDG_STATE_HOME", "/tmp/state")
        ]));
    }
}
