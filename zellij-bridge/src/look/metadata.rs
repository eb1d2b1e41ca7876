//! The file in which zellij keeps what a session looks like, rewritten at most once a second.
//!
//! It costs nothing to read: no client, no plugin hears of it. It is what there is without a plugin: who is in which
//! pane, at most a second late. A person can turn it off (`disable_session_metadata true`).

use std::path::PathBuf;

use kdl::{KdlDocument, KdlNode};
use session_core::wire::{Layout, PaneFact, TabFact};
use session_core::{Exit, PaneId, WindowId};
use session_host::process::ProcessTable;

use crate::facts::Facts;

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) facts: Facts,
    /// The locations of the plugins that have a pane.
    pub(crate) plugins: Vec<String>,
}

/// The file of a session by this name, in the folders of its server's environment.
pub(crate) fn metadata_file(
    table: &dyn ProcessTable,
    server_pid: u32,
    name: &str,
) -> Option<PathBuf> {
    let path = |variable: &str| {
        table
            .variable(server_pid, variable)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let cache = if cfg!(target_os = "macos") {
        path("HOME")?.join("Library/Caches/org.Zellij-Contributors.Zellij")
    } else {
        path("XDG_CACHE_HOME")
            .or_else(|| Some(path("HOME")?.join(".cache")))?
            .join("zellij")
    };
    let folder = cache.join("contract_version_1/session_info");
    // A name is one word of a path, whatever it holds.
    let file = folder.join(name).join("session-metadata.kdl");
    (!name.contains('/') && name != "..").then_some(file)
}

impl Metadata {
    /// How many clients are connected: found without reading the rest.
    pub(crate) fn connected_clients(text: &str) -> Option<usize> {
        let mut lines = text.lines().rev();
        lines.find_map(|line| line.strip_prefix("connected_clients ")?.trim().parse().ok())
    }

    /// Reads the file. `None` for one that is being written, or of a form that is not known.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let document: KdlDocument = text.parse().ok()?;
        let tabs: Vec<TabFact> = nodes(&document, "tabs").filter_map(tab).collect();
        // Written last: a file that ends before it is not complete.
        document
            .get("creation_time")
            .or_else(|| document.get("pane_history"))?;
        let mut metadata = Self::default();
        for pane in nodes(&document, "panes").filter_map(KdlNode::children) {
            if flag(pane, "is_plugin") {
                metadata
                    .plugins
                    .extend(text_of(pane, "plugin_url").map(str::to_owned));
                continue;
            }
            let position = number(pane, "tab_position")?;
            metadata.facts.layout.panes.push(PaneFact {
                id: PaneId(number(pane, "id")?),
                tab: tabs.iter().find(|tab| tab.position == position)?.id,
                pid: None,
                exited: flag(pane, "exited"),
                exit: value(pane, "exit_status")
                    .and_then(kdl::KdlValue::as_i64)
                    .and_then(|status| i32::try_from(status).ok())
                    .map(Exit::Status),
            });
        }
        metadata.facts.layout.panes.sort_by_key(|pane| pane.id);
        metadata.facts.layout = Layout {
            tabs,
            ..metadata.facts.layout
        };
        // Who has left stays in the history of panes, but not in that of tabs.
        let clients = |name| nodes(&document, name).filter_map(KdlNode::children);
        let connected: Vec<u32> = clients("tab_history")
            .filter_map(|client| number(client, "id"))
            .collect();
        for client in clients("pane_history") {
            let id = number(client, "id").filter(|id| connected.contains(id));
            let id = id.and_then(|id| u16::try_from(id).ok());
            if let (Some(id), Some(pane)) = (id, focus(client)) {
                metadata.facts.clients.insert(id, pane);
            }
        }
        Some(metadata)
    }
}

fn tab(node: &KdlNode) -> Option<TabFact> {
    let tab = node.children()?;
    let position = number(tab, "position")?;
    Some(TabFact {
        // Before tabs had an id their place stood for it.
        id: WindowId(number(tab, "tab_id").unwrap_or(position)),
        position,
        name: text_of(tab, "name").unwrap_or_default().to_owned(),
    })
}

/// The terminal pane that a client is in: the last of its history.
fn focus(client: &KdlDocument) -> Option<PaneId> {
    let last = client.get("history")?.children()?.nodes().last()?;
    let kind = last.get("type")?.value().as_string()?;
    let id = last
        .entries()
        .iter()
        .find(|entry| entry.name().is_none())?
        .value()
        .as_i64()?;
    (kind == "terminal").then_some(PaneId(u32::try_from(id).ok()?))
}

fn nodes<'d>(document: &'d KdlDocument, name: &str) -> impl Iterator<Item = &'d KdlNode> {
    document
        .get(name)
        .and_then(KdlNode::children)
        .map(KdlDocument::nodes)
        .unwrap_or_default()
        .iter()
}

fn value<'d>(document: &'d KdlDocument, name: &str) -> Option<&'d kdl::KdlValue> {
    Some(document.get(name)?.entries().first()?.value())
}

fn number(document: &KdlDocument, name: &str) -> Option<u32> {
    u32::try_from(value(document, name)?.as_i64()?).ok()
}

fn flag(document: &KdlDocument, name: &str) -> bool {
    value(document, name)
        .and_then(kdl::KdlValue::as_bool)
        .unwrap_or(false)
}

fn text_of<'d>(document: &'d KdlDocument, name: &str) -> Option<&'d str> {
    value(document, name)?.as_string()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;
    use session_host::process::FakeProcesses;

    use super::*;

    const TEXT: &str = r#"name "work"
tabs {
    tab {
        position 0
        name "Tab #1"
        active true
        tab_id 3
    }
    tab {
        position 1
        name "a \"b\""
        active false
        tab_id 0
    }
}
panes {
    pane {
        id 0
        is_plugin true
        title "bar"
        exited false
        plugin_url "file:/home/me/.local/share/tally/tally.wasm"
        tab_position 0
    }
    pane {
        id 5
        is_plugin false
        is_focused true
        title "sh"
        exited true
        exit_status 3
        is_held true
        tab_position 1
    }
    pane {
        id 1
        is_plugin false
        is_focused true
        title "sh"
        exited false
        is_held false
        tab_position 0
    }
}
connected_clients 2
web_clients_allowed false
web_client_count 0
available_layouts {
    default source="built-in"
}
tab_history {
    client {
        id 1
        history 0
    }
    client {
        id 3
        history
    }
}
pane_history {
    client {
        id 1
        history {
            pane_id 5 type="terminal"
            pane_id 1 type="terminal"
        }
    }
    client {
        id 2
        history {
            pane_id 5 type="terminal"
        }
    }
    client {
        id 3
        history {
            pane_id 0 type="plugin"
        }
    }
}
creation_time 300
"#;

    #[test]
    fn panes_tabs_and_the_clients_that_are_there_are_read() {
        let metadata = Metadata::read(TEXT).unwrap();
        let panes: Vec<_> = metadata
            .facts
            .layout
            .panes
            .iter()
            .map(|pane| (pane.id.0, pane.tab.0, pane.exited, pane.exit))
            .collect();
        assert_eq!(
            panes,
            [(1, 3, false, None), (5, 0, true, Some(Exit::Status(3)))]
        );
        assert_eq!(metadata.facts.layout.tabs[1].name, "a \"b\"");
        assert_eq!(metadata.facts.clients, [(1, PaneId(1))].into());
        assert_eq!(
            metadata.plugins,
            ["file:/home/me/.local/share/tally/tally.wasm"]
        );
        assert_eq!(Metadata::connected_clients(TEXT), Some(2));
    }

    #[test]
    fn a_file_that_is_being_written_says_nothing() {
        for end in (0..TEXT.len() - 20).step_by(7) {
            let half = TEXT.get(..end).unwrap();
            assert!(Metadata::read(half).is_none(), "{half}");
        }
        assert!(Metadata::read("").is_none());
    }

    #[test]
    fn the_file_is_where_the_servers_own_environment_says() {
        let table = FakeProcesses::default()
            .with(7, 1, "zellij --server /x/contract_version_1/first")
            .variable(7, "HOME", "/home/me");
        let file = |table: &FakeProcesses, name: &str| metadata_file(table, 7, name);
        if cfg!(target_os = "linux") {
            let home =
                "/home/me/.cache/zellij/contract_version_1/session_info/now/session-metadata.kdl";
            assert_eq!(file(&table, "now").as_deref(), Some(Path::new(home)));
            let table = table.clone().variable(7, "XDG_CACHE_HOME", "/cache");
            assert!(file(&table, "now").unwrap().starts_with("/cache/zellij/"));
        }
        assert_eq!(file(&table, "../x"), None);
        assert_eq!(file(&table, ".."), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,80}") {
            let _ = (Metadata::read(&text), Metadata::connected_clients(&text));
        }
    }
}
