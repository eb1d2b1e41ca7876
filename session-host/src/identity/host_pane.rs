//! The pane that another program's terminal is: a client of one multiplexer in a pane of another.

use session_core::{PaneKey, ServerView};

use crate::process::{ProcessStat, ProcessTable};

/// No process is this deep.
const MAX_DEPTH: usize = 256;

/// The innermost known pane that a process runs in. `None` for one outside all of them, as a terminal window is, and
/// for one that cannot be looked at.
#[must_use]
pub fn host_pane(
    table: &dyn ProcessTable,
    servers: &[ServerView],
    process: u32,
) -> Option<PaneKey> {
    line(table, process).find_map(|stat| {
        servers.iter().find_map(|view| {
            let mut panes = view.panes.iter();
            let place = panes.find(|place| place.pid == Some(stat.pid))?;
            Some(PaneKey {
                server: view.server.clone(),
                pane: place.pane,
            })
        })
    })
}

/// Whether a process descends from a multiplexer's, and so may run in a pane of a server that nobody has looked at.
#[must_use]
pub fn may_be_hosted(table: &dyn ProcessTable, process: u32) -> bool {
    let is_multiplexer = |stat: &ProcessStat| {
        let names = ["tmux", "zellij"];
        names.iter().any(|name| stat.comm.starts_with(name))
    };
    line(table, process)
        .skip(1)
        .any(|stat| is_multiplexer(&stat))
}

/// A process and its ancestors, nearest first.
fn line(table: &dyn ProcessTable, process: u32) -> impl Iterator<Item = ProcessStat> {
    let first = table.stat(process).ok();
    std::iter::successors(first, |stat| {
        let parent = stat.parent;
        (parent > 1).then(|| table.stat(parent).ok())?
    })
    .take(MAX_DEPTH)
}

#[cfg(test)]
mod tests {
    use session_core::{Mux, MuxSessionId, PaneId, PanePlace, ServerId, WindowId};

    use super::*;
    use crate::process::FakeProcesses;

    fn server(pid: u32, panes: &[(u32, u32)]) -> ServerView {
        let place = |(pane, pid): &(u32, u32)| PanePlace {
            pane: PaneId(*pane),
            pid: Some(*pid),
            dead: None,
            window: WindowId(0),
            window_name: String::new(),
            window_index: 0,
            mux_sessions: vec![(MuxSessionId(0), String::new())],
            active: true,
            command: None,
            cwd: None,
        };
        ServerView {
            server: ServerId {
                mux: Mux::Tmux,
                socket: format!("/{pid}"),
                pid,
                started: 1,
            },
            version: String::new(),
            panes: panes.iter().map(place).collect(),
            clients: Vec::new(),
            stale_since: None,
        }
    }

    #[test]
    fn a_client_in_a_pane_of_another_server_is_hosted_by_that_pane() {
        let table = FakeProcesses::default()
            .with(10, 1, "tmux")
            .with(11, 10, "-zsh")
            .with(12, 11, "tmux attach")
            .with(30, 1, "xterm")
            .with(31, 30, "tmux attach");
        let servers = [server(20, &[(0, 21)]), server(10, &[(0, 9), (7, 11)])];
        let host = |pid| host_pane(&table, &servers, pid).map(|key| (key.server.pid, key.pane.0));
        assert_eq!(host(12), Some((10, 7)));
        assert_eq!(
            host(11),
            Some((10, 7)),
            "a pane whose own process is the client"
        );
        assert_eq!(host(31), None, "in a window of its own");
        assert_eq!(host(99), None, "gone");
        assert!(may_be_hosted(&table, 12) && may_be_hosted(&table, 11));
        assert!(!may_be_hosted(&table, 31) && !may_be_hosted(&table, 99));
    }
}
