//! `tally extension check`.

use std::path::Path;

use session_core::manifest::Manifest;
use session_host::files::{LARGEST, read_regular_text};
use session_host::own_agents::OwnAgents;
use session_host::{manifest_text, manifests};

use crate::context::Context;
use crate::failure::{Failure, exit};

/// The name of a manifest's file.
const FILE: &str = "extension.toml";

/// Checks one extension.
pub(super) fn run(path: &Path, context: &Context) -> anyhow::Result<u8> {
    let manifest = read(path)?;
    let fields = [
        (manifest.rules.len(), "rules"),
        (manifest.external_files.len(), "files"),
    ];
    let counts = fields.map(|(count, what)| format!("{count} {what}"));
    context.out.note(&format!(
        "{}: nothing is wrong with it ({}).",
        manifest.name,
        counts.join(", ")
    ));
    Ok(exit::OK)
}

/// Checks all agents of the person's own.
pub(super) fn own(context: &Context) -> anyhow::Result<u8> {
    let own = OwnAgents::read(&context.paths.config, &manifests::is_embedded);
    if !own.mistakes.is_empty() {
        return Err(Failure::failed(own.mistakes.join("\n")).into());
    }
    let names = own.agents.iter().map(|own| own.manifest.name.as_str());
    let names = names.collect::<Vec<_>>().join(", ");
    let folder = context.paths.config.display();
    context.out.note(&if names.is_empty() {
        format!("There are no agents of your own in {folder}.")
    } else {
        format!("{folder}: nothing is wrong with your own agents ({names}).")
    });
    Ok(exit::OK)
}

/// Reads an extension that is not of this build: its folder, or the manifest in it.
///
/// # Errors
/// When it cannot be read, and for its mistakes.
pub(super) fn read(path: &Path) -> Result<Manifest, Failure> {
    let file = if path.is_dir() {
        path.join(FILE)
    } else {
        path.to_owned()
    };
    let shown = file.display().to_string();
    let text = read_regular_text(&file, LARGEST)
        .map_err(|error| Failure::failed(format!("{shown}: {error}")))?;
    let folder = file
        .canonicalize()
        .ok()
        .and_then(|file| Some(file.parent()?.to_owned()))
        .unwrap_or_default();
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    manifest_text::read(&text, &shown, &name, &|file| {
        read_regular_text(&folder.join(file), LARGEST).ok()
    })
    .map_err(|mistakes| Failure::failed(mistakes.join("\n")))
}
