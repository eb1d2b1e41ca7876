//! Files in which an agent's settings are merged with the person's own: each belongs to one process, and goes with it.
//!
//! They hold what the person gave that one launch, which may be a secret; hence none outlives its agent for long.

use std::fs;
use std::io;
use std::path::Path;

use session_core::{MachineId, ProcessRef};

use crate::host;
use crate::process::{ProcessTable, SystemProcesses};

/// What tells a merged file by its name.
const MERGED: &str = ".with-";
/// What stands before the machine's name: a home may be shared with another machine, or with a container.
const AT: char = '@';
/// The digits in the names of older files, which told their content and not their process.
const OLD_MARK: usize = 16;

/// The name of a merged file of this process, which becomes the agent; `name` is that of ours alone.
pub(super) fn name_for_this_process(name: &str) -> String {
    let table: SystemProcesses = Default::default();
    let pid = std::process::id();
    // A start that cannot be told is that of no process: then the file goes with the next launch.
    let started = table.stat(pid).map_or(0, |stat| stat.started);
    name_of(name, ProcessRef { pid, started }, &host::machine())
}

fn name_of(name: &str, process: ProcessRef, machine: &MachineId) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "json"));
    let (pid, started) = (process.pid, process.started);
    format!(
        "{stem}{MERGED}{pid}-{started}{AT}{}.{extension}",
        plain(machine)
    )
}

/// A machine's name as a part of a file's.
fn plain(machine: &MachineId) -> String {
    let plain = |char: char| {
        if char.is_ascii_alphanumeric() || "-_".contains(char) {
            char
        } else {
            '_'
        }
    };
    machine.0.chars().map(plain).collect()
}

/// The process that a merged file of this machine belongs to.
fn owner(name: &str, machine: &MachineId) -> Option<ProcessRef> {
    let (_, rest) = name.rsplit_once(MERGED)?;
    let (process, of) = rest.split_once(AT)?;
    let (of, _) = of.rsplit_once('.')?;
    if of != plain(machine) {
        return None;
    }
    let (pid, started) = process.split_once('-')?;
    Some(ProcessRef {
        pid: pid.parse().ok()?,
        started: started.parse().ok()?,
    })
}

/// Whether a merged file has a name as given before each belonged to one process.
fn is_old(name: &str) -> bool {
    let mark = name
        .rsplit_once(MERGED)
        .and_then(|(_, rest)| rest.split_once('.'));
    mark.is_some_and(|(mark, _)| {
        mark.len() == OLD_MARK && mark.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Whether a process was started with this file: then its path is in its arguments.
fn is_used(file: &Path, processes: &dyn ProcessTable) -> bool {
    let file = file.to_string_lossy();
    let names_it = |pid| processes.argv(pid).iter().any(|word| word.contains(&*file));
    processes.all().into_iter().any(names_it)
}

/// Removes the merged files of the processes that have ended, in the folders of all agents. Those of other machines
/// stay: nothing can be known of their processes. An older file, which names no process, goes when none was started
/// with it.
///
/// # Errors
/// When a folder cannot be read or a file cannot be removed.
pub fn forget_merged(wiring: &Path, processes: &dyn ProcessTable) -> io::Result<()> {
    let machine = host::machine();
    for folder in listed(wiring)? {
        if !folder.file_type()?.is_dir() {
            continue;
        }
        for file in listed(&folder.path())? {
            let name = file.file_name();
            let name = name.to_string_lossy();
            let is_over = match owner(&name, &machine) {
                Some(owner) => processes.alive(owner) == Some(false),
                None => {
                    is_old(&name)
                        && file.file_type()?.is_file()
                        && !is_used(&file.path(), processes)
                }
            };
            if is_over {
                match fs::remove_file(file.path()) {
                    // Somebody else was quicker.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    removed => removed?,
                }
            }
        }
    }
    Ok(())
}

/// What is in a folder; nothing where there is none.
fn listed(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_whose_file_it_is() {
        let (here, there) = (MachineId("a.b/c".to_owned()), MachineId("d".to_owned()));
        let process = ProcessRef {
            pid: 12,
            started: 345,
        };
        let name = name_of("settings.json", process, &here);
        assert_eq!(name, "settings.with-12-345@a_b_c.json");
        assert_eq!(owner(&name, &here), Some(process));
        assert_eq!(owner(&name, &there), None);
        assert_eq!(owner("settings.json", &here), None);
        assert_eq!(owner("settings.with-x-1@a_b_c.json", &here), None);
    }

    #[test]
    fn an_older_merged_file_goes_when_no_process_was_started_with_it() {
        use crate::process::FakeProcesses;

        let folder = tempfile::tempdir().unwrap();
        let agent = folder.path().join("claude");
        fs::create_dir(&agent).unwrap();
        let put = |name: &str| {
            let path = agent.join(name);
            fs::File::create(&path).unwrap();
            path
        };
        let old = put("settings.with-0123456789abcdef.json");
        let used = put("settings.with-fedcba9876543210.json");
        // None of these is a name that was ever given.
        let others = [
            "settings.with-0123456789abcde.json",
            "settings.with-0123456789abcdex.json",
            "settings.with-mine.json",
            "settings.json",
        ]
        .map(put);
        let processes = FakeProcesses::default().with(1, 0, "init").with(
            7,
            1,
            &format!("claude --settings {}", used.display()),
        );
        forget_merged(folder.path(), &processes).unwrap();
        assert!(!old.exists() && used.exists());
        let processes = FakeProcesses::default().with(1, 0, "init");
        forget_merged(folder.path(), &processes).unwrap();
        assert!(!used.exists());
        for other in others {
            assert!(other.exists(), "{}", other.display());
        }
    }

    #[test]
    fn a_merged_file_goes_with_its_process_and_no_other_does() {
        let folder = tempfile::tempdir().unwrap();
        let agent = folder.path().join("claude");
        fs::create_dir(&agent).unwrap();
        let put = |name: String| {
            let path = agent.join(name);
            fs::File::create(&path).unwrap();
            path
        };
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let ended = ProcessRef {
            pid: child.id(),
            started: 1,
        };
        child.wait().unwrap();
        let gone = put(name_of("settings.json", ended, &host::machine()));
        let elsewhere = put(name_of(
            "settings.json",
            ended,
            &MachineId("another".to_owned()),
        ));
        let running = put(name_for_this_process("settings.json"));
        let ours = put("settings.json".to_owned());
        let processes: SystemProcesses = Default::default();
        forget_merged(folder.path(), &processes).unwrap();
        assert!(!gone.exists());
        for kept in [elsewhere, running, ours] {
            assert!(kept.exists(), "{}", kept.display());
        }
        forget_merged(&folder.path().join("nowhere"), &processes).unwrap();
    }
}
