//! Puts the zellij plugin into the program, when whoever builds it says where it is (`cargo xtask wasm`).

use std::path::PathBuf;
use std::{env, fs, io};

/// Names the built plugin.
const VARIABLE: &str = "TALLY_PLUGIN_WASM";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let out = env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .ok_or(io::ErrorKind::NotFound)?;
    let embedded = out.join("plugin.wasm");
    match env::var_os(VARIABLE).map(PathBuf::from) {
        Some(plugin) => {
            println!("cargo::rerun-if-changed={}", plugin.display());
            fs::copy(plugin, embedded)?;
        }
        // Without it the program is complete but for `tally zellij install`, which says so.
        None => drop(fs::File::create(embedded)?),
    }
    Ok(())
}
