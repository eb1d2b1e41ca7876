//! Debian's newer compiler (`rustc-web`), for machines that cannot download from rustup.
//!
//! It lives beside rustup's in `/usr/bin`. Debian ships no standard library for wasm32-wasip1,
//! so cargo builds it from the packaged source, which needs the unstable `-Zbuild-std`.

use std::path::Path;

use crate::program::{Program, is_executable};
use crate::workspace::Workspace;

pub(super) const PACKAGES: &[&str] = &[
    "cargo-web",
    "libstd-rust-web-dev",
    "lld-19",
    "rust-web-clippy",
    "rust-web-src",
    "rustc-web",
    "wasi-libc",
];

const CARGO: &str = "/usr/bin/cargo";
const CLIPPY: &str = "/usr/bin/cargo-clippy";
const RUSTC: &str = "/usr/bin/rustc";
const LINKER: &str = "/usr/bin/wasm-ld-19";
const LIBC: &str = "/usr/lib/wasm32-wasi";
const STARTUP: &str = "crt1-command.o";
const SOURCE: &str = "lib/rustlib/src/rust/library/Cargo.toml";

pub(super) fn is_complete() -> bool {
    [CARGO, RUSTC, LINKER]
        .iter()
        .all(|program| is_executable(Path::new(program)))
        && Path::new(LIBC).join(STARTUP).is_file()
        && is_new_enough()
        && has_source()
}

pub(super) fn has_clippy() -> bool {
    [CLIPPY, "/usr/bin/clippy-driver"]
        .iter()
        .all(|program| is_executable(Path::new(program)))
}

pub(super) fn cargo(workspace: &Workspace, command: &str) -> Program {
    let flags = format!(
        "-D warnings -C linker-flavor=wasm-ld -C link-self-contained=no \
         -L native={LIBC} -C link-arg={LIBC}/{STARTUP}"
    );
    // cargo looks for its subcommands in its own home before the search path, where another
    // toolchain's clippy may be, so clippy is started by its full name.
    let program = if command == "clippy" {
        clean(workspace.program(CLIPPY))
            .arg(command)
            .env("CARGO", CARGO)
    } else {
        clean(workspace.program(CARGO)).arg(command)
    };
    program
        .arg("-Zbuild-std=std,panic_abort")
        .quiet_env("PATH", path_with_debian_first())
        .env("RUSTC", RUSTC)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_WASM32_WASIP1_LINKER", LINKER)
        .env("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", flags)
}

/// Without what another toolchain left in the environment.
fn clean(program: Program) -> Program {
    [
        "CARGO_ENCODED_RUSTFLAGS",
        "LD_LIBRARY_PATH",
        "RUSTFLAGS",
        "RUSTUP_TOOLCHAIN",
    ]
    .into_iter()
    .fold(program, Program::without_env)
}

fn path_with_debian_first() -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    format!("/usr/bin:{path}")
}

fn has_source() -> bool {
    let sysroot = Program::new(RUSTC).args(["--print", "sysroot"]).read();
    sysroot.is_ok_and(|root| Path::new(&root).join(SOURCE).is_file())
}

/// Whether the compiler is the one the workspace asks for, or newer.
fn is_new_enough() -> bool {
    let wanted = version(env!("CARGO_PKG_RUST_VERSION"));
    let found = clean(Program::new(RUSTC)).arg("--version").read().ok();
    found.and_then(|text| version(text.split_whitespace().nth(1)?)) >= wanted
}

fn version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??))
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(version("1.100.0") > version("1.95"));
        assert_eq!(version("1.95"), version("1.95.0"));
        assert!(version("what").is_none());
    }
}
