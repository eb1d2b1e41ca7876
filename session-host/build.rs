//! Turns `extensions/<agent>/` into constants: one compact JSON manifest an agent, so that nothing parses TOML
//! at run time, and the payload files it names. A mistake in a manifest fails the build, with its file and line.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use session_core::manifest::{Manifest, Mistake};
use toml::de::DeTable;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../extensions");
    tell(&format!("cargo::rerun-if-changed={}", root.display()));
    match embed(&root) {
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

fn embed(root: &Path) -> Result<(), Box<dyn Error>> {
    let mut folders: Vec<PathBuf> = fs::read_dir(root)
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
    let target = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?)
        .join("extensions.rs");
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
    let manifest: Manifest = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(&text, span.start));
        format!("{shown}:{line}: {}", error.message())
    })?;
    let mut mistakes: Vec<String> = manifest
        .mistakes()
        .into_iter()
        .map(|mistake| format!("{shown}:{}: {}", place_of(&text, &mistake), mistake.text))
        .collect();
    if manifest.name.as_str() != name {
        mistakes.push(format!(
            "{shown}:1: the name {} is not the folder's",
            manifest.name
        ));
    }
    let mut files = String::new();
    for file in &manifest.external_files {
        let payload = folder.join(&file.name);
        if payload.is_file() {
            write!(files, "({:?}, include_str!({:?})), ", file.name, payload)?;
        } else {
            mistakes.push(format!("{shown}:1: there is no {} beside it", file.name));
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes.join("\n").into());
    }
    let json = serde_json::to_string(&manifest)?;
    writeln!(
        source,
        "    Embedded {{ name: {name:?}, manifest: {json:?}, files: &[{files}] }},"
    )?;
    Ok(manifest)
}

/// The line that a mistake is on, counted from 1.
fn place_of(text: &str, mistake: &Mistake) -> usize {
    let Ok(table) = DeTable::parse(text) else {
        return 1;
    };
    let Some(value) = table.get_ref().get(mistake.table) else {
        return 1;
    };
    let entry = mistake
        .index
        .and_then(|index| value.get_ref().as_array()?.get(index))
        .unwrap_or(value);
    line_of(text, entry.span().start)
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text
        .bytes()
        .take(offset)
        .filter(|byte| *byte == b'\n')
        .count()
}
