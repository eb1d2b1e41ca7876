//! Whether an agent that is started now reports by its own configuration.

use std::path::Path;

use config_merge::{Made, look};
use session_core::manifest::Manifest;

use super::asked;
use super::foreign::read_text;
use super::record::Record;
use super::switch::switched_off;
use super::target::{Content, targets};
use crate::config_home::config_home;
use crate::env::Env;

/// Whether all of ours is where this agent reads it in this environment, calls this program, and is not switched off. Then
/// nothing of the kind is added at launch, and no event is told twice (case D7). On any doubt the answer is no: a report
/// that comes twice counts once.
#[must_use]
pub fn in_place(manifest: &Manifest, env: &Env, program: &Path, record: &Record) -> bool {
    let agent = manifest.name.as_str();
    let Some(Ok(home)) = manifest
        .config_home
        .as_ref()
        .map(|home| config_home(home, &asked(env)))
    else {
        return false;
    };
    if !manifest.is_global() || switched_off(manifest, &home).is_some() {
        return false;
    }
    let Ok(targets) = targets(manifest, &home, program, record) else {
        return false;
    };
    targets.iter().all(|target| {
        let known = record
            .at(agent, &target.path)
            .is_some_and(|written| written.done);
        let text = read_text(&target.path).ok().flatten();
        known
            && text.is_some_and(|text| match &target.content {
                Content::Entries { format, entries } => {
                    look(*format, &text, entries, &Made::default())
                        .is_ok_and(|look| look.is_whole())
                }
                Content::File { text: ours, .. } => *ours == text,
            })
    })
}
