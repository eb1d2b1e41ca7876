//! Agents from the npm registry, at exact versions, installed once below the target folder.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tally::target;

/// Installs `package` at `version` unless it is there, and returns the path of its `program`.
/// Tests that run at the same time, in this process or another, wait for each other.
///
/// # Panics
///
/// When npm is missing or fails: a test of a real agent without the agent is a failure, no skip.
#[must_use]
pub fn npm_program(package: &str, version: &str, program: &str) -> PathBuf {
    let tools = target().join("tools");
    fs::create_dir_all(&tools).expect("the folder of the tools");
    let prefix = tools.join(format!("{program}-{version}"));
    let path = prefix.join("node_modules/.bin").join(program);
    // Written last, so that an install that was cut short is done again.
    let complete = prefix.join("complete");
    let lock = File::create(tools.join(format!("{program}-{version}.lock"))).expect("a lock file");
    lock.lock().expect("the lock");
    if !complete.exists() {
        install(&prefix, &format!("{package}@{version}"));
        assert!(
            path.exists(),
            "{package}@{version} has no program {}",
            path.display()
        );
        File::create(complete).expect("the mark of a complete install");
    }
    path
}

fn install(prefix: &Path, what: &str) {
    let output = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--prefix"])
        .arg(prefix)
        .arg(what)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("npm is needed to install {what}: {error}"));
    assert!(
        output.status.success(),
        "npm install {what}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Installs a crate's `program` at `version` unless it is there, and returns its path. It is compiled, which takes
/// minutes, once.
///
/// # Panics
///
/// When cargo fails.
#[must_use]
pub fn cargo_program(program: &str, version: &str) -> PathBuf {
    let tools = target().join("tools");
    fs::create_dir_all(&tools).expect("the folder of the tools");
    let path = tools.join("bin").join(program);
    let lock = File::create(tools.join(format!("{program}-{version}.lock"))).expect("a lock file");
    lock.lock().expect("the lock");
    let is_there = |path: &Path| {
        let said = Command::new(path).arg("--version").output();
        said.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains(version))
    };
    if !is_there(&path) {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args([
                "install",
                "--locked",
                "--force",
                "--version",
                version,
                "--root",
            ])
            .args([tools.as_os_str(), program.as_ref()])
            .status();
        assert!(
            built.is_ok_and(|status| status.success()),
            "cargo install {program}"
        );
    }
    path
}
