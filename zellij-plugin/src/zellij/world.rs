//! zellij's functions.

use std::io::Write;

use session_core::{PaneId, WindowId};
use zellij_tile::prelude::{
    EventType, PaneId as TilePaneId, PermissionType, block_cli_pipe_input, cli_pipe_output,
    close_self, focus_pane_with_id, get_focused_pane_info, get_pane_pid, get_plugin_ids, go_to_tab,
    reload_plugin_with_id, rename_plugin_pane, request_permission, set_selectable, set_timeout,
    subscribe, switch_session_with_focus,
};

use crate::plugin::{Command, Focused, Host};

/// The most that is read of a file.
const MAX_FILE: u64 = session_core::wire::MAX_LINE as u64;

/// The one set of permissions. zellij keeps the set that was asked for last, so every instance must ask for the
/// same, and one more in a later release would ask every person again.
const PERMISSIONS: &[PermissionType] = &[
    PermissionType::ReadApplicationState,
    PermissionType::ChangeApplicationState,
    PermissionType::ReadCliPipes,
];

/// The events; none of those that are sent to every instance, or for every key.
const EVENTS: &[EventType] = &[
    EventType::PaneUpdate,
    EventType::TabUpdate,
    EventType::ModeUpdate,
    // Whoever gets it is spared the key bindings in each mode update.
    EventType::InitialKeybinds,
    EventType::PaneClosed,
    EventType::Timer,
    EventType::Mouse,
    EventType::Visible,
    EventType::PermissionRequestResult,
];

/// zellij itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct World;

impl World {
    /// Paints the pane.
    pub(super) fn paint(self, text: &str) {
        let mut out = std::io::stdout().lock();
        // zellij reads what was written when the plugin returns; there is nobody to tell if it cannot be.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}

impl Host for World {
    fn now_ms(&self) -> i64 {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the plugin's clock; all else gets the time from here"
        )]
        let now = std::time::SystemTime::now();
        let since = now
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.is_empty())
    }

    fn read(&self, path: &str) -> Option<String> {
        let short = std::fs::metadata(path).is_ok_and(|file| file.len() <= MAX_FILE);
        if short {
            std::fs::read_to_string(path).ok()
        } else {
            None
        }
    }

    fn exists(&self, path: &str) -> bool {
        std::fs::metadata(path).is_ok()
    }

    fn claim(&self, path: &str) -> bool {
        std::fs::File::create_new(path).is_ok()
    }

    fn write(&self, path: &str, text: &str) {
        // It is a hint for other instances; without it they only make no room for each other.
        let _ = std::fs::File::create(path).and_then(|mut file| file.write_all(text.as_bytes()));
    }

    fn rest(&self, ms: u64) {
        std::thread::sleep(std::time::Duration::from_millis(ms));
    }

    fn remove(&self, path: &str) {
        // That it is not there is what was wanted.
        let _ = std::fs::remove_file(path);
    }

    fn focused(&self) -> Option<Focused> {
        let (tab, pane) = get_focused_pane_info().ok()?;
        Some(Focused {
            tab: WindowId(u32::try_from(tab).ok()?),
            pane: match pane {
                TilePaneId::Terminal(id) => Some(PaneId(id)),
                TilePaneId::Plugin(_) => None,
            },
        })
    }

    fn pane_pid(&self, pane: PaneId) -> Option<u32> {
        let pid = get_pane_pid(TilePaneId::Terminal(pane.0)).ok()?;
        u32::try_from(pid).ok()
    }

    fn run(&self, command: Command) {
        match command {
            Command::Subscribe { keys } => {
                subscribe(EVENTS);
                if keys {
                    subscribe(&[EventType::Key]);
                }
            }
            Command::RequestPermission => request_permission(PERMISSIONS),
            Command::Selectable(selectable) => set_selectable(selectable),
            Command::Block(pipe) => block_cli_pipe_input(&pipe),
            Command::Print { pipe, line } => cli_pipe_output(&pipe, &line),
            Command::Wake(seconds) => set_timeout(seconds),
            Command::GoToPane(pane) => {
                focus_pane_with_id(TilePaneId::Terminal(pane.0), false, false);
            }
            Command::GoToTab(position) => go_to_tab(position),
            Command::GoToSession { session, pane } => {
                switch_session_with_focus(&session, None, Some((pane.0, false)));
            }
            Command::Reload => reload_plugin_with_id(get_plugin_ids().plugin_id),
            Command::Title(title) => rename_plugin_pane(get_plugin_ids().plugin_id, title),
            Command::Close => close_self(),
            Command::Log(line) => {
                // zellij writes a plugin's standard error to its log.
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        }
    }
}
