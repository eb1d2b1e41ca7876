//! Which compiler can build for wasm32-wasip1 here.

use std::path::Path;

use super::{TARGET, debian};
use crate::program::{Program, on_path};
use crate::workspace::Workspace;

/// Set to `debian` to pass over the target of the default toolchain.
const CHOICE: &str = "TALLY_WASM_TOOLCHAIN";

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Toolchain {
    /// The toolchain that builds everything else has the target.
    Default { clippy: bool },
    /// Debian's compiler, which builds the standard library from source.
    Debian { clippy: bool },
}

impl Toolchain {
    /// The first that is complete.
    pub(super) fn detect(workspace: &Workspace) -> Option<Self> {
        if !is_debian_wanted() && has_target(workspace) {
            let clippy = workspace.cargo().args(["clippy", "--version"]).succeeds();
            return Some(Self::Default { clippy });
        }
        debian::is_complete().then(|| Self::Debian {
            clippy: debian::has_clippy(),
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Default { .. } => "default toolchain",
            Self::Debian { .. } => "Debian's toolchain",
        }
    }

    /// The cargo command that finds faults.
    pub(super) fn lint_command(self) -> &'static str {
        match self {
            Self::Default { clippy: true } | Self::Debian { clippy: true } => "clippy",
            Self::Default { clippy: false } | Self::Debian { clippy: false } => "check",
        }
    }

    /// `cargo <command>` with this compiler. Warnings of the compiler are errors for both.
    pub(super) fn cargo(self, workspace: &Workspace, command: &str) -> Program {
        match self {
            Self::Default { .. } => workspace
                .cargo()
                .arg(command)
                .env("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", "-D warnings"),
            Self::Debian { .. } => debian::cargo(workspace, command),
        }
    }
}

/// Whether the person wants Debian's compiler even though the default one has the target.
pub(super) fn is_debian_wanted() -> bool {
    std::env::var_os(CHOICE).is_some_and(|choice| choice == "debian")
}

/// Whether the default compiler's standard library is there for the target.
fn has_target(workspace: &Workspace) -> bool {
    if on_path("rustc").is_none() {
        return false;
    }
    let sysroot = workspace
        .program("rustc")
        .args(["--print", "sysroot"])
        .read();
    sysroot.is_ok_and(|root| {
        Path::new(&root)
            .join("lib/rustlib")
            .join(TARGET)
            .join("lib")
            .is_dir()
    })
}
