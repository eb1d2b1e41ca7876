//! The arguments an agent is started with: the person's, and ours in front of them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use session_core::manifest::{AgentPatch, Manifest};

use super::managed::ManagedFile;
use super::merge::merge;
use super::merged;
use super::places::Places;

/// What the arguments came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patched {
    /// The arguments as the person gave them.
    pub person: Vec<OsString>,
    /// The arguments.
    pub args: Vec<OsString>,
    /// Variables beside the person's environment.
    pub variables: Vec<(String, OsString)>,
    /// Whether anything of ours is among them.
    pub wired: bool,
    /// The files that they name and that must be there first.
    pub files: Vec<ManagedFile>,
    /// Why something that is usually added was left out.
    pub notes: Vec<String>,
}

/// Adds the manifest's arguments to the person's. `read` reads a file of the person's settings.
///
/// Nothing is added to a subcommand that runs no session, and an option that the person gives too is merged with
/// ours; on any doubt the person's arguments stay as they are.
pub fn patch(
    manifest: &Manifest,
    args: Vec<OsString>,
    places: &Places<'_>,
    read: &dyn Fn(&Path) -> std::io::Result<String>,
) -> Patched {
    let mut patched = Patched {
        person: args.clone(),
        args,
        ..Patched::default()
    };
    let mut front = Vec::new();
    for patch in &manifest.agent_patches {
        let first = patched.args.first().map(OsString::as_os_str);
        if is_one_of(first, &patch.unless_first) {
            continue;
        }
        if let Some(theirs) = begins_with(&patched.args, &patch.unless_args) {
            patched
                .notes
                .push(format!("{} sets the same", theirs.to_string_lossy()));
            continue;
        }
        let named = places.named(&patch.args);
        let given = patch
            .merges_with
            .as_ref()
            .map(|option| (option, occurrences(&patched.args, option)));
        match given {
            Some((option, given)) if !given.is_empty() => {
                match merged(patch, option, &given, &patched.args, &named, read) {
                    Ok((place, file)) => {
                        place.replace(&mut patched.args, option, file.path.as_os_str());
                        patched.files.push(file);
                        patched.wired = true;
                    }
                    Err(why) => patched
                        .notes
                        .push(format!("{option} is left as it is: {why}")),
                }
            }
            _ => {
                front.extend(patch.args.iter().map(|arg| places.fill(arg)));
                patched.files.extend(named);
                patched.wired = true;
            }
        }
    }
    patched.args.splice(0..0, front);
    patched
}

/// Whether an argument is one of these words.
pub(super) fn is_one_of(arg: Option<&OsStr>, words: &[String]) -> bool {
    arg.is_some_and(|arg| words.iter().any(|word| arg == word.as_str()))
}

/// The first argument before a `--` that begins with one of these.
fn begins_with<'a>(args: &'a [OsString], beginnings: &[String]) -> Option<&'a OsString> {
    args.iter().take_while(|arg| *arg != "--").find(|arg| {
        beginnings
            .iter()
            .any(|beginning| arg.as_bytes().starts_with(beginning.as_bytes()))
    })
}

/// Where an option and its value stand in the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    /// `--option value`: the value's index.
    Apart(usize),
    /// `--option=value`.
    Joined(usize),
    /// The option is the last argument.
    Bare,
}

impl Place {
    fn replace(&self, args: &mut [OsString], option: &str, value: &OsStr) {
        match self {
            Self::Apart(index) => {
                if let Some(arg) = args.get_mut(*index) {
                    *arg = value.to_owned();
                }
            }
            Self::Joined(index) => {
                if let Some(arg) = args.get_mut(*index) {
                    let mut joined = OsString::from(format!("{option}="));
                    joined.push(value);
                    *arg = joined;
                }
            }
            Self::Bare => {}
        }
    }
}

/// Where the option is given, before a `--`.
fn occurrences(args: &[OsString], option: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let mut indices = 0..args.len();
    while let Some(index) = indices.next() {
        let Some(arg) = args.get(index) else { break };
        if arg == "--" {
            break;
        }
        let rest = arg.as_bytes().strip_prefix(option.as_bytes());
        match rest {
            Some([]) => places.push(indices.next().map_or(Place::Bare, Place::Apart)),
            Some([b'=', ..]) => places.push(Place::Joined(index)),
            _ => {}
        }
    }
    places
}

fn merged(
    patch: &AgentPatch,
    option: &str,
    places: &[Place],
    args: &[OsString],
    named: &[ManagedFile],
    read: &dyn Fn(&Path) -> std::io::Result<String>,
) -> Result<(Place, ManagedFile), String> {
    let [place] = places else {
        return Err("it is given more than once".to_owned());
    };
    let [file] = named else {
        return Err("there is nothing to merge it with".to_owned());
    };
    let value = match place {
        Place::Apart(index) => args.get(*index).map(OsString::as_os_str),
        Place::Joined(index) => args
            .get(*index)
            .and_then(|arg| arg.as_bytes().get(option.len() + 1..))
            .map(OsStr::from_bytes),
        Place::Bare => None,
    };
    let value = value.ok_or("it has no value")?;
    let inline = value
        .to_str()
        .map(str::trim)
        .filter(|text| text.starts_with('{'));
    let text = match inline {
        Some(text) => text.to_owned(),
        None => read(Path::new(value))
            .map_err(|error| format!("{}: {error}", Path::new(value).display()))?,
    };
    let mut theirs: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| format!("it is not JSON: {error}"))?;
    if inline.is_none()
        && patch
            .unless_theirs
            .iter()
            .any(|condition| condition.holds(&theirs, &|_| None))
    {
        return Err("it has rules that are relative to its folder".to_owned());
    }
    let ours: Value = serde_json::from_str(&file.content).map_err(|error| error.to_string())?;
    merge(&mut theirs, &ours).map_err(|clash| clash.to_string())?;
    let content = format!("{theirs:#}\n");
    let name = merged::name_for_this_process(&file.name);
    let folder = file
        .path
        .parent()
        .map(Path::to_owned)
        .unwrap_or_else(PathBuf::new);
    Ok((
        place.clone(),
        ManagedFile {
            path: folder.join(&name),
            name,
            content,
        },
    ))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::manifests;

    fn ours() -> Vec<ManagedFile> {
        vec![ManagedFile {
            name: "settings.json".to_owned(),
            path: "/w/claude/settings.json".into(),
            content: json!({"hooks": {"Stop": [{"hooks": ["ours"]}]}}).to_string(),
        }]
    }

    fn patched(args: &[&str]) -> Patched {
        let theirs = |path: &Path| match path.to_str() {
            Some("mine.json") => Ok(json!({"model": "x", "hooks": {"Stop": ["mine"]}}).to_string()),
            Some("comments.json") => Ok("{ // x\n}".to_owned()),
            Some("odd.json") => Ok(json!({"hooks": "none"}).to_string()),
            Some("anchored.json") => {
                Ok(json!({"permissions": {"deny": ["Edit(/src/**)"]}}).to_string())
            }
            _ => Err(std::io::ErrorKind::NotFound.into()),
        };
        patch(
            &manifests::find("claude").unwrap(),
            args.iter().map(OsString::from).collect(),
            &Places {
                command: "tally signal",
                files: &ours(),
            },
            &theirs,
        )
    }

    #[rstest]
    #[case(&[], &["--settings", "/w/claude/settings.json"])]
    #[case(&["-p", "hi"], &["--settings", "/w/claude/settings.json", "-p", "hi"])]
    #[case(&["say --settings x"], &["--settings", "/w/claude/settings.json", "say --settings x"])]
    #[case(&["--", "--settings"], &["--settings", "/w/claude/settings.json", "--", "--settings"])]
    #[case(&["mcp", "list"], &["mcp", "list"])]
    #[case(&["--version"], &["--version"])]
    fn ours_come_first_and_a_subcommand_stays_as_it_is(
        #[case] args: &[&str],
        #[case] all: &[&str],
    ) {
        let patched = patched(args);
        assert_eq!(patched.args, all);
        assert_eq!(patched.notes, [""; 0]);
        assert_eq!(
            patched.files,
            if args.len() == all.len() {
                vec![]
            } else {
                ours()
            }
        );
    }

    #[rstest]
    #[case(&["-c", "--settings", "mine.json", "hi"], 2)]
    #[case(&["--settings=mine.json"], 0)]
    #[case(&["--settings", r#"{"model":"x","hooks":{"Stop":["mine"]}}"#], 1)]
    fn the_persons_settings_and_ours_become_one_file(#[case] args: &[&str], #[case] place: usize) {
        let patched = patched(args);
        let [file] = &patched.files[..] else {
            panic!("{patched:?}")
        };
        let content: Value = serde_json::from_str(&file.content).unwrap();
        assert_eq!(
            content,
            json!({"model": "x", "hooks": {"Stop": ["mine", {"hooks": ["ours"]}]}})
        );
        assert!(file.name.starts_with("settings.with-"));
        let mut expected: Vec<String> = args.iter().map(ToString::to_string).collect();
        let path = file.path.to_str().unwrap();
        expected[place] = if args[place].contains("=m") {
            format!("--settings={path}")
        } else {
            path.to_owned()
        };
        let expected: Vec<OsString> = expected.into_iter().map(OsString::from).collect();
        assert_eq!(patched.args, expected);
    }

    #[rstest]
    #[case(&["--settings", "missing.json"], "missing.json: entity not found")]
    #[case(&["--settings", "comments.json"], "it is not JSON: key must be a string at line 1 column 3")]
    #[case(&["--settings", "odd.json"], "hooks is set in a form that ours does not fit into")]
    #[case(&["--settings", "anchored.json"], "it has rules that are relative to its folder")]
    #[case(&["--settings", "[]"], "[]: entity not found")]
    #[case(&["--settings", "mine.json", "--settings=mine.json"], "it is given more than once")]
    #[case(&["--settings"], "it has no value")]
    fn on_any_doubt_the_arguments_stay_as_they_are(#[case] args: &[&str], #[case] why: &str) {
        let patched = patched(args);
        assert_eq!(patched.args, args);
        assert_eq!(patched.files, []);
        assert_eq!(
            patched.notes,
            [format!("--settings is left as it is: {why}")]
        );
    }
}
