//! The person's own agents: `agents.toml`, and a folder each below `extensions/`, in the configuration.
//!
//! They have the schema of the extensions of this build. A mistake costs the agent it is in; the others are known all the
//! same. `tally signal` reads them only for a name that this build does not know.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use session_core::manifest::Manifest;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use crate::files::{LARGEST, read_regular_text};
use crate::manifest_text;

/// The file of agents that need no files of their own.
pub const FILE: &str = "agents.toml";
/// The folder of those that are a folder each.
pub const FOLDER: &str = "extensions";
/// The manifest in such a folder.
const MANIFEST: &str = "extension.toml";

/// One of the person's own agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAgent {
    /// Its manifest.
    pub manifest: Manifest,
    /// The files that it names, by name.
    pub files: Vec<(String, String)>,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnAgents {
    /// The agents that are sound.
    pub agents: Vec<OwnAgent>,
    /// The mistakes, each with file and line.
    pub mistakes: Vec<String>,
}

impl OwnAgents {
    /// Reads all of them. That there are none is no mistake; an agent that is called as one of `taken` is one.
    #[must_use]
    pub fn read(config: &Path, taken: &dyn Fn(&str) -> bool) -> Self {
        let mut own = Self::default();
        let mut found: Vec<(OwnAgent, String)> = Vec::new();
        own.read_file(&config.join(FILE), &mut found);
        for folder in folders(&config.join(FOLDER)) {
            own.read_folder(&folder, &mut found);
        }
        let mut names = BTreeSet::new();
        for (agent, place) in found {
            let name = agent.manifest.name.to_string();
            if taken(&name) {
                let why = format!("{place}: Tallylight has an agent {name} of its own");
                own.mistakes.push(why);
            } else if !names.insert(name.clone()) {
                own.mistakes
                    .push(format!("{place}: there is another agent {name}"));
            } else {
                own.agents.push(agent);
            }
        }
        own
    }

    fn read_folder(&mut self, folder: &Path, found: &mut Vec<(OwnAgent, String)>) {
        let file = folder.join(MANIFEST);
        let shown = file.display().to_string();
        let beside = |name: &str| read_regular_text(&folder.join(name), LARGEST).ok();
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let read = read_regular_text(&file, LARGEST)
            .map_err(|error| vec![format!("{shown}: {error}")])
            .and_then(|text| manifest_text::read(&text, &shown, &name, &beside));
        match read {
            Ok(manifest) => {
                let files = manifest.payloads().into_iter();
                let files = files.filter_map(|name| Some((name.to_owned(), beside(name)?)));
                let files = files.collect();
                found.push((OwnAgent { manifest, files }, shown));
            }
            Err(mistakes) => self.mistakes.extend(mistakes),
        }
    }

    fn read_file(&mut self, file: &Path, found: &mut Vec<(OwnAgent, String)>) {
        let shown = file.display().to_string();
        let text = match read_regular_text(file, LARGEST) {
            Ok(text) => text,
            Err(error) if is_absent(error.kind()) => return,
            Err(error) => return self.mistakes.push(format!("{shown}: {error}")),
        };
        let line = |at: usize| manifest_text::line_of(&text, at);
        let document = match DeTable::parse(&text) {
            Ok(document) => document.into_inner(),
            Err(error) => {
                let at = error.span().map_or(1, |span| line(span.start));
                let why = format!("{shown}:{at}: {}", error.message());
                return self.mistakes.push(why);
            }
        };
        for (key, value) in document {
            let at = line(key.span().start);
            let listed = match value.into_inner() {
                DeValue::Array(listed) if key.get_ref() == "agent" => listed,
                _ => {
                    let name = key.get_ref();
                    let why =
                        format!("{shown}:{at}: unknown key `{name}`: agents are [[agent]] tables");
                    self.mistakes.push(why);
                    continue;
                }
            };
            for entry in listed {
                let place = format!("{shown}:{}", line(entry.span().start));
                match one(&entry, &shown, &line) {
                    Ok(manifest) => {
                        let files = Vec::new();
                        found.push((OwnAgent { manifest, files }, place));
                    }
                    Err(mistakes) => self.mistakes.extend(mistakes),
                }
            }
        }
    }
}

/// Reads one `[[agent]]`.
fn one(
    entry: &Spanned<DeValue<'_>>,
    shown: &str,
    line: &dyn Fn(usize) -> usize,
) -> Result<Manifest, Vec<String>> {
    let start = entry.span().start;
    let place = |table: &str| {
        let table = entry
            .get_ref()
            .as_table()
            .and_then(|entry| entry.get(table));
        line(table.map_or(start, |table| table.span().start))
    };
    let manifest =
        Manifest::deserialize(ValueDeserializer::from(entry.clone())).map_err(|error| {
            let at = line(error.span().map_or(start, |span| span.start));
            vec![format!("{shown}:{at}: {}", error.message())]
        })?;
    let mistakes = manifest.mistakes().into_iter();
    let mut mistakes: Vec<String> = mistakes
        .map(|mistake| format!("{shown}:{}: {}", place(mistake.table), mistake.text))
        .collect();
    for table in ["external_files", "config_merges"] {
        if entry
            .get_ref()
            .as_table()
            .is_some_and(|entry| entry.contains_key(table))
        {
            mistakes.push(format!(
                "{shown}:{}: an agent with files of its own is a folder {FOLDER}/{}/ beside this file",
                place(table),
                manifest.name
            ));
        }
    }
    if mistakes.is_empty() {
        Ok(manifest)
    } else {
        Err(mistakes)
    }
}

/// Whether there is no such file, or not even a folder that it could be in.
const fn is_absent(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The folders that hold a manifest, in order.
fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|folder| folder.join(MANIFEST).exists())
        .collect();
    folders.sort();
    folders
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests write agents")]
mod tests {
    use std::fs;

    use super::*;

    fn agent(name: &str) -> String {
        format!(
            "schema = 1\nname = \"{name}\"\ntitle = \"A\"\nprocess.names = [\"{name}\"]\n\
             executable.command = \"{name}\"\ncoverage = {{}}\n"
        )
    }

    fn read(folder: &Path) -> (Vec<String>, Vec<String>) {
        let own = OwnAgents::read(folder, &|name| name == "claude");
        let names = own.agents.iter().map(|own| own.manifest.name.to_string());
        let config = format!("{}/", folder.display());
        let mistakes = own.mistakes.iter().map(|text| text.replace(&config, ""));
        (names.collect(), mistakes.collect())
    }

    #[test]
    fn agents_of_both_kinds_are_read_and_none_is_no_mistake() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()), (vec![], vec![]));
        let text = format!("[[agent]]\n{}\n[[agent]]\n{}", agent("one"), agent("two"));
        fs::write(folder.path().join(FILE), text).unwrap();
        let three = folder.path().join(FOLDER).join("three");
        fs::create_dir_all(&three).unwrap();
        let with_file = "[[external_files]]\nname = \"a.js\"\n";
        fs::write(three.join("a.js"), "// js").unwrap();
        fs::write(three.join(MANIFEST), agent("three") + with_file).unwrap();
        assert_eq!(
            read(folder.path()),
            (vec!["one".into(), "two".into(), "three".into()], vec![])
        );
        let own = OwnAgents::read(folder.path(), &|_| false);
        assert_eq!(
            own.agents[2].files,
            [("a.js".to_owned(), "// js".to_owned())]
        );
    }

    #[test]
    fn a_mistake_costs_its_agent_and_is_told_with_file_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            "[[agent]]\n{}colour = 1\n[[agent]]\n{}[[agent]]\n{}[[agent]]\n{}\n[other]\n",
            agent("one"),
            agent("two"),
            agent("claude"),
            agent("two"),
        );
        fs::write(folder.path().join(FILE), text).unwrap();
        let four = folder.path().join(FOLDER).join("four");
        fs::create_dir_all(&four).unwrap();
        fs::write(four.join(MANIFEST), agent("five")).unwrap();
        let (names, mistakes) = read(folder.path());
        assert_eq!(names, ["two"]);
        let told = |begin: &str| {
            assert!(
                mistakes.iter().any(|told| told.starts_with(begin)),
                "{begin}: {mistakes:#?}"
            );
        };
        told("agents.toml:8: unknown field `colour`");
        told("agents.toml:16: Tallylight has an agent claude");
        told("agents.toml:23: there is another agent two");
        told("agents.toml:31: unknown key `other`");
        told("extensions/four/extension.toml:2: the name five is not the folder's, four");
        assert_eq!(mistakes.len(), 5);
    }

    #[test]
    fn a_file_that_is_no_toml_says_where() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), "[[agent]]\nname = \n").unwrap();
        let (names, mistakes) = read(folder.path());
        assert!(
            names.is_empty() && mistakes[0].starts_with("agents.toml:2: "),
            "{mistakes:?}"
        );
    }
}
