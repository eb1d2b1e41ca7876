//! What is known of a session, whoever told it: the plugin, the session's metadata file or a list of its panes.

use std::collections::BTreeMap;

use session_core::view::clean;
use session_core::wire::{Layout, PaneFact, TabFact};
use session_core::{
    ClientFact, ClientId, Exit, MuxSessionId, PaneId, PanePlace, ServerId, ServerView,
};

/// More of a name is of no use to anybody.
const LONGEST_NAME: usize = 80;

/// A session's only mux session: the session itself.
const MUX_SESSION: MuxSessionId = MuxSessionId(0);

/// The panes of a session and the people who look at them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) layout: Layout,
    /// The terminal pane that each connected client is in.
    pub(crate) clients: BTreeMap<u16, PaneId>,
}

/// The session that facts are about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About<'a> {
    pub(crate) server: &'a ServerId,
    /// What it is called now.
    pub(crate) name: &'a str,
    pub(crate) version: &'a str,
    /// The processes of its panes, as the process table tells.
    pub(crate) pids: &'a BTreeMap<PaneId, u32>,
}

impl Facts {
    /// The same, as the service sees it. zellij's tabs are windows from here on.
    pub(crate) fn view(&self, about: About<'_>) -> ServerView {
        let name = clean(about.name, LONGEST_NAME);
        let mut panes: Vec<PanePlace> = self
            .layout
            .panes
            .iter()
            .map(|pane| {
                // Panes and tabs are told one after the other: a pane may be in a tab that nobody has told of yet.
                let tab = self.layout.tabs.iter().find(|tab| tab.id == pane.tab);
                self.place(pane, tab, &name, about.pids)
            })
            .collect();
        panes.sort_by_key(|place| place.pane);
        panes.dedup_by_key(|place| place.pane);
        ServerView {
            server: about.server.clone(),
            version: clean(about.version, LONGEST_NAME),
            clients: self.clients(&panes),
            panes,
            stale_since: None,
        }
    }

    fn place(
        &self,
        pane: &PaneFact,
        tab: Option<&TabFact>,
        session: &str,
        pids: &BTreeMap<PaneId, u32>,
    ) -> PanePlace {
        PanePlace {
            pane: pane.id,
            pid: pids.get(&pane.id).copied().or(pane.pid),
            // zellij tells no signals: a process without a status was ended by one.
            dead: pane.exited.then(|| pane.exit.unwrap_or(Exit::Signal(0))),
            window: pane.tab,
            window_name: tab
                .map(|tab| clean(&tab.name, LONGEST_NAME))
                .unwrap_or_default(),
            window_index: tab.map_or(0, |tab| tab.position),
            mux_sessions: vec![(MUX_SESSION, session.to_owned())],
            active: self.clients.values().any(|focus| *focus == pane.id),
            command: None,
            cwd: None,
        }
    }

    /// zellij does not tell whether a client's terminal has the focus of its desktop, so each one counts.
    fn clients(&self, panes: &[PanePlace]) -> Vec<ClientFact> {
        let there = |pane: &PaneId| panes.iter().any(|place| place.pane == *pane);
        let clients = self.clients.iter().filter(|(_, pane)| there(pane));
        clients
            .map(|(client, pane)| ClientFact {
                client: ClientId(client.to_string()),
                pane: *pane,
                focused: true,
            })
            .collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use session_core::{Mux, WindowId};

    use super::*;

    pub(crate) fn server() -> ServerId {
        ServerId {
            mux: Mux::Zellij,
            socket: "first".into(),
            pid: 7,
            started: 70,
        }
    }

    pub(crate) fn tab(id: u32, position: u32, name: &str) -> TabFact {
        TabFact {
            id: WindowId(id),
            position,
            name: name.into(),
        }
    }

    pub(crate) fn pane(id: u32, tab: u32) -> PaneFact {
        PaneFact {
            id: PaneId(id),
            tab: WindowId(tab),
            pid: None,
            exited: false,
            exit: None,
        }
    }

    fn view(facts: &Facts) -> ServerView {
        let server = server();
        let pids = [(PaneId(1), 100)].into();
        facts.view(About {
            server: &server,
            name: "now",
            version: "0.45.1",
            pids: &pids,
        })
    }

    #[test]
    fn a_tab_is_a_window_and_the_session_is_its_only_mux_session() {
        let facts = Facts {
            layout: Layout {
                tabs: vec![tab(4, 0, "co\tde"), tab(2, 1, "docs")],
                panes: vec![pane(3, 2), pane(1, 4)],
            },
            clients: [(1, PaneId(3))].into(),
        };
        let view = view(&facts);
        let places: Vec<_> = view
            .panes
            .iter()
            .map(|place| {
                (
                    place.pane.0,
                    place.window.0,
                    place.window_index,
                    place.window_name.as_str(),
                    place.active,
                )
            })
            .collect();
        assert_eq!(places, [(1, 4, 0, "co de", false), (3, 2, 1, "docs", true)]);
        assert_eq!(
            view.panes[0].mux_sessions,
            [(MUX_SESSION, "now".to_owned())]
        );
        assert_eq!((view.panes[0].pid, view.panes[1].pid), (Some(100), None));
        assert!(view.viewed(PaneId(3)) && !view.viewed(PaneId(1)));
    }

    #[test]
    fn a_client_in_a_pane_that_is_not_there_looks_at_nothing() {
        let layout = Layout {
            tabs: vec![tab(0, 0, "a")],
            panes: vec![pane(1, 0)],
        };
        let facts = Facts {
            layout,
            clients: [(1, PaneId(9)), (2, PaneId(1))].into(),
        };
        let clients: Vec<_> = view(&facts)
            .clients
            .into_iter()
            .map(|fact| fact.client.0)
            .collect();
        assert_eq!(clients, ["2"]);
    }

    #[test]
    fn a_held_pane_tells_how_its_process_ended() {
        let held = |exit| PaneFact {
            exited: true,
            exit,
            ..pane(1, 0)
        };
        let of = |pane| {
            let layout = Layout {
                tabs: vec![tab(0, 0, "a")],
                panes: vec![pane],
            };
            view(&Facts {
                layout,
                ..Facts::default()
            })
            .panes[0]
                .dead
        };
        assert_eq!(of(pane(1, 0)), None);
        assert_eq!(of(held(Some(Exit::Status(3)))), Some(Exit::Status(3)));
        assert_eq!(of(held(None)), Some(Exit::Signal(0)));
    }
}
