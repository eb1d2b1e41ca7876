//! The places in a manifest's texts that are filled at launch.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::managed::ManagedFile;

/// Stands for the wired command.
const COMMAND: &str = "{command}";

/// What the places stand for.
#[derive(Clone, Copy, Debug)]
pub struct Places<'p> {
    /// The wired command.
    pub command: &'p str,
    /// The files that are kept for the agent.
    pub files: &'p [ManagedFile],
}

impl Places<'_> {
    /// Fills the places of one text.
    pub(super) fn fill(&self, text: &str) -> OsString {
        let text = with_command(text, self.command);
        let mut filled = Vec::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once("{file:") {
            filled.extend_from_slice(before.as_bytes());
            let known = after.split_once('}').and_then(|(name, after)| {
                let file = self.files.iter().find(|file| file.name == name)?;
                Some((file.path.as_os_str().as_bytes(), after))
            });
            match known {
                Some((path, after)) => {
                    filled.extend_from_slice(path);
                    rest = after;
                }
                None => {
                    filled.extend_from_slice(b"{file:");
                    rest = after;
                }
            }
        }
        filled.extend_from_slice(rest.as_bytes());
        OsString::from_vec(filled)
    }

    /// The files that these texts name.
    pub(super) fn named<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t String>,
    ) -> Vec<ManagedFile> {
        let texts: Vec<&String> = texts.into_iter().collect();
        let is_named = |file: &&ManagedFile| {
            let place = format!("{{file:{}}}", file.name);
            texts.iter().any(|text| text.contains(&place))
        };
        self.files.iter().filter(is_named).cloned().collect()
    }
}

/// Fills in the wired command, as it stands between the quotes of a JSON string. TOML and JavaScript read those too.
pub(super) fn with_command(text: &str, command: &str) -> String {
    let quoted = serde_json::Value::from(command).to_string();
    let bare = quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or_default();
    text.replace(COMMAND, bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_other_braces_stay() {
        let file = |name: &str, path: &str| ManagedFile {
            name: name.to_owned(),
            path: path.into(),
            content: String::new(),
        };
        let files = [file("a.js", "/w/{file:b.js}"), file("b.js", "/w/b.js")];
        let places = Places {
            command: r#"'/it "is"/tally' signal"#,
            files: &files,
        };
        assert_eq!(
            places.fill(r#"hooks={Stop=[{command="{command}"}]}"#),
            r#"hooks={Stop=[{command="'/it \"is\"/tally' signal"}]}"#
        );
        assert_eq!(
            places.fill("{file:a.js}:{file:c.js}:{file:b.js"),
            "/w/{file:b.js}:{file:c.js}:{file:b.js"
        );
        assert_eq!(
            places.named(&["x".to_owned(), "{file:b.js}".to_owned()]),
            [files[1].clone()]
        );
    }
}
