//! What of the person's own still names the layout or the plugin: zellij does not start with a default layout that is not
//! there.

use std::fs;
use std::path::{Path, PathBuf};

use session_host::files::{LARGEST, read_regular_text};
use session_host::paths::FLAVOUR;

use super::places::Places;

/// Each such line of the configuration and of the layouts, as `file:line: text`.
#[must_use]
pub fn dependents(places: &Places) -> Vec<String> {
    let layouts = fs::read_dir(&places.layouts)
        .into_iter()
        .flatten()
        .flatten();
    let mut layouts: Vec<PathBuf> = layouts.map(|entry| entry.path()).collect();
    layouts.sort();
    layouts.retain(|path| path.extension().is_some_and(|end| end == "kdl"));
    let files = std::iter::once(&places.config).chain(&layouts);
    files.flat_map(|file| in_file(file)).collect()
}

fn in_file(file: &Path) -> Vec<String> {
    // One that is not there or cannot be read names nothing that we know of.
    let text = read_regular_text(file, LARGEST).unwrap_or_default();
    let lines = text.lines().enumerate().filter(|(_, line)| names_us(line));
    lines
        .map(|(number, line)| format!("{}:{}: {}", file.display(), number + 1, line.trim()))
        .collect()
}

fn names_us(line: &str) -> bool {
    let line = line.trim_start();
    let said = |before: &str| {
        line.match_indices(before).any(|(at, _)| {
            let rest = line.get(at + before.len()..).unwrap_or_default();
            let rest = rest.trim_start_matches([' ', '=']);
            rest.strip_prefix(&format!("\"{FLAVOUR}\"")).is_some()
        })
    };
    !line.starts_with("//")
        && !line.starts_with("/-")
        && [
            "default_layout",
            "location",
            "LaunchOrFocusPlugin",
            "LaunchPlugin",
        ]
        .into_iter()
        .any(said)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("default_layout \"NAME\"", true)]
    #[case("    plugin location=\"NAME\"", true)]
    #[case(
        "bind \"Alt t\" { LaunchOrFocusPlugin \"NAME\" { floating true; }; }",
        true
    )]
    #[case("// default_layout \"NAME\"", false)]
    #[case("default_layout \"compact\"", false)]
    #[case("NAME location=\"file:/x\"", false)]
    #[case("theme \"NAME\"", false)]
    fn what_needs_us_is_found(#[case] line: &str, #[case] needs: bool) {
        assert_eq!(names_us(&line.replace("NAME", FLAVOUR)), needs);
    }
}
