//! What the instances of the plugin in one session have told, put together.
//!
//! There is one instance for each bar and client, and what they tell overlaps: the newest of a kind counts. Where a
//! client is, only its own instances know.

use std::collections::BTreeMap;

use session_core::PaneId;
use session_core::wire::{Go, Hello, Layout, Up};

use crate::facts::Facts;

/// What is new after a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct News {
    /// An instance has introduced itself: it knows nothing yet.
    pub(crate) hello: bool,
    /// Panes, tabs or clients are not as they were.
    pub(crate) facts: bool,
    /// The person wants to go elsewhere.
    pub(crate) go: Option<Go>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    hello: Option<Hello>,
    layout: Option<Layout>,
    clients: BTreeMap<u16, Client>,
    /// The last line of each instance, by client and plugin.
    seqs: BTreeMap<(u16, u32), u64>,
    /// The number of the last question.
    asked: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Client {
    pane: Option<PaneId>,
    /// The question after which it was heard last.
    heard: u64,
}

impl Told {
    /// Takes in a line about the server.
    pub(crate) fn take(&mut self, server_pid: u32, up: Up) -> News {
        let mut news = News::default();
        let seq = self.seqs.entry((up.client, up.plugin)).or_default();
        // An instance that was loaded again counts from the start.
        let is_new = up.hello.is_some() || up.seq > *seq;
        if up.server_pid != server_pid || !is_new {
            return news;
        }
        *seq = up.seq;
        let before = self.facts();
        news.go = up.go;
        if let Some(hello) = up.hello {
            news.hello = true;
            self.hello = Some(hello);
        }
        if let Some(layout) = up.layout {
            self.layout = Some(layout);
        }
        if let Some(layout) = &mut self.layout {
            layout.panes.retain(|pane| !up.closed.contains(&pane.id));
        }
        if up.absent {
            self.clients.remove(&up.client);
        } else if let Some(focus) = up.focus {
            self.clients.insert(
                up.client,
                Client {
                    pane: focus.pane,
                    heard: self.asked,
                },
            );
        } else if let Some(client) = self.clients.get_mut(&up.client) {
            client.heard = self.asked;
        }
        news.facts = self.facts() != before;
        news
    }

    /// The number of the next question: where is each client?
    pub(crate) const fn ask(&mut self) -> u64 {
        self.asked += 1;
        self.asked
    }

    /// Forgets the clients that have not been heard of since the last question. Returns whether there were any.
    pub(crate) fn forget_the_silent(&mut self) -> bool {
        let before = self.clients.len();
        self.clients.retain(|_, client| client.heard >= self.asked);
        self.clients.len() != before
    }

    /// Whether it knows of clients.
    pub(crate) fn has_clients(&self) -> bool {
        !self.clients.is_empty()
    }

    /// How an instance introduced itself last.
    pub(crate) const fn hello(&self) -> Option<&Hello> {
        self.hello.as_ref()
    }

    /// The facts, once an instance has told the layout.
    pub(crate) fn facts(&self) -> Option<Facts> {
        let clients = self.clients.iter();
        Some(Facts {
            layout: self.layout.clone()?,
            clients: clients
                .filter_map(|(client, at)| Some((*client, at.pane?)))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use session_core::WindowId;
    use session_core::wire::Focus;

    use super::*;
    use crate::facts::tests::{pane, tab};

    const SERVER: u32 = 7;

    fn line(client: u16, plugin: u32, seq: u64) -> Up {
        Up::from(SERVER, client, plugin, seq)
    }

    fn hello() -> Option<Hello> {
        Some(Hello {
            zellij: "0.45.1".into(),
            session: "s".into(),
            pipe: "p".into(),
            tmpdir: None,
        })
    }

    fn focus(pane: Option<u32>) -> Option<Focus> {
        Some(Focus {
            tab: WindowId(0),
            pane: pane.map(PaneId),
        })
    }

    fn layout(panes: &[u32]) -> Option<Layout> {
        let panes = panes.iter().map(|id| pane(*id, 0)).collect();
        Some(Layout {
            tabs: vec![tab(0, 0, "a")],
            panes,
        })
    }

    fn clients(told: &Told) -> Vec<(u16, u32)> {
        let facts = told.facts().unwrap();
        facts
            .clients
            .into_iter()
            .map(|(client, pane)| (client, pane.0))
            .collect()
    }

    fn told() -> Told {
        let mut told = Told::default();
        let first = Up {
            hello: hello(),
            layout: layout(&[1, 2]),
            focus: focus(Some(1)),
            ..line(1, 3, 1)
        };
        let news = told.take(SERVER, first);
        assert_eq!(
            news,
            News {
                hello: true,
                facts: true,
                go: None
            }
        );
        told
    }

    #[test]
    fn each_client_is_where_its_own_instances_say() {
        let mut told = told();
        told.take(
            SERVER,
            Up {
                focus: focus(Some(2)),
                ..line(2, 3, 1)
            },
        );
        assert_eq!(clients(&told), [(1, 1), (2, 2)]);
        // Another tab's instance of the same client is newer.
        told.take(
            SERVER,
            Up {
                focus: focus(Some(2)),
                ..line(1, 4, 1)
            },
        );
        assert_eq!(clients(&told), [(1, 2), (2, 2)]);
        // In a plugin's pane nobody looks at a terminal.
        told.take(
            SERVER,
            Up {
                focus: focus(None),
                ..line(1, 4, 2)
            },
        );
        assert_eq!(clients(&told), [(2, 2)]);
    }

    #[test]
    fn a_client_that_has_left_is_gone_when_told_so_or_when_it_does_not_answer() {
        let mut told = told();
        told.take(
            SERVER,
            Up {
                focus: focus(Some(2)),
                ..line(2, 3, 1)
            },
        );
        told.take(
            SERVER,
            Up {
                absent: true,
                ..line(2, 3, 2)
            },
        );
        assert_eq!(clients(&told), [(1, 1)]);

        told.take(
            SERVER,
            Up {
                focus: focus(Some(2)),
                ..line(2, 3, 3)
            },
        );
        let asked = told.ask();
        told.take(
            SERVER,
            Up {
                re: Some(asked),
                focus: focus(Some(2)),
                ..line(2, 3, 4)
            },
        );
        assert!(told.forget_the_silent());
        assert_eq!(clients(&told), [(2, 2)]);
        assert!(!told.forget_the_silent());
    }

    #[test]
    fn old_lines_and_those_of_another_server_are_not_believed() {
        let mut told = told();
        let old = Up {
            focus: focus(Some(2)),
            ..line(1, 3, 1)
        };
        assert_eq!(told.take(SERVER, old), News::default());
        let foreign = Up {
            focus: focus(Some(2)),
            ..Up::from(8, 1, 3, 9)
        };
        assert_eq!(told.take(SERVER, foreign), News::default());
        assert_eq!(clients(&told), [(1, 1)]);
        // After a reload it counts from the start.
        let again = Up {
            hello: hello(),
            focus: focus(Some(2)),
            ..line(1, 3, 1)
        };
        assert!(told.take(SERVER, again).facts);
        assert_eq!(clients(&told), [(1, 2)]);
    }

    #[test]
    fn a_closed_pane_is_gone_without_a_new_layout() {
        let mut told = told();
        assert!(
            told.take(
                SERVER,
                Up {
                    closed: vec![PaneId(1)],
                    ..line(1, 3, 2)
                }
            )
            .facts
        );
        assert_eq!(told.facts().unwrap().layout.panes, [pane(2, 0)]);
        assert!(
            !told
                .take(
                    SERVER,
                    Up {
                        closed: vec![PaneId(1)],
                        ..line(1, 3, 3)
                    }
                )
                .facts
        );
    }

    #[test]
    fn without_a_layout_there_are_no_facts() {
        let mut told = Told::default();
        told.take(
            SERVER,
            Up {
                focus: focus(Some(1)),
                ..line(1, 3, 1)
            },
        );
        assert_eq!(told.facts(), None);
    }
}
