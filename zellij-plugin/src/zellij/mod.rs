//! zellij behind the plugin: its events translated, and its functions called. Compiled for WASM only.

mod translate;
mod world;

use std::collections::BTreeMap;

use zellij_tile::prelude::{Event, PipeMessage, ZellijPlugin, get_plugin_ids, get_zellij_version};

use crate::Plugin;
use crate::plugin::Ids;
use world::World;

/// What zellij makes one of for each pane and client.
#[derive(Debug, Default)]
pub struct Instance {
    plugin: Plugin,
    pane: u32,
}

impl ZellijPlugin for Instance {
    fn load(&mut self, configuration: BTreeMap<String, String>) {
        let ids = get_plugin_ids();
        let ids = Ids {
            plugin: ids.plugin_id,
            client: ids.client_id,
            server_pid: ids.zellij_pid,
        };
        self.pane = ids.plugin;
        self.plugin
            .load(&configuration, ids, &get_zellij_version(), &World);
    }

    fn update(&mut self, event: Event) -> bool {
        translate::event(event, self.pane).is_some_and(|event| self.plugin.update(event, &World))
    }

    fn pipe(&mut self, message: PipeMessage) -> bool {
        self.plugin.update(translate::message(message), &World)
    }

    fn render(&mut self, rows: usize, columns: usize) {
        let mut out = String::new();
        for (index, row) in self.plugin.render(rows, columns, &World).iter().enumerate() {
            if index > 0 {
                out.push_str("\r\n");
            }
            row.ansi(&mut out);
        }
        World.paint(&out);
    }
}
