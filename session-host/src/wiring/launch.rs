//! Starting an agent with its wiring, in this very process.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use session_core::manifest::Manifest;

use super::argv::{Patched, patch};
use super::command::signal_command;
use super::error::WiringError;
use super::executable::find_executable;
use super::global::{Record, in_place};
use super::managed::{ManagedFile, managed_files};
use super::merged::forget_merged;
use super::places::Places;
use super::variables::add_variables;
use crate::env::Env;
use crate::manifests;
use crate::process::SystemProcesses;

/// Starts agents.
#[derive(Clone, Copy, Debug)]
pub struct Launcher<'l> {
    /// The environment.
    pub env: &'l Env,
    /// The folder for files that are kept for agents.
    pub wiring: &'l Path,
    /// The record of what was wired elsewhere, and of what is not to be.
    pub record: &'l Path,
    /// The path that wired commands call.
    pub program: &'l Path,
    /// This program's own path, which is never taken for an agent.
    pub own: &'l Path,
}

/// An agent, ready to be started.
#[derive(Debug)]
pub struct Launch {
    program: PathBuf,
    command: String,
    args: Vec<OsString>,
    variables: Vec<(String, OsString)>,
    /// Whether it was given anything that makes it report.
    pub wired: bool,
    /// What the person may want to know.
    pub notes: Vec<String>,
    /// Why it starts without wiring, when it does.
    pub unwired: Option<WiringError>,
}

impl Launcher<'_> {
    /// Finds the agent's program and writes its wiring. A failure of the wiring alone is no failure.
    ///
    /// # Errors
    /// When this build does not know the agent, or there is no program to start.
    pub fn prepare(&self, agent: &str, args: Vec<OsString>) -> Result<Launch, WiringError> {
        let manifest =
            manifests::find(agent).ok_or_else(|| WiringError::UnknownAgent(agent.to_owned()))?;
        let command = manifest.executable.command.clone();
        let program = find_executable(self.env, &command, self.own)?;
        let mut launch = Launch {
            program,
            command,
            args,
            variables: Vec::new(),
            wired: false,
            notes: Vec::new(),
            unwired: None,
        };
        let wired = self.wire(&manifest, launch.args.clone());
        match wired {
            Ok(patched) => {
                launch.args = patched.args;
                launch.variables = patched.variables;
                launch.wired = patched.wired;
                launch.notes = patched.notes;
            }
            Err(error) => launch.unwired = Some(error),
        }
        // What is left behind is tried again at the next launch.
        let processes: SystemProcesses = Default::default();
        let _ = forget_merged(self.wiring, &processes);
        Ok(launch)
    }

    /// What is added for this launch, with the files it names in their places.
    fn wire(&self, manifest: &Manifest, args: Vec<OsString>) -> Result<Patched, WiringError> {
        if !manifest.is_wired() {
            return Ok(Patched {
                args,
                ..Patched::default()
            });
        }
        let record = Record::read(self.record)?;
        if record.opted_out.contains(manifest.name.as_str()) {
            return Ok(Patched {
                args,
                ..Patched::default()
            });
        }
        let command = signal_command(self.program, manifest.name.as_str())?;
        let files = managed_files(manifest, self.wiring, self.program)?;
        let places = Places {
            command: &command,
            files: &files,
        };
        let read = |path: &Path| fs::read_to_string(path);
        let mut patched = patch(manifest, args.clone(), &places, &read);
        add_variables(&mut patched, manifest, &places, self.env, &|path| {
            path.exists()
        });
        if patched.wired && in_place(manifest, self.env, self.program, &record) {
            let patched = patch(&beside_global(manifest), args, &places, &read);
            return Ok(Patched {
                wired: true,
                ..patched
            });
        }
        // A file may name another one that lies beside it.
        let ensured: &[ManagedFile] = if patched.wired { &files } else { &[] };
        for file in ensured.iter().chain(&patched.files) {
            file.ensure()?;
        }
        Ok(patched)
    }
}

/// What is still added at launch where the agent's own configuration is wired.
fn beside_global(manifest: &Manifest) -> Manifest {
    let mut manifest = manifest.clone();
    manifest.env_patches.clear();
    for patch in &mut manifest.agent_patches {
        patch.args = std::mem::take(&mut patch.when_global);
        patch.merges_with = None;
    }
    manifest
        .agent_patches
        .retain(|patch| !patch.args.is_empty());
    manifest
}

impl Launch {
    /// Becomes the agent: same process, same terminal, same signals, and its exit status is the agent's own.
    /// Returns only when that fails.
    pub fn exec(self, variables: impl IntoIterator<Item = (&'static str, String)>) -> io::Error {
        Command::new(self.program)
            .arg0(self.command)
            .args(self.args)
            .envs(self.variables)
            .envs(variables)
            .exec()
    }

    /// What is added to the environment, for showing.
    #[must_use]
    pub fn variables(&self) -> &[(String, OsString)] {
        &self.variables
    }

    /// The program and its arguments, for showing.
    #[must_use]
    pub fn argv(&self) -> Vec<OsString> {
        std::iter::once(self.program.clone().into_os_string())
            .chain(self.args.iter().cloned())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn launch(root: &Path, args: &[&str]) -> Launch {
        let env: Env = [("PATH", root.as_os_str())].into_iter().collect();
        let own = Path::new("/bin/true");
        let launcher = Launcher {
            env: &env,
            wiring: &root.join("wiring"),
            record: &root.join("wiring.json"),
            program: own,
            own,
        };
        launcher
            .prepare("claude", args.iter().map(OsString::from).collect())
            .unwrap()
    }

    #[test]
    fn an_agent_is_started_with_its_wiring_in_front() {
        let folder = tempfile::tempdir().unwrap();
        symlink("/bin/echo", folder.path().join("claude")).unwrap();
        let launch = launch(folder.path(), &["hi"]);
        let settings = folder.path().join("wiring/claude/settings.json");
        assert!(settings.is_file());
        let argv = [
            folder.path().join("claude").as_os_str(),
            "--settings".as_ref(),
            settings.as_os_str(),
            "hi".as_ref(),
        ]
        .map(OsString::from);
        assert_eq!(launch.argv(), argv);
        assert!(launch.unwired.is_none());
    }

    #[test]
    fn an_agent_is_started_all_the_same_when_it_cannot_be_wired() {
        let folder = tempfile::tempdir().unwrap();
        symlink("/bin/echo", folder.path().join("claude")).unwrap();
        fs::File::create(folder.path().join("wiring")).unwrap();
        let launch = launch(folder.path(), &["hi"]);
        assert!(matches!(launch.unwired, Some(WiringError::Io { .. })));
        assert_eq!(
            launch.argv(),
            [folder.path().join("claude").as_os_str(), "hi".as_ref()]
        );
    }

    #[test]
    fn an_agent_that_nobody_knows_or_has_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let env: Env = [("PATH", folder.path().as_os_str())].into_iter().collect();
        let own = Path::new("/bin/true");
        let launcher = Launcher {
            env: &env,
            wiring: folder.path(),
            record: &folder.path().join("wiring.json"),
            program: own,
            own,
        };
        assert!(matches!(
            launcher.prepare("vim", vec![]),
            Err(WiringError::UnknownAgent(_))
        ));
        assert!(matches!(
            launcher.prepare("claude", vec![]),
            Err(WiringError::NotFound(_))
        ));
    }
}
