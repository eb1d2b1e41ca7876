//! Settings of the person's with which an agent runs nothing of ours.

use std::path::Path;

use config_merge::{Format, read};
use session_core::manifest::Manifest;

use super::foreign::read_text;

/// What switches ours off, in words; `None` where nothing does, or it cannot be read.
pub(super) fn switched_off(manifest: &Manifest, home: &Path) -> Option<String> {
    manifest.switches.iter().find_map(|switch| {
        let path = home.join(&switch.file);
        let text = read_text(&path).ok()??;
        let settings = read(Format::of_name(&switch.file), &text).ok()?;
        let off = switch.off.holds(&settings, &|_| None);
        off.then(|| format!("{} in {}", switch.off.path, path.display()))
    })
}
