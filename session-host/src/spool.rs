//! Signals that could not be stored in time, each a file of its own, until somebody who can write the store takes
//! them in: nothing is lost (design §4).

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::files::{make_private_dir, put_private};
use crate::intake::Delivery;
use crate::paths::Paths;
use crate::runtime_dir;

/// The largest file that is taken in.
const MAX_BYTES: u64 = 1024 * 1024;
/// What the name of a waiting signal ends in, and that of one that cannot be read.
const WAITING: &str = "json";
const BROKEN: &str = "broken";

/// A signal that waits.
#[derive(Debug)]
pub struct Waiting {
    path: PathBuf,
    /// The signal.
    pub delivery: Delivery,
}

impl Waiting {
    /// Removes it, once it is taken in for good.
    pub fn done(&self) {
        if let Err(error) = fs::remove_file(&self.path) {
            // It will be taken in again, and be known as a repetition.
            tracing::warn!(path = %self.path.display(), %error, "cannot remove a spooled signal");
        }
    }
}

/// Writes a signal down: in the state folder, else in the runtime folder.
///
/// # Errors
/// When neither can be written.
pub fn put(paths: &Paths, delivery: &Delivery) -> io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let bytes = serde_json::to_vec(delivery)?;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // Names sort by start stamp.
    let name = format!(
        "{:020}-{}-{count}.{WAITING}",
        delivery.signal.at.0.max(0),
        std::process::id()
    );
    let mut result = Err(io::Error::other("there is no spool"));
    for folder in folders(paths) {
        let write =
            || make_private_dir(&folder).and_then(|()| put_private(&folder.join(&name), &bytes));
        // An emptied spool may be removed just now.
        result = write().or_else(|_| write());
        if result.is_ok() {
            break;
        }
    }
    result
}

/// The signals that wait, in order of their start stamps. One that cannot be read is set aside.
#[must_use]
pub fn waiting(paths: &Paths) -> Vec<Waiting> {
    oldest(paths, usize::MAX).0
}

/// The oldest of the signals that wait, at most so many, and how many others there are.
#[must_use]
pub fn oldest(paths: &Paths, most: usize) -> (Vec<Waiting>, usize) {
    let mut files: Vec<PathBuf> = folders(paths)
        .iter()
        .flat_map(|folder| in_folder(folder))
        .collect();
    files.sort_by(|one, other| one.file_name().cmp(&other.file_name()));
    let others = files.split_off(files.len().min(most)).len();
    (files.into_iter().filter_map(read).collect(), others)
}

/// Whether any signal waits. Asked at every signal: while all goes well there is no folder to look into.
#[must_use]
pub fn any(paths: &Paths) -> bool {
    [&paths.state, &paths.runtime]
        .iter()
        .any(|base| !in_folder(&base.join("spool")).is_empty())
}

/// Removes the spools when nothing is left in them.
pub fn close(paths: &Paths) {
    for folder in folders(paths) {
        // One that still holds something stays, and so does one that was never made.
        let _ = fs::remove_dir(folder);
    }
}

/// How many signals wait, and how many were set aside.
#[must_use]
pub fn count(paths: &Paths) -> (usize, usize) {
    let names: Vec<PathBuf> = folders(paths)
        .iter()
        .flat_map(|folder| entries(folder))
        .collect();
    let ending = |end: &str| {
        names
            .iter()
            .filter(|path| path.extension() == Some(OsStr::new(end)))
            .count()
    };
    (ending(WAITING), ending(BROKEN))
}

/// The two spools; the one in the runtime folder only where that folder is ours or not there yet.
fn folders(paths: &Paths) -> Vec<PathBuf> {
    let mut folders = vec![paths.state.join("spool")];
    let ours = match runtime_dir::check(&paths.runtime) {
        Ok(()) => true,
        Err(runtime_dir::RuntimeDirError::Io { source, .. }) => {
            source.kind() == io::ErrorKind::NotFound
        }
        Err(_) => false,
    };
    if ours {
        folders.push(paths.runtime.join("spool"));
    }
    folders
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    // Nothing was spooled there, as always when all goes well.
    fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default()
}

fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let mut files = entries(folder);
    files.retain(|path| path.extension() == Some(OsStr::new(WAITING)));
    files
}

fn read(path: PathBuf) -> Option<Waiting> {
    match content(&path) {
        Ok(delivery) => Some(Waiting { path, delivery }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "set a spooled signal aside that cannot be read");
            let _ = fs::rename(&path, path.with_extension(BROKEN));
            None
        }
    }
}

fn content(path: &Path) -> io::Result<Delivery> {
    let found = fs::symlink_metadata(path)?;
    if !found.is_file()
        || found.uid() != rustix::process::geteuid().as_raw()
        || found.len() > MAX_BYTES
    {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is not a file of ours",
        ));
    }
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}
