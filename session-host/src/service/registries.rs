//! The agents' own registries, watched as files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use session_core::{Session, SessionId};
use tokio::sync::mpsc;

/// What tells one version of a file from the next: inode, length, and time of the last change.
type Version = (u64, u64, i64, i64);

/// Watches the folders of the registries of live sessions, and remembers which version of each file was read.
pub(super) struct Registries {
    watcher: Option<RecommendedWatcher>,
    changed: mpsc::UnboundedReceiver<PathBuf>,
    folders: BTreeSet<PathBuf>,
    files: BTreeMap<SessionId, (PathBuf, Option<Version>)>,
}

impl Registries {
    pub(super) fn new() -> Self {
        let (sender, changed) = mpsc::unbounded_channel();
        let tell = move |event: Result<Event, notify::Error>| {
            let Ok(event) = event else { return };
            if event.kind.is_access() {
                return;
            }
            for path in event.paths {
                // The daemon has ended when nobody listens.
                let _ = sender.send(path);
            }
        };
        let watcher = notify::recommended_watcher(tell)
            .inspect_err(|error| tracing::warn!(%error, "cannot watch files; looking at them every few seconds"))
            .ok();
        Self {
            watcher,
            changed,
            folders: BTreeSet::new(),
            files: BTreeMap::new(),
        }
    }

    /// A file in a watched folder that has changed.
    pub(super) async fn changed(&mut self) -> Option<PathBuf> {
        self.changed.recv().await
    }

    /// Further ones that have changed by now.
    pub(super) fn also_changed(&mut self) -> Option<PathBuf> {
        self.changed.try_recv().ok()
    }

    /// The sessions whose registry is this file.
    pub(super) fn of(&self, path: &Path) -> Vec<SessionId> {
        self.files
            .iter()
            .filter(|(_, (known, _))| known == path)
            .map(|(id, _)| *id)
            .collect()
    }

    /// Follows the registries of these sessions and no others.
    pub(super) fn follow<'s>(&mut self, sessions: impl Iterator<Item = &'s Session>) {
        let mut files = BTreeMap::new();
        for session in sessions {
            let Some(path) = session.registry_path.as_ref().map(PathBuf::from) else {
                continue;
            };
            let known = self
                .files
                .remove(&session.id)
                .filter(|(known, _)| *known == path);
            files.insert(session.id, known.unwrap_or((path, None)));
        }
        self.files = files;
        let wanted: BTreeSet<PathBuf> = self
            .files
            .values()
            .filter_map(|(path, _)| path.parent().map(Path::to_owned))
            .collect();
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        for folder in self.folders.difference(&wanted) {
            // It may be gone, and its watch with it.
            let _ = watcher.unwatch(folder);
        }
        self.folders.retain(|folder| wanted.contains(folder));
        for folder in wanted {
            // A folder that is not there yet is tried again the next time.
            if !self.folders.contains(&folder)
                && watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok()
            {
                self.folders.insert(folder);
            }
        }
    }

    /// The sessions whose file is not the version that was seen last: the safety net below the watch.
    pub(super) fn not_seen(&mut self) -> Vec<SessionId> {
        let mut changed = Vec::new();
        for (id, (path, seen)) in &mut self.files {
            let version = fs::metadata(&path)
                .ok()
                .map(|found| (found.ino(), found.len(), found.mtime(), found.mtime_nsec()));
            if *seen != version {
                *seen = version;
                changed.push(*id);
            }
        }
        changed
    }
}
