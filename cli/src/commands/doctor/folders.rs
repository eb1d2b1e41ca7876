//! The folders that signals and the daemon need, each tried for real.

use session_host::runtime_dir::{self, RuntimeDirError};
use session_host::spool;
use session_host::trial::{self, Folder};

use super::disk;
use super::finding::Finding;
use crate::context::Context;

/// The folders, and whether they can be used.
pub(super) fn folders(context: &Context) -> Vec<Finding> {
    let mut findings = vec![state(context)];
    findings.extend(spool_folder(context));
    findings.push(runtime(context));
    findings
}

/// Where signals are stored.
fn state(context: &Context) -> Finding {
    let path = &context.paths.state;
    match trial::folder(path) {
        Ok(Folder::There) => Finding::ok("state folder", path.display().to_string()),
        Ok(Folder::Absent) => Finding::ok(
            "state folder",
            format!("{} is not there yet, and can be made", path.display()),
        ),
        Err(error) => Finding::broken("state folder", error.to_string())
            .expected("a folder that you can write: signals are stored there")
            .repair(disk::repair(&error).unwrap_or_else(|| {
                "put out of the way what is in it, or set XDG_STATE_HOME to another folder"
                    .to_owned()
            })),
    }
}

/// Where signals wait that cannot be stored at once. It is a part of the state folder, which has been tried.
fn spool_folder(context: &Context) -> Option<Finding> {
    let path = context.paths.state.join("spool");
    if !path.exists() && path.symlink_metadata().is_err() {
        return None;
    }
    let error = trial::folder(&path).err()?;
    Some(
        Finding::warning("spool", error.to_string())
            .expected("a folder that you can write: signals wait there while the store is held")
            .repair(disk::repair(&error).unwrap_or_else(|| spool_repair(context))),
    )
}

/// What helps a spool that is no folder of the person's any more. Signals that wait in it are not to be lost.
fn spool_repair(context: &Context) -> String {
    let path = context.paths.state.join("spool");
    let path = path.display();
    match spool::count(&context.paths) {
        (0, _) => format!("mv {path} {path}.aside, after a look at it"),
        (waiting, _) => format!(
            "chmod u+rwx {path}: {} there, to be taken in",
            match waiting {
                1 => "1 signal waits".to_owned(),
                count => format!("{count} signals wait"),
            }
        ),
    }
}

/// Where the daemon's sockets are.
fn runtime(context: &Context) -> Finding {
    let path = &context.paths.runtime;
    let broken = |found: String| {
        Finding::broken("runtime folder", found).expected(
            "a folder of yours with mode 700 for the daemon's sockets: without it no lamp changes",
        )
    };
    if let Err(error) = runtime_dir::fits(path) {
        return broken(error.to_string())
            .repair("set XDG_RUNTIME_DIR, or where it is not set XDG_STATE_HOME, to a folder with a shorter path");
    }
    match runtime_dir::check(path) {
        // What cannot be looked at is not there, or something is in the way.
        Ok(()) | Err(RuntimeDirError::Io { .. }) => {}
        Err(error) => {
            let path = path.display();
            let repair = match &error {
                RuntimeDirError::Open { .. } => format!("look at it, then: chmod 700 {path}"),
                RuntimeDirError::Foreign { .. } => {
                    "set XDG_RUNTIME_DIR to a folder of yours".to_owned()
                }
                _ => format!("look at it, then: rm {path}"),
            };
            return broken(error.to_string()).repair(repair);
        }
    }
    match trial::folder(path) {
        Ok(Folder::There) => Finding::ok("runtime folder", path.display().to_string()),
        Ok(Folder::Absent) => Finding::note(
            "runtime folder",
            format!("{} is not there yet, and can be made", path.display()),
        )
        .repair("tally up"),
        Err(error) => broken(error.to_string()).repair(disk::repair(&error).unwrap_or_else(|| {
            "put out of the way what is in it, or set XDG_RUNTIME_DIR to another folder".to_owned()
        })),
    }
}
