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
/// minutes, once; `cargo xtask test` does so beforehand, at the same place.
///
/// # Panics
///
/// When cargo fails.
#[must_use]
pub fn cargo_program(program: &str, version: &str) -> PathBuf {
    let tools = target().join("tools");
    fs::create_dir_all(&tools).expect("the folder of the tools");
    let home = tools.join(format!("{program}-{version}"));
    let path = home.join("bin").join(program);
    let lock = File::create(tools.join(format!("{program}-{version}.lock"))).expect("a lock file");
    lock.lock().expect("the lock");
    if !path.exists() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let building = tools.join(format!("{program}-building"));
        let built = Command::new(cargo)
            .args(["install", "--locked", "--no-track", "--version", version])
            .arg("--root")
            .arg(&home)
            .arg("--target-dir")
            .arg(&building)
            .arg(program)
            .status();
        assert!(
            built.is_ok_and(|status| status.success()),
            "cargo install {program}"
        );
        fs::remove_dir_all(building).expect("the build folder can go");
    }
    path
}
