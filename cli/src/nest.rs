//! Multiplexers in panes of others: which pane a client's own terminal is.

use std::cell::OnceCell;

use session_core::{PaneKey, ServerView};
use session_host::identity::{host_pane, may_be_hosted};

use crate::context::Context;
use crate::sight::Sight;

/// No multiplexers are nested this deep.
pub(crate) const DEEPEST: usize = 8;

/// The servers in whose panes clients of others may run.
pub(crate) struct Nest<'n> {
    known: &'n [ServerView],
    context: &'n Context,
    seen: OnceCell<Sight>,
}

impl<'n> Nest<'n> {
    /// With the servers that are known; all of them are looked at when that is not enough.
    pub(crate) const fn new(known: &'n [ServerView], context: &'n Context) -> Self {
        Self {
            known,
            context,
            seen: OnceCell::new(),
        }
    }

    /// The pane that a client's process runs in.
    pub(crate) fn host(&self, client: u32) -> Option<PaneKey> {
        let processes = &self.context.processes;
        host_pane(processes, self.known, client).or_else(|| {
            if !may_be_hosted(processes, client) {
                return None;
            }
            let seen = self.seen.get_or_init(|| Sight::now(self.context));
            host_pane(processes, seen.fresh().views, client)
        })
    }
}
