//! Hears of files that change: sockets that come, go or are renamed, and the sessions' metadata.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc;

/// What has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// A socket came, went or was renamed.
    Sockets,
    /// This metadata file was written.
    Metadata(PathBuf),
}

/// The watched folders. Without them the regular scan finds the same, only later.
pub(super) struct Watch {
    folders: Folders,
    sockets: BTreeSet<PathBuf>,
}

/// The folders that are watched, shared by all tasks.
#[derive(Clone)]
pub(super) struct Folders(Arc<Mutex<Option<RecommendedWatcher>>>);

impl Folders {
    pub(super) fn add(&self, folder: &Path) -> bool {
        let mut watcher = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let watch = |watcher: &mut RecommendedWatcher| {
            watcher.watch(folder, RecursiveMode::NonRecursive).is_ok()
        };
        watcher.as_mut().is_some_and(watch)
    }

    pub(super) fn remove(&self, folder: &Path) {
        let mut watcher = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(watcher) = watcher.as_mut() {
            let _ = watcher.unwatch(folder);
        }
    }
}

impl Watch {
    pub(super) fn new(changes: mpsc::UnboundedSender<Change>) -> Self {
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            for change in event.into_iter().flat_map(changes_of) {
                let _ = changes.send(change);
            }
        });
        Self {
            folders: Folders(Arc::new(Mutex::new(watcher.ok()))),
            sockets: BTreeSet::new(),
        }
    }

    pub(super) fn folders(&self) -> Folders {
        self.folders.clone()
    }

    /// Watches the folders of sockets that are there by now, and those above them, where others may appear.
    pub(super) fn follow_sockets(&mut self, folders: &BTreeSet<PathBuf>, bases: &[PathBuf]) {
        // A base that is not there yet appears in the folder above it.
        let above = |base: &PathBuf| {
            if base.is_dir() {
                return Some(base.clone());
            }
            let parent = base.parent().filter(|parent| !is_shared(parent));
            parent.map(Path::to_owned)
        };
        let above = bases
            .iter()
            .filter_map(above)
            .filter(|folder| folder.is_dir());
        let wanted: BTreeSet<PathBuf> = folders.iter().cloned().chain(above).collect();
        for gone in self.sockets.difference(&wanted) {
            self.folders.remove(gone);
        }
        let kept = self.sockets.intersection(&wanted).cloned();
        let new = wanted
            .difference(&self.sockets)
            .filter(|folder| self.folders.add(folder))
            .cloned();
        self.sockets = kept.chain(new).collect();
    }
}

/// Whether everybody may write there, as into `/tmp`: whoever does would wake us at each step, so the regular scan has to
/// find what appears in it.
fn is_shared(folder: &Path) -> bool {
    let mode = std::fs::metadata(folder).map(|meta| meta.permissions().mode());
    mode.is_ok_and(|mode| mode & 0o002 != 0)
}

fn changes_of(event: Event) -> Vec<Change> {
    let metadata = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|name| name == "session-metadata.kdl")
    };
    match event.kind {
        // zellij writes the file in place: it is complete when it is closed.
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => event
            .paths
            .into_iter()
            .filter(metadata)
            .map(Change::Metadata)
            .collect(),
        // Where closing is not told.
        EventKind::Modify(_) if !cfg!(target_os = "linux") => event
            .paths
            .into_iter()
            .filter(metadata)
            .map(Change::Metadata)
            .collect(),
        EventKind::Create(_)
        | EventKind::Remove(_)
        | EventKind::Modify(notify::event::ModifyKind::Name(_)) => {
            // Folders for temporary files and the like are busy with what is not ours.
            let ours = event.paths.iter().any(|path| of_sockets(path));
            if ours {
                vec![Change::Sockets]
            } else {
                Vec::new()
            }
        }
        _ => Vec::new(),
    }
}

/// Whether a path is that of a socket, or of a folder that may hold some.
fn of_sockets(path: &Path) -> bool {
    let is_one = |path: &Path| {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        name.starts_with("zellij")
            || name.starts_with("contract_version_")
            || name.starts_with(|first: char| first.is_ascii_digit())
    };
    is_one(path) || path.parent().is_some_and(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_everybody_writes_into_is_not_watched() {
        let home = tempfile::tempdir().unwrap();
        let open = home.path().join("open");
        std::fs::create_dir(&open).unwrap();
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o1777)).unwrap();
        let (changes, _heard) = mpsc::unbounded_channel();
        let mut watch = Watch::new(changes);
        let bases = [home.path().join("zellij"), open.join("zellij-1000")];
        watch.follow_sockets(&BTreeSet::new(), &bases);
        assert_eq!(watch.sockets, BTreeSet::from([home.path().to_owned()]));
        // Once it is there it is watched itself.
        std::fs::create_dir(open.join("zellij-1000")).unwrap();
        watch.follow_sockets(&BTreeSet::new(), &bases);
        assert!(watch.sockets.contains(&open.join("zellij-1000")));
    }
}
