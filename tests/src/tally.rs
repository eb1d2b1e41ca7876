//! The binary under test: given, or built once for all tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of `tally`: `$TALLY_TEST_BIN` if set, else a debug build of this workspace.
///
/// # Panics
///
/// When it cannot be built: a test of the product without the product is a failure, no skip.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| std::env::var_os("TALLY_TEST_BIN").map_or_else(build, PathBuf::from))
}

fn build() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--package", "tallylight"])
        .current_dir(workspace())
        .status()
        .expect("cargo runs");
    assert!(
        status.success(),
        "cargo build --package tallylight: {status}"
    );
    target().join("debug/tally")
}

/// The workspace's root.
#[must_use]
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
}

/// The target folder that this test was built into.
///
/// # Panics
///
/// When the test executable is not below a target folder.
#[must_use]
pub fn target() -> PathBuf {
    let executable = std::env::current_exe().expect("the test's own path");
    // …/target/debug/deps/NAME, or …/target/debug/NAME for a binary.
    let profile = executable
        .ancestors()
        .find(|folder| {
            folder
                .file_name()
                .is_some_and(|name| name == "debug" || name == "release")
        })
        .expect("a target folder");
    profile.parent().expect("a target folder").to_owned()
}
