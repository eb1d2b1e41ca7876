//! Mistakes in what a manifest says of the agent's own configuration.

use super::check::{Mistake, is_variable};
use super::schema::Manifest;

/// The mistakes.
pub(super) fn mistakes(manifest: &Manifest) -> Vec<Mistake> {
    let mut found = Vec::new();
    let mut note = |table, index, text: String| found.push(Mistake { table, index, text });
    if let Some(home) = &manifest.config_home {
        if let Some(variable) = home.variable.as_ref().filter(|name| !is_variable(name)) {
            let text = format!("{variable:?} is not the name of a variable");
            note("config_home", None, text);
        }
        if let Some(below) = home.below.as_ref().filter(|path| !is_below(path)) {
            note("config_home", None, not_below(below));
        }
        let default = &home.default;
        if !["~/", "$XDG_CONFIG_HOME/", "/"]
            .iter()
            .any(|start| default.starts_with(start))
        {
            let text = format!("{default:?} begins neither with ~/ nor with $XDG_CONFIG_HOME/");
            note("config_home", None, text);
        }
    } else if manifest.is_global() || !manifest.switches.is_empty() {
        let text = "it says nothing of where the agent's configuration is: config_home";
        note("config_merges", None, text.to_owned());
    }
    for (index, merge) in manifest.config_merges.iter().enumerate() {
        if merge.files.is_empty() {
            note("config_merges", Some(index), "it names no file".to_owned());
        }
        for path in merge.files.iter().filter(|path| !is_below(path)) {
            note("config_merges", Some(index), not_below(path));
        }
        if !is_plain(&merge.payload) {
            let text = format!("{:?} is not a plain file name", merge.payload);
            note("config_merges", Some(index), text);
        }
    }
    for (index, file) in manifest.external_files.iter().enumerate() {
        let paths = file
            .global
            .iter()
            .chain(&file.requires_dir)
            .chain(&file.if_absent);
        for path in paths.filter(|path| !is_below(path)) {
            note("external_files", Some(index), not_below(path));
        }
        let conditions = file.requires_dir.is_some() || !file.if_absent.is_empty();
        if file.global.is_none() && conditions {
            let text = "requires_dir and if_absent are for global";
            note("external_files", Some(index), text.to_owned());
        }
    }
    for (index, switch) in manifest.switches.iter().enumerate() {
        if !is_below(&switch.file) {
            note("switches", Some(index), not_below(&switch.file));
        }
    }
    let floor = manifest.executable.floor.as_ref();
    if let Some(floor) = floor.filter(|floor| !is_version(floor)) {
        note(
            "executable",
            None,
            format!("{floor:?} is not a version such as 1.2.3"),
        );
    }
    if floor.is_some() && manifest.executable.version_args.is_empty() {
        let text = "a floor needs version_args, by which the version is asked for";
        note("executable", None, text.to_owned());
    }
    found
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains('/')
}

/// Whether a path stays in the folder that it is below.
fn is_below(path: &str) -> bool {
    !path.is_empty()
        && path
            .split('/')
            .all(|part| !part.is_empty() && part != "." && part != "..")
}

fn not_below(path: &str) -> String {
    format!("{path:?} is not a path below the agent's configuration")
}

fn is_version(text: &str) -> bool {
    text.split('.')
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    fn manifest(change: impl FnOnce(&mut Value)) -> Manifest {
        let mut sound = json!({
            "schema": 1, "name": "a", "title": "A", "process": {},
            "executable": {"command": "a", "version_args": ["-v"], "floor": "1.2.3"},
            "config_home": {"variable": "A_HOME", "below": ".a", "default": "~/.a"},
            "config_merges": [{"payload": "a.json", "files": ["a.json", "a.toml"]}],
            "external_files": [{"name": "a.js", "global": "plugin/a.js", "if_absent": ["plugins/a.js"]}],
            "switches": [{"file": "a.json", "off": {"path": "off", "any_of": ["true"]}}],
            "trust": {"kept": "codex-hashes", "step": "trust it"},
            "coverage": {},
        });
        change(&mut sound);
        serde_json::from_value(sound).unwrap()
    }

    #[test]
    fn a_sound_manifest_has_no_mistakes() {
        let sound = manifest(|_| {});
        assert_eq!(sound.mistakes(), []);
        assert!(sound.is_global() && sound.reports() && !sound.is_wired());
        assert_eq!(sound.payloads(), ["a.js", "a.json"]);
    }

    #[rstest]
    #[case("/config_home", json!(null), "config_merges", None)]
    #[case("/config_home/variable", json!("A HOME"), "config_home", None)]
    #[case("/config_home/below", json!("/x"), "config_home", None)]
    #[case("/config_home/default", json!("x"), "config_home", None)]
    #[case("/config_merges/0/files", json!([]), "config_merges", Some(0))]
    #[case("/config_merges/0/files/1", json!("../x.json"), "config_merges", Some(0))]
    #[case("/config_merges/0/payload", json!("a/b.json"), "config_merges", Some(0))]
    #[case("/external_files/0/global", json!("/x"), "external_files", Some(0))]
    #[case("/external_files/0/global", json!(null), "external_files", Some(0))]
    #[case("/external_files/0/if_absent/0", json!("a//b"), "external_files", Some(0))]
    #[case("/switches/0/file", json!("../x"), "switches", Some(0))]
    #[case("/executable/floor", json!("new"), "executable", None)]
    #[case("/executable/version_args", json!([]), "executable", None)]
    fn case_k4_a_mistake_is_found_where_it_is(
        #[case] place: &str,
        #[case] value: Value,
        #[case] table: &str,
        #[case] index: Option<usize>,
    ) {
        let mistakes = manifest(|sound| *sound.pointer_mut(place).unwrap() = value).mistakes();
        let first = mistakes
            .first()
            .map(|mistake| (mistake.table, mistake.index));
        assert_eq!(first, Some((table, index)), "{mistakes:?}");
    }
}
