//! A session's panes, as `zellij action list-panes` lists them.
//!
//! Each such command makes every plugin of the session redo its work (facts §1.7), so it is asked once, for the first
//! look, and not again while the metadata file is kept.

use std::time::Duration;

use serde::Deserialize;
use session_core::wire::{Layout, PaneFact, TabFact};
use session_core::{Exit, PaneId, WindowId};

use crate::error::ZellijError;
use crate::zellij::Address;

/// Lists the panes. Blocking.
pub(crate) fn list(session: &Address, limit: Duration) -> Result<Layout, ZellijError> {
    read(&session.action(&["list-panes", "--all", "--json"], limit)?)
}

#[derive(Deserialize)]
struct Pane {
    id: u32,
    is_plugin: bool,
    #[serde(default)]
    exited: bool,
    #[serde(default)]
    exit_status: Option<i32>,
    tab_id: u32,
    tab_position: u32,
    tab_name: String,
}

fn read(printed: &[u8]) -> Result<Layout, ZellijError> {
    let panes: Vec<Pane> =
        serde_json::from_slice(printed).map_err(|error| ZellijError::Answer(error.to_string()))?;
    let mut layout = Layout::default();
    for pane in panes.into_iter().filter(|pane| !pane.is_plugin) {
        let tab = WindowId(pane.tab_id);
        if layout.tabs.iter().all(|known| known.id != tab) {
            layout.tabs.push(TabFact {
                id: tab,
                position: pane.tab_position,
                name: pane.tab_name,
            });
        }
        layout.panes.push(PaneFact {
            id: PaneId(pane.id),
            tab,
            pid: None,
            exited: pane.exited,
            exit: pane.exit_status.map(Exit::Status),
        });
    }
    layout.tabs.sort_by_key(|tab| tab.position);
    layout.panes.sort_by_key(|pane| pane.id);
    Ok(layout)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = r#"[
        {"id":0,"is_plugin":true,"is_focused":false,"title":"bar","exited":false,"exit_status":null,
         "plugin_url":"tab-bar","tab_id":0,"tab_position":0,"tab_name":"Tab #1"},
        {"id":4,"is_plugin":false,"is_focused":true,"title":"sh","exited":true,"exit_status":3,"is_held":true,
         "tab_id":2,"tab_position":1,"tab_name":"two","pane_command":"false","pane_cwd":"/"},
        {"id":0,"is_plugin":false,"is_focused":true,"title":"sh","exited":false,"exit_status":null,
         "tab_id":0,"tab_position":0,"tab_name":"Tab #1","weather":"fine"}]"#;

    #[test]
    fn terminal_panes_are_read_and_plugins_are_not() {
        let layout = read(PRINTED.as_bytes()).unwrap();
        let panes: Vec<_> = layout
            .panes
            .iter()
            .map(|pane| (pane.id.0, pane.tab.0, pane.exited, pane.exit))
            .collect();
        assert_eq!(
            panes,
            [(0, 0, false, None), (4, 2, true, Some(Exit::Status(3)))]
        );
        let tabs: Vec<_> = layout
            .tabs
            .iter()
            .map(|tab| (tab.id.0, tab.position, tab.name.as_str()))
            .collect();
        assert_eq!(tabs, [(0, 0, "Tab #1"), (2, 1, "two")]);
    }

    #[test]
    fn an_answer_in_another_form_is_an_error() {
        assert!(matches!(
            read(b"TAB_ID  PANE_ID"),
            Err(ZellijError::Answer(_))
        ));
        assert!(matches!(read(b"[{\"id\":1}]"), Err(ZellijError::Answer(_))));
    }
}
