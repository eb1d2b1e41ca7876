//! What is known of one session, as the service is told.

use std::sync::Arc;
use std::time::Duration;

use session_core::ServerView;
use session_core::wire::PaneFact;
use session_host::bridge::Seen;
use tokio::task::spawn_blocking;
use tokio::time::Instant;

use super::Follower;
use crate::facts::{About, Facts};
use crate::look::pane_processes;

/// When a pane that is told of no more is looked at again.
const RECHECK: Duration = Duration::from_secs(1);

impl Follower {
    /// What is known: from the plugin while there is one, else from outside, else what there was last.
    pub(super) fn facts(&self) -> Option<Facts> {
        let (told, outside) = (self.told.facts(), self.outside.clone());
        if self.present {
            told.or(outside)
        } else {
            outside.or(told)
        }
    }

    /// Tells the service what the session looks like, if it is news or `again`.
    pub(super) async fn tell(&mut self, again: bool) {
        let Some(facts) = self.facts() else { return };
        let began = self.context.config.clock.now();
        let counted = self.find_processes(&facts, again).await;
        let name = self
            .found
            .name
            .as_ref()
            .unwrap_or(&self.found.server.socket);
        let version = self.told.hello().map(|hello| hello.zellij.clone());
        let version = version
            .or_else(|| Some(self.version?.to_string()))
            .unwrap_or_default();
        let about = About {
            server: &self.found.server,
            name,
            version: &version,
            pids: &self.pids,
        };
        let mut view = facts.view(about);
        self.keep_living(&mut view);
        if counted && self.pids.keys().all(|pane| view.pane(*pane).is_some()) {
            self.covered = began;
        }
        if self.found.name.is_none() {
            // It lives, and nobody can reach it.
            let since = self.view.as_ref().and_then(|view| view.stale_since);
            view.stale_since = since.or_else(|| Some(self.context.config.clock.now()));
        }
        let news = self.view.as_ref() != Some(&view);
        if again {
            self.pace.looked(Instant::now(), news);
        }
        if again || news {
            self.view = Some(view.clone());
            let began = self.covered;
            let _ = self.port.seen.send(Seen::Server { view, began }).await;
        }
    }

    /// Keeps the panes that are told of no more while their processes live: while tabs are moved, what is told has gaps,
    /// and a session that was ended by mistake does not come back. Who really goes is looked at again soon.
    fn keep_living(&mut self, view: &mut ServerView) {
        self.recheck = None;
        let Some(last) = &self.view else { return };
        let processes = self.context.config.processes.as_ref();
        let lives = |pid: u32| {
            let stat = processes.stat(pid);
            stat.is_ok_and(|stat| !stat.zombie && stat.parent == self.found.server.pid)
        };
        let missing = last
            .panes
            .iter()
            .filter(|place| view.pane(place.pane).is_none());
        let kept: Vec<_> = missing
            .filter(|place| place.pid.is_some_and(lives))
            .cloned()
            .collect();
        if !kept.is_empty() {
            self.recheck = Some(Instant::now() + RECHECK);
            view.panes.extend(kept);
            view.panes.sort_by_key(|place| place.pane);
        }
    }

    /// Looks for the panes' processes when there are panes without one, or `again`. Returns whether it did.
    async fn find_processes(&mut self, facts: &Facts, again: bool) -> bool {
        let known = |pane: &PaneFact| pane.exited || self.pids.contains_key(&pane.id);
        if !again && facts.layout.panes.iter().all(known) {
            return false;
        }
        let context = Arc::clone(&self.context);
        let server = self.found.server.pid;
        let look = move || pane_processes(context.config.processes.as_ref(), server);
        match spawn_blocking(look).await {
            Ok(pids) => {
                self.pids = pids;
                true
            }
            Err(_) => false,
        }
    }
}
