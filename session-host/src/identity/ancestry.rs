//! The ancestors of the reporting process.

use session_core::ProcessRef;

use super::claim::Claim;
use crate::process::{ProcessStat, ProcessTable, zellij_socket};

/// No process is this deep.
const MAX_DEPTH: usize = 256;

/// Where the walk up the parents ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At the claimed tmux server, which is the last of the ancestors.
    Tmux,
    /// At a zellij server, which is the last of the ancestors.
    Zellij,
    /// At the top, without meeting a server that was claimed.
    Top,
    /// At a process that cannot be looked at; at once, where the table cannot be read.
    Broken,
}

/// The ancestors, nearest first, up to the innermost claimed server.
#[derive(Clone, Debug)]
pub struct Ancestry {
    /// This process.
    pub own: u32,
    /// Its parent, and so on.
    pub above: Vec<ProcessStat>,
    /// Where it ended.
    pub end: End,
}

impl Ancestry {
    /// Walks up from this process, and no further than needed.
    #[must_use]
    pub fn walk(table: &dyn ProcessTable, claim: &Claim) -> Self {
        let own = table.own_pid();
        let mut above: Vec<ProcessStat> = Vec::with_capacity(8);
        let mut next = table.stat(own).map(|stat| stat.parent);
        let end = loop {
            let Ok(pid) = next else { break End::Broken };
            if pid == 0 || above.len() >= MAX_DEPTH {
                break End::Top;
            }
            let Ok(stat) = table.stat(pid) else {
                break End::Broken;
            };
            next = Ok(stat.parent);
            // Any number can be claimed, also that of a process that everybody descends from.
            let is_tmux = stat.comm.contains("tmux");
            above.push(stat);
            if claim
                .tmux
                .as_ref()
                .is_some_and(|tmux| tmux.server_pid == pid && is_tmux)
            {
                break End::Tmux;
            }
            if claim.zellij.is_some() && is_zellij_server(table, above.last()) {
                break End::Zellij;
            }
        };
        Self { own, above, end }
    }

    /// The process that the server started in the pane: the one just below the server, which may be this one.
    #[must_use]
    pub fn pane_process(&self) -> Option<u32> {
        match self.end {
            End::Tmux | End::Zellij => {
                let below = self
                    .above
                    .len()
                    .checked_sub(2)
                    .and_then(|index| self.above.get(index));
                Some(below.map_or(self.own, |stat| stat.pid))
            }
            End::Top | End::Broken => None,
        }
    }

    /// The server, where the walk ended at one.
    #[must_use]
    pub fn server(&self) -> Option<&ProcessStat> {
        matches!(self.end, End::Tmux | End::Zellij).then(|| self.above.last())?
    }

    /// The ancestors below the server.
    #[must_use]
    pub fn below_server(&self) -> &[ProcessStat] {
        match (self.server(), self.above.split_last()) {
            (Some(_), Some((_, below))) => below,
            _ => &self.above,
        }
    }

    /// All of them, by process id and start time.
    #[must_use]
    pub fn references(&self) -> Vec<ProcessRef> {
        self.above.iter().map(ProcessStat::reference).collect()
    }
}

/// Whether the process serves a zellij session.
fn is_zellij_server(table: &dyn ProcessTable, stat: Option<&ProcessStat>) -> bool {
    stat.is_some_and(|stat| {
        // Its command line is read only when its name promises something.
        stat.comm.starts_with("zellij")
            && zellij_socket(&stat.comm, &table.argv(stat.pid)).is_some()
    })
}
