//! Hears of new sockets in the folders of sockets.

use std::path::PathBuf;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use session_host::env::Env;
use tokio::sync::mpsc;

use super::candidates::folder;

/// Rings when a socket comes or goes. Without it the regular scan finds the same, only later.
pub(crate) struct SocketWatch {
    watcher: Option<RecommendedWatcher>,
    watched: Option<PathBuf>,
}

impl SocketWatch {
    pub(crate) fn new(changes: mpsc::Sender<()>) -> Self {
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| event.kind.is_create() || event.kind.is_remove()) {
                // One ring that is not heard yet is enough.
                let _ = changes.try_send(());
            }
        });
        Self { watcher: watcher.ok(), watched: None }
    }

    /// Watches the folder of this environment, if it is there by now.
    pub(crate) fn follow(&mut self, env: &Env) {
        let folder = folder(env);
        let Some(watcher) = &mut self.watcher else { return };
        if !folder.is_dir() {
            self.watched = None;
        } else if self.watched.as_ref() != Some(&folder)
            && watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok()
        {
            self.watched = Some(folder);
        }
    }
}
