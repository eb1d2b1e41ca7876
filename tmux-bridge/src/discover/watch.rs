//! Hears of new sockets in the folder of sockets.

use std::os::unix::fs::MetadataExt;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use session_host::env::Env;
use tokio::sync::mpsc;

use super::candidates::folder;

/// Rings when a socket comes or goes. Without it the regular scan finds the same, only later.
pub(crate) struct SocketWatch {
    watcher: Option<RecommendedWatcher>,
    /// The folder that is watched; one that was made anew is another.
    watched: Option<u64>,
}

impl SocketWatch {
    pub(crate) fn new(changes: mpsc::Sender<()>) -> Self {
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| event.kind.is_create() || event.kind.is_remove()) {
                // One ring that is not heard yet is enough.
                let _ = changes.try_send(());
            }
        });
        Self {
            watcher: watcher.ok(),
            watched: None,
        }
    }

    /// Whether it would hear of a new socket.
    pub(crate) fn is_watching(&self) -> bool {
        self.watched.is_some()
    }

    /// Watches the folder of this environment, if it is there by now.
    pub(crate) fn follow(&mut self, env: &Env) {
        let folder = folder(env);
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        let found = std::fs::metadata(&folder)
            .ok()
            .filter(std::fs::Metadata::is_dir);
        let found = found.map(|meta| meta.ino());
        if found == self.watched {
            return;
        }
        // What was watched may be gone already.
        let _ = watcher.unwatch(&folder);
        self.watched =
            found.filter(|_| watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok());
    }
}
