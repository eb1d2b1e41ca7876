//! Agents: whether they are there, and whether their reports would get through.

use std::path::Path;
use std::process::{Command, Stdio};

use session_core::manifest::Manifest;
use session_host::files::{LARGEST, read_regular_text};
use session_host::manifests;
use session_host::wiring::{
    ManagedFile, ManagedState, WiringError, find_executable, managed_files, shell_quoted,
    wired_program,
};

use super::finding::Finding;
use super::{own, shells};
use crate::context::Context;
use crate::standings::Standings;

/// All agents that this build knows.
pub(super) fn agents(context: &Context) -> Vec<Finding> {
    let mut absent = Vec::new();
    let standings = Standings::read(context);
    let mut findings: Vec<Finding> = own::record(&standings).into_iter().collect();
    for manifest in manifests::all() {
        let title = &manifest.title;
        let own = standings
            .of(manifest, true)
            .map(|standing| own::own(manifest, &standing, &standings, context))
            .unwrap_or_default();
        let is_own = !own.is_empty();
        findings.extend(own);
        match find_executable(&context.env, &manifest.executable.command, &context.own()) {
            Ok(_) if standings.opted_out(manifest) => findings.push(own::opted_out(manifest)),
            // Nothing is added at launch where its own configuration is wired.
            Ok(_) if is_own => {}
            Ok(path) if manifest.is_wired() => findings.extend(wiring(manifest, &path, context)),
            Ok(path) => {
                let found = format!("{}, known by its process only", path.display());
                findings.push(Finding::ok(title, found));
            }
            Err(WiringError::NotFound(_)) => absent.push(title.as_str()),
            Err(error) => findings.push(Finding::note(title, error.to_string())),
        }
        if manifest.is_wired() && !is_own {
            findings.extend(shells::aliases(manifest, context));
        }
    }
    if !absent.is_empty() {
        let found = format!("not installed: {}", absent.join(", "));
        findings.push(Finding::ok("other agents", found));
    }
    findings
}

fn wiring(manifest: &Manifest, path: &Path, context: &Context) -> Vec<Finding> {
    let (title, program) = (&manifest.title, context.program());
    let files = match managed_files(manifest, &context.paths.wiring(), &program) {
        Ok(files) => files,
        Err(error) => {
            return vec![
                Finding::broken(title, error.to_string())
                    .repair("install tally under a path that is plain text"),
            ];
        }
    };
    let mut findings: Vec<Finding> = files
        .iter()
        .filter_map(|file| managed(title, file))
        .collect();
    findings.extend(command(title, &program));
    if findings.is_empty() {
        findings.push(Finding::ok(
            title,
            format!("{}, wired when it is started", path.display()),
        ));
    }
    findings
}

/// A file of ours, as it is. What is not as it should be is put right by the next launch; only agents that run
/// already read what is there now.
fn managed(title: &str, file: &ManagedFile) -> Option<Finding> {
    match file.state() {
        ManagedState::Current => None,
        ManagedState::Absent => Some(
            Finding::note(title, format!("{} is not there yet", file.path.display()))
                .repair("start the agent with `tally run`, or by name after `tally init`"),
        ),
        ManagedState::Different => {
            let wired = read_regular_text(&file.path, LARGEST)
                .ok()
                .and_then(|text| wired_program(&text));
            Some(match wired {
                Some(wired) if !wired.exists() => Finding::broken(
                    title,
                    format!("its hooks call {}, which is not there", wired.display()),
                )
                .expected("a path that stays over upgrades")
                .repair("start the agent again: its wiring is then written anew"),
                _ => Finding::note(
                    title,
                    format!("{} is not what this release writes", file.path.display()),
                )
                .repair("nothing: the next start of the agent writes it anew"),
            })
        }
    }
}

/// Whether the wired command finds its program where agents run it: in a bare shell.
fn command(title: &str, program: &Path) -> Option<Finding> {
    let shown = program.display().to_string();
    let script = format!("{} --version", shell_quoted(&shown));
    let ran = Command::new("/bin/sh")
        .args(["-c", &script])
        .env_clear()
        .envs([("HOME", "/"), ("PATH", "/usr/bin:/bin")])
        .stdin(Stdio::null())
        .output();
    let expected = format!("tally {}", env!("CARGO_PKG_VERSION"));
    let why = match ran {
        Ok(output) if String::from_utf8_lossy(&output.stdout).trim_end() == expected => {
            return None;
        }
        Ok(output) => format!(
            "a bare shell cannot run it: {}",
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => format!("sh does not start: {error}"),
    };
    Some(
        Finding::broken(title, format!("its hooks would call {shown}; {why}"))
            .expected(format!("{expected:?} from {shown} --version"))
            .repair("install tally where it can be run, then start the agent again"),
    )
}
