//! Reading the text of a manifest: what is wrong with it is said with file and line.
//!
//! The build script reads the extensions of this build with it, `tally extension check` anybody's.

use session_core::manifest::{Manifest, Mistake};
use toml::de::DeTable;

/// Reads a manifest. `shown` is how its file is named, `name` that of its folder, and `beside` reads a file of some name
/// beside it.
///
/// # Errors
/// The mistakes, each with file and line.
pub fn read(
    text: &str,
    shown: &str,
    name: &str,
    beside: &dyn Fn(&str) -> Option<String>,
) -> Result<Manifest, Vec<String>> {
    let manifest: Manifest = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        vec![format!("{shown}:{line}: {}", error.message())]
    })?;
    let mut mistakes: Vec<String> = manifest
        .mistakes()
        .into_iter()
        .map(|mistake| format!("{shown}:{}: {}", place_of(text, &mistake), mistake.text))
        .collect();
    if manifest.name.as_str() != name {
        mistakes.push(format!(
            "{shown}:{}: the name {} is not the folder's, {name}",
            place_in(text, "name", None),
            manifest.name
        ));
    }
    for (index, file) in manifest.external_files.iter().enumerate() {
        if beside(&file.name).is_none() {
            mistakes.push(format!(
                "{shown}:{}: there is no {} beside it",
                place_in(text, "external_files", Some(index)),
                file.name
            ));
        }
    }
    for (index, merge) in manifest.config_merges.iter().enumerate() {
        if let Some(why) = unfit(&merge.payload, beside) {
            let place = place_in(text, "config_merges", Some(index));
            mistakes.push(format!("{shown}:{place}: {why}"));
        }
    }
    if mistakes.is_empty() {
        Ok(manifest)
    } else {
        Err(mistakes)
    }
}

/// Why a payload holds no entries.
fn unfit(name: &str, beside: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let Some(text) = beside(name) else {
        return Some(format!("there is no {name} beside it"));
    };
    match serde_json::from_str(&text) {
        Err(error) => Some(format!("{name} is not JSON: {error}")),
        Ok(payload) => config_merge::entries(&payload)
            .is_empty()
            .then(|| format!("{name} has no list with anything in it")),
    }
}

/// The line that a mistake is on, counted from 1.
fn place_of(text: &str, mistake: &Mistake) -> usize {
    place_in(text, mistake.table, mistake.index)
}

/// The line on which a table, or an entry of it, begins.
fn place_in(text: &str, table: &str, index: Option<usize>) -> usize {
    let Ok(document) = DeTable::parse(text) else {
        return 1;
    };
    let Some(value) = document.get_ref().get(table) else {
        return 1;
    };
    let entry = index
        .and_then(|index| value.get_ref().as_array()?.get(index))
        .unwrap_or(value);
    line_of(text, entry.span().start)
}

/// The line of a place in a text, counted from 1.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    1 + text
        .bytes()
        .take(offset)
        .filter(|byte| *byte == b'\n')
        .count()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const SOUND: &str = "schema = 1\nname = \"a\"\ntitle = \"A\"\n[process]\n[executable]\n\
                         command = \"a\"\n[coverage]\n";

    #[test]
    fn a_sound_manifest_is_read() {
        assert_eq!(read(SOUND, "x", "a", &|_| None).unwrap().title, "A");
    }

    #[rstest]
    #[case(SOUND, "b", "x:2: the name a is not the folder's, b")]
    #[case(
        "schema = 1\nname = ",
        "a",
        "x:2: string values must be quoted, expected literal string"
    )]
    fn a_mistake_is_told_with_its_line(#[case] text: &str, #[case] name: &str, #[case] told: &str) {
        assert_eq!(read(text, "x", name, &|_| None).unwrap_err(), [told]);
    }

    #[rstest]
    #[case("colour = 1\n", "x:8: unknown field `colour`")]
    #[case(
        "[[external_files]]\nname = \"a.js\"\n",
        "x:8: there is no a.js beside it"
    )]
    #[case(
        "[[config_merges]]\npayload = \"a.json\"\nfiles = [\"b.json\"]\n[config_home]\ndefault = \"~/.a\"\n",
        "x:8: there is no a.json beside it"
    )]
    #[case(
        "[[config_merges]]\npayload = \"broken.json\"\nfiles = [\"b.json\"]\n[config_home]\ndefault = \"~/.a\"\n",
        "x:8: broken.json is not JSON: EOF"
    )]
    #[case(
        "[[config_merges]]\npayload = \"empty.json\"\nfiles = [\"b.json\"]\n[config_home]\ndefault = \"~/.a\"\n",
        "x:8: empty.json has no list"
    )]
    #[case(
        "[[external_files]]\nname = \"a.js\"\nglobal = \"../a.js\"\n[config_home]\ndefault = \"~/.a\"\n",
        "x:8: \"../a.js\" is not a path below"
    )]
    #[case(
        "[[rules]]\nevents = []\nact = \"stop\"\n[fields]\nevent = \"e\"\n",
        "x:8: the rule names no event"
    )]
    fn what_is_added_is_told_where_it_is(#[case] more: &str, #[case] told: &str) {
        let beside = |name: &str| match name {
            "broken.json" => Some("{".to_owned()),
            "empty.json" => Some("{\"hooks\": {}}".to_owned()),
            _ => None,
        };
        let mistakes = read(&format!("{SOUND}{more}"), "x", "a", &beside).unwrap_err();
        assert!(mistakes[0].starts_with(told), "{mistakes:?}");
    }
}
