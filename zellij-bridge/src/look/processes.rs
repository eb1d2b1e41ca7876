//! The processes of a session's panes: the server's children, each of which was told its pane.

use std::collections::BTreeMap;

use session_core::PaneId;
use session_host::process::ProcessTable;

/// The process of each terminal pane. Of several that were told the same pane, the newest: a held pane was run again.
pub(crate) fn pane_processes(table: &dyn ProcessTable, server_pid: u32) -> BTreeMap<PaneId, u32> {
    let mut newest: BTreeMap<PaneId, (u64, u32)> = BTreeMap::new();
    for pid in table.children(server_pid) {
        let Ok(stat) = table.stat(pid) else { continue };
        let pane = table
            .variable(pid, "ZELLIJ_PANE_ID")
            .and_then(|id| id.parse().ok());
        let Some(pane) = pane.filter(|_| !stat.zombie).map(PaneId) else {
            continue;
        };
        let this = (stat.started, pid);
        newest
            .entry(pane)
            .and_modify(|known| *known = this.max(*known))
            .or_insert(this);
    }
    newest
        .into_iter()
        .map(|(pane, (_, pid))| (pane, pid))
        .collect()
}

#[cfg(test)]
mod tests {
    use session_host::process::FakeProcesses;

    use super::*;

    #[test]
    fn the_servers_children_are_matched_by_the_pane_they_were_told() {
        let table = FakeProcesses::default()
            .with(10, 1, "zellij --server /x/contract_version_1/work")
            .with(20, 10, "bash")
            .variable(20, "ZELLIJ_PANE_ID", "0")
            .with(30, 10, "claude")
            .variable(30, "ZELLIJ_PANE_ID", "4")
            .with(31, 10, "claude")
            .variable(31, "ZELLIJ_PANE_ID", "4")
            .with(40, 10, "a-helper")
            .with(50, 20, "child-of-a-pane")
            .variable(50, "ZELLIJ_PANE_ID", "0");
        let panes = pane_processes(&table, 10);
        assert_eq!(panes, [(PaneId(0), 20), (PaneId(4), 31)].into());
    }
}
