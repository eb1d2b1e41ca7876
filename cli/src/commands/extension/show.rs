//! `tally extension show`.

use session_core::manifest::{BlockedCoverage, Manifest};
use session_host::wiring::managed_files;

use super::list::reports;
use crate::context::Context;
use crate::failure::exit;

/// Shows one extension.
pub(super) fn run(manifest: &Manifest, context: &Context) -> anyhow::Result<u8> {
    let mut lines: Vec<(&str, String)> = vec![
        ("agent", format!("{} ({})", manifest.name, manifest.title)),
        ("started as", manifest.executable.command.clone()),
        ("known by", known_by(manifest)),
        ("reports", reports(&manifest.coverage)),
    ];
    match manifest.coverage.blocked {
        BlockedCoverage::Structured => {}
        BlockedCoverage::Heuristic => lines.push(("blocked", "read off a text".to_owned())),
        BlockedCoverage::None => lines.push(("blocked", "never".to_owned())),
    }
    let verified = &manifest.coverage.verified;
    let seen = if verified.is_empty() {
        "no version: it was not run".to_owned()
    } else {
        verified.join(", ")
    };
    lines.push(("seen in", seen));
    for patch in &manifest.agent_patches {
        lines.push(("argument", patch.args.join(" ")));
    }
    for patch in &manifest.env_patches {
        lines.push(("variable", format!("{}={}", patch.name, patch.value)));
    }
    for file in managed_files(manifest, &context.paths.wiring(), &context.program())? {
        let state = format!("{:?}", file.state()).to_lowercase();
        lines.push(("file", format!("{} ({state})", file.path.display())));
    }
    let text: String = lines
        .iter()
        .map(|(name, value)| format!("{name:<12}{value}\n"))
        .collect();
    context.out.data(&text)?;
    Ok(exit::OK)
}

/// The names its process is recognised by.
fn known_by(manifest: &Manifest) -> String {
    let process = &manifest.process;
    [
        &process.names,
        &process.scripts,
        &process.script_paths,
        &process.version_dirs,
    ]
    .into_iter()
    .flatten()
    .cloned()
    .collect::<Vec<_>>()
    .join(", ")
}
