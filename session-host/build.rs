//! Turns `extensions/<agent>/` into constants: one compact JSON manifest an agent, so that nothing parses TOML
//! at run time, and the payload files it names. A mistake in a manifest fails the build, with its file and line.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use session_core::manifest::Manifest;

#[expect(unreachable_pub, reason = "it is a module of the library as well")]
#[path = "src/manifest_text.rs"]
mod manifest_text;

fn main() -> ExitCode {
    match embed() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            for line in error.to_string().lines() {
                tell(&format!("cargo::error={line}"));
            }
            ExitCode::FAILURE
        }
    }
}

/// Speaks to cargo.
fn tell(line: &str) {
    println!("{line}");
}

fn embed() -> Result<(), Box<dyn Error>> {
    let variable = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .ok_or(format!("{name} is not set"))
    };
    let root = variable("CARGO_MANIFEST_DIR")?.join("../extensions");
    tell(&format!("cargo::rerun-if-changed={}", root.display()));
    let mut folders: Vec<PathBuf> = fs::read_dir(&root)
        .map_err(|error| format!("{}: {error}", root.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("extension.toml").is_file())
        .collect();
    folders.sort();
    let mut source = String::from(
        "/// Every extension of this build, by name.\nstatic EMBEDDED: &[Embedded] = &[\n",
    );
    let mut processes = Vec::new();
    for folder in &folders {
        let manifest = embed_one(folder, &mut source)?;
        processes.push((manifest.name, manifest.process));
    }
    source.push_str("];\n");
    let processes = serde_json::to_string(&processes)?;
    writeln!(
        source,
        "/// How each agent's process is recognised.\nstatic PROCESSES: &str = {processes:?};"
    )?;
    let target = variable("OUT_DIR")?.join("extensions.rs");
    #[expect(clippy::disallowed_methods, reason = "the file is the build's own")]
    fs::write(target, source)?;
    Ok(())
}

fn embed_one(folder: &Path, source: &mut String) -> Result<Manifest, Box<dyn Error>> {
    let path = folder.join("extension.toml");
    let name = folder
        .file_name()
        .and_then(|name| name.to_str())
        .ok_or("an extension's folder has an odd name")?;
    let shown = format!("extensions/{name}/extension.toml");
    let text = fs::read_to_string(&path).map_err(|error| format!("{shown}: {error}"))?;
    let manifest = manifest_text::read(&text, &shown, name, &|file| {
        fs::read_to_string(folder.join(file)).ok()
    })
    .map_err(|mistakes| mistakes.join("\n"))?;
    let mut files = String::new();
    for name in manifest.payloads() {
        let payload = folder.join(name);
        write!(files, "({name:?}, include_str!({payload:?})), ")?;
    }
    let json = serde_json::to_string(&manifest)?;
    writeln!(
        source,
        "    Embedded {{ name: {name:?}, manifest: {json:?}, files: &[{files}] }},"
    )?;
    Ok(manifest)
}
