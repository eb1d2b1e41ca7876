//! What is told to the daemon, and what was told already.

use std::collections::BTreeMap;

use session_core::wire::{Focus, Go, Hello, Layout as Facts, PaneFact, TabFact, Up};
use session_core::{Exit, PaneId};

use super::host::{Command, Focused, Host, Ids};
use crate::layout::Layout;

/// The most panes whose process is asked for at once: each is a question to zellij that waits for an answer.
const PIDS_AT_ONCE: usize = 8;

/// Tells the daemon what changed, through the up pipe.
#[derive(Clone, Debug, Default)]
pub(super) struct Reporter {
    pipe: Option<String>,
    seq: u64,
    session: Option<String>,
    focus: Option<Focused>,
    layout: Option<Facts>,
    answered: Option<u64>,
    pids: BTreeMap<PaneId, Option<u32>>,
}

impl Reporter {
    /// Uses another pipe; whoever reads it has heard nothing yet.
    pub(super) fn follow(&mut self, pipe: &str) {
        if self.pipe.as_deref() != Some(pipe) {
            *self = Self {
                pipe: Some(pipe.to_owned()),
                seq: self.seq,
                answered: self.answered,
                pids: std::mem::take(&mut self.pids),
                ..Self::default()
            };
        }
    }

    /// Others may have told the daemon something since: all that changes counts as news again.
    pub(super) fn forget(&mut self) {
        self.focus = None;
        self.layout = None;
    }

    /// Whether anybody can be told.
    pub(super) const fn is_heard(&self) -> bool {
        self.pipe.is_some()
    }

    /// Introduces the instance, once a pipe and a session's name.
    pub(super) fn hello(&self, session: &str, version: &str, host: &dyn Host) -> Option<Hello> {
        let pipe = self.pipe.clone()?;
        if self.session.as_deref() == Some(session) {
            return None;
        }
        Some(Hello {
            zellij: version.to_owned(),
            session: session.to_owned(),
            pipe,
            tmpdir: host.variable("TMPDIR"),
        })
    }

    /// Where the client is, if that is news or was asked for.
    pub(super) fn focus(&self, focused: Focused, asked: bool) -> Option<Focus> {
        let news = asked || self.focus != Some(focused);
        news.then_some(Focus {
            tab: focused.tab,
            pane: focused.pane,
        })
    }

    /// Tabs and panes, if they are news.
    pub(super) fn layout(&mut self, layout: &Layout, host: &dyn Host) -> Option<Facts> {
        if layout.tabs.is_empty() || !layout.is_whole() {
            return None;
        }
        self.ask_for_pids(layout, host);
        let facts = facts(layout, &self.pids);
        (self.layout.as_ref() != Some(&facts)).then_some(facts)
    }

    fn ask_for_pids(&mut self, layout: &Layout, host: &dyn Host) {
        self.pids.retain(|id, _| layout.pane(*id).is_some());
        let lacking: Vec<PaneId> = self.lacking(layout).take(PIDS_AT_ONCE).collect();
        for id in lacking {
            self.pids.insert(id, host.pane_pid(id));
        }
    }

    /// Panes whose process has not been asked for.
    fn lacking<'l>(&'l self, layout: &'l Layout) -> impl Iterator<Item = PaneId> + 'l {
        let alive = layout.panes.iter().filter(|pane| !pane.exited);
        alive
            .map(|pane| pane.id)
            .filter(|id| !self.pids.contains_key(id))
    }

    /// Whether some processes are still to be asked for.
    pub(super) fn lacks_pids(&self, layout: &Layout) -> bool {
        self.is_heard() && self.lacking(layout).next().is_some()
    }

    /// Whether the question with this number is still to be answered.
    pub(super) fn is_asked(&self, ask: Option<u64>) -> bool {
        ask.is_some() && ask != self.answered
    }

    /// Sends a line, and remembers what it said.
    pub(super) fn send(&mut self, fill: impl FnOnce(&mut Up), ids: Ids, host: &dyn Host) {
        let Some(pipe) = self.pipe.clone() else {
            return;
        };
        let mut up = Up::from(ids.server_pid, ids.client, ids.plugin, self.seq + 1);
        let empty = up.clone();
        fill(&mut up);
        if up == empty {
            return;
        }
        self.seq += 1;
        if let Some(hello) = &up.hello {
            self.session = Some(hello.session.clone());
        }
        if let Some(focus) = up.focus {
            self.focus = Some(Focused {
                tab: focus.tab,
                pane: focus.pane,
            });
        }
        if up.absent {
            self.focus = None;
        }
        if let Some(layout) = &up.layout {
            self.layout = Some(layout.clone());
        }
        if up.re.is_some() {
            self.answered = up.re;
        }
        if let Ok(mut line) = up.line() {
            line.push('\n');
            host.run(Command::Print { pipe, line });
        }
    }

    /// Passes the person's wish to go somewhere on to the daemon.
    pub(super) fn go(&mut self, go: Go, ids: Ids, host: &dyn Host) {
        self.send(|up| up.go = Some(go), ids, host);
    }
}

fn facts(layout: &Layout, pids: &BTreeMap<PaneId, Option<u32>>) -> Facts {
    let tabs = layout.tabs.iter().map(|tab| TabFact {
        id: tab.window(),
        position: tab.position,
        name: tab.name.clone(),
    });
    let panes = layout.panes.iter().filter_map(|pane| {
        Some(PaneFact {
            id: pane.id,
            tab: layout.tab(pane.tab)?.window(),
            pid: pids.get(&pane.id).copied().flatten(),
            exited: pane.exited,
            exit: pane.exit_status.filter(|_| pane.exited).map(Exit::Status),
        })
    });
    Facts {
        tabs: tabs.collect(),
        panes: panes.collect(),
    }
}
