//! `tally extension show`.

use session_core::manifest::{BlockedCoverage, Manifest};
use session_host::clock::Clock;
use session_host::wiring::global::Problem;
use session_host::wiring::managed_files;

use super::list::reports;
use crate::context::Context;
use crate::failure::exit;
use crate::standings::{Standings, told};

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
    lines.extend(own(manifest, context));
    let text: String = lines
        .iter()
        .map(|(name, value)| format!("{name:<12}{value}\n"))
        .collect();
    context.out.data(&text)?;
    Ok(exit::OK)
}

/// What is known of its own configuration.
fn own(manifest: &Manifest, context: &Context) -> Vec<(&'static str, String)> {
    let standings = Standings::read(context);
    let mut lines = Vec::new();
    if standings.opted_out(manifest) {
        lines.push(("at launch", "not wired: it was deactivated".to_owned()));
    }
    let Some(standing) = standings.of(manifest, true) else {
        return lines;
    };
    lines.push(("own", told(&standing, context.clock.now())));
    let paths = standing.files.iter();
    lines.extend(paths.map(|path| ("own file", path.display().to_string())));
    for problem in &standing.problems {
        lines.push(("problem", problem.to_string()));
        if let Problem::Untrusted { step, .. } = problem {
            lines.push(("repair", step.clone()));
        }
    }
    lines
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
