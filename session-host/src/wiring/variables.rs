//! The variables an agent is started with, beside the person's.

use std::ffi::OsString;
use std::path::Path;

use session_core::manifest::{EnvPatch, Manifest};

use super::argv::{Patched, is_one_of};
use super::places::Places;
use crate::env::Env;

/// Adds the manifest's variables to what was added to the arguments. One that the person has set stays as it is, and so
/// does the environment wherever a variable of ours would hide something of theirs.
pub fn add_variables(
    patched: &mut Patched,
    manifest: &Manifest,
    places: &Places<'_>,
    env: &Env,
    exists: &dyn Fn(&Path) -> bool,
) {
    for patch in &manifest.env_patches {
        let first = patched.person.first().map(OsString::as_os_str);
        if is_one_of(first, &patch.unless_first) {
            continue;
        }
        if let Some(why) = hides(patch, env, exists) {
            let note = format!("{} is left as it is: {why}", patch.name);
            patched.notes.push(note);
            continue;
        }
        let value = places.fill(&patch.value);
        patched.variables.push((patch.name.clone(), value));
        patched.files.extend(places.named([&patch.value]));
        patched.wired = true;
    }
}

/// What of the person's the variable would hide.
fn hides(patch: &EnvPatch, env: &Env, exists: &dyn Fn(&Path) -> bool) -> Option<String> {
    if env.get(&patch.name).is_some() {
        return Some("it is set".to_owned());
    }
    let set = patch
        .unless_set
        .iter()
        .find(|name| env.get(name).is_some())
        .map(|name| format!("{name} is set"));
    let there = patch
        .unless_exists
        .iter()
        .find(|path| exists(Path::new(path)))
        .map(|path| format!("{path} is there"));
    set.or(there)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::super::managed::ManagedFile;
    use super::*;

    fn added(variables: &[(&str, &str)], args: &[&str], there: &str) -> Patched {
        let manifest: Manifest = serde_json::from_value(json!({
            "schema": 1, "name": "a", "title": "A", "process": {}, "executable": {"command": "a"},
            "external_files": [{"name": "a.json"}], "coverage": {},
            "env_patches": [{
                "name": "A_FILE", "value": "{file:a.json}", "unless_first": ["login"],
                "unless_set": ["A_FOLDER"], "unless_exists": ["/etc/a.json"],
            }],
        }))
        .unwrap();
        let files = [ManagedFile {
            name: "a.json".to_owned(),
            path: "/w/a.json".into(),
            content: String::new(),
        }];
        let places = Places {
            command: "",
            files: &files,
        };
        let mut patched = Patched {
            person: args.iter().map(OsString::from).collect(),
            ..Patched::default()
        };
        let env: Env = variables.iter().copied().collect();
        let exists = |path: &Path| path == Path::new(there);
        add_variables(&mut patched, &manifest, &places, &env, &exists);
        patched
    }

    #[test]
    fn a_variable_is_added_with_the_file_it_names() {
        let patched = added(&[("HOME", "/h")], &["login:"], "/etc/b.json");
        assert_eq!(
            patched.variables,
            [("A_FILE".to_owned(), "/w/a.json".into())]
        );
        assert_eq!(patched.files.len(), 1);
        assert!(patched.wired);
    }

    #[rstest]
    #[case(&[("A_FILE", "/mine")], &[], "", "A_FILE is left as it is: it is set")]
    #[case(&[("A_FOLDER", "/mine")], &[], "", "A_FILE is left as it is: A_FOLDER is set")]
    #[case(&[], &[], "/etc/a.json", "A_FILE is left as it is: /etc/a.json is there")]
    #[case(&[], &["login"], "", "")]
    fn what_is_the_persons_is_not_hidden(
        #[case] variables: &[(&str, &str)],
        #[case] args: &[&str],
        #[case] there: &str,
        #[case] note: &str,
    ) {
        let patched = added(variables, args, there);
        assert!(!patched.wired && patched.variables.is_empty() && patched.files.is_empty());
        assert_eq!(patched.notes.concat(), note);
    }
}
