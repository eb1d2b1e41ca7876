//! What is seen of one session from outside: its metadata file, and one list of its panes.

use std::path::Path;

use session_core::wire::Layout;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::{Follower, SLOW_POLL};
use crate::look::{Metadata, list, metadata_file};
use crate::version::Version;
use crate::zellij::DEADLINE;

/// The first version that lists its panes in JSON, with their tabs' ids.
const LISTS_PANES: Version = Version::new(0, 44, 0);

impl Follower {
    pub(super) fn watch_metadata(&mut self) {
        let name = self.found.name.clone();
        let processes = self.context.config.processes.as_ref();
        let file = name.and_then(|name| metadata_file(processes, self.found.server.pid, &name));
        if self.metadata != file {
            self.stop_watching();
            self.metadata = file;
        }
        // The folder may not be there yet.
        if let Some(folder) = self.metadata.as_deref().and_then(Path::parent) {
            self.folders.add(folder);
        }
    }

    pub(super) fn stop_watching(&mut self) {
        if let Some(folder) = self.metadata.take().as_deref().and_then(Path::parent) {
            self.folders.remove(folder);
        }
    }

    /// Looks at everything again, as when nothing was heard for a while.
    pub(super) async fn look(&mut self) {
        self.watch_metadata();
        self.read_metadata().await;
        if self.present && self.told.has_clients() {
            self.ask().await;
        }
        self.tell(true).await;
    }

    pub(super) async fn read_metadata(&mut self) {
        let Some(path) = self.metadata.clone() else {
            return;
        };
        let Ok(Ok(text)) = spawn_blocking(move || std::fs::read_to_string(path)).await else {
            return;
        };
        let connected = Metadata::connected_clients(&text);
        let clients_changed = connected.is_some() && connected != self.connected;
        self.connected = connected.or(self.connected);
        let wants_all = !self.present || self.context.config.zjstatus.is_some();
        let metadata = if wants_all {
            Metadata::read(&text)
        } else {
            None
        };
        if let Some(metadata) = metadata {
            let new_plugins = self.plugins.as_ref() != Some(&metadata.plugins);
            self.plugins = Some(metadata.plugins);
            self.outside = Some(metadata.facts);
            if new_plugins {
                // One of them may be ours, or a bar that shows nothing yet.
                if let Some(pipes) = &self.pipes {
                    pipes.again.notify_one();
                }
                self.feed_zjstatus(true);
            }
        }
        if clients_changed && self.present {
            self.ask().await;
        }
        if !self.present {
            self.tell(false).await;
        }
    }

    /// Lists the panes, when nobody else tells.
    pub(super) fn list(&mut self, listed: &mpsc::Sender<Option<Layout>>) {
        let lists = self.version.is_none_or(|version| version >= LISTS_PANES);
        let Some(address) = self.address().filter(|_| lists && !self.listing) else {
            return;
        };
        self.listing = true;
        let listed = listed.clone();
        tokio::spawn(async move {
            let layout = spawn_blocking(move || list(&address, DEADLINE)).await;
            let layout = layout.ok().and_then(|layout| {
                layout
                    .inspect_err(|error| tracing::debug!(%error, "the panes were not listed"))
                    .ok()
            });
            if layout.is_none() {
                sleep(SLOW_POLL).await;
            }
            let _ = listed.send(layout).await;
        });
    }
}
