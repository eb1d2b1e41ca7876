//! The alias in the person's `config.kdl`, with which a layout may say `plugin location="tally"`.
//!
//! Pure text. The file is read by the parser that zellij uses, to find the place and to check the result; the change is
//! an insertion, so every other byte stays. Each of our lines carries a mark, and goes with it.

use kdl::{KdlDocument, KdlNode};
use session_host::paths::FLAVOUR;

/// What marks our lines.
const MARK: &str = "tally: added by 'tally zellij install', which 'tally zellij uninstall' undoes";

/// Why the text is left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// zellij could not read it either.
    #[error("it cannot be read as KDL: {0}")]
    Unreadable(String),
    /// The name is taken.
    #[error("there is a plugin alias {FLAVOUR:?} already, for {0}")]
    Taken(String),
    /// There is a place, but not one that is understood.
    #[error("its plugins block cannot be added to")]
    Place,
    /// Our line was changed, so it cannot be taken out.
    #[error("the alias {FLAVOUR:?} was changed; remove it from the plugins block yourself")]
    Changed,
    /// The key cannot be written down, or the program's path.
    #[error("the key {0:?}, or the path of the program, cannot be written as plain text")]
    Key(String),
    /// The person uses the key for something else.
    #[error("the key {0:?} is bound already; name another one: --keys=KEY")]
    Bound(String),
    /// There is a place for the key, but not one that is understood.
    #[error("its keybinds block cannot be added to")]
    Keys,
}

/// The text with our alias for a plugin at `location` (a path of plain text).
///
/// # Errors
/// When in doubt; the file is then to be left alone.
pub fn install(text: &str, location: &str) -> Result<String, ConfigError> {
    let bare = uninstall(text)?;
    let document = parse(&bare)?;
    if let Some(taken) = alias(&document) {
        return if taken == url(location) {
            Ok(text.to_owned())
        } else {
            Err(ConfigError::Taken(taken))
        };
    }
    let eol = if bare.contains("\r\n") { "\r\n" } else { "\n" };
    let entry = format!("{FLAVOUR} location=\"{}\"", url(location));
    let Some(block) = document.get("plugins") else {
        // A file without a final line break ends without one again, which tells what to take back.
        let block = format!("plugins {{ // {MARK}{eol}    {entry} // {MARK}{eol}}} // {MARK}");
        let installed = if bare.is_empty() || bare.ends_with('\n') {
            format!("{bare}{block}{eol}")
        } else {
            format!("{bare}{eol}{block}")
        };
        return checked(&bare, installed, location);
    };
    let inside = block.children().ok_or(ConfigError::Place)?.span().offset();
    let (before, after) = bare.split_at_checked(inside).ok_or(ConfigError::Place)?;
    let line_end = after.find('\n').map(|end| end + 1);
    let installed = match line_end.and_then(|end| after.split_at_checked(end)) {
        Some((rest, next)) if rest.trim().is_empty() || rest.trim_start().starts_with("//") => {
            format!("{before}{rest}    {entry} // {MARK}{eol}{next}")
        }
        _ => format!("{before} {entry}; /* {MARK} */{after}"),
    };
    checked(&bare, installed, location)
}

/// The text without our alias: what it was before [`install`], to the byte.
///
/// # Errors
/// When the alias is not as it was written, or what is left could not be read.
pub fn uninstall(text: &str) -> Result<String, ConfigError> {
    let before = parse(text)?;
    let mut rest = without_inline(text);
    let open = format!("plugins {{ // {MARK}");
    let close = format!("}} // {MARK}");
    let lines: Vec<&str> = rest.split_inclusive('\n').collect();
    let has_mark = |line: &&str| line.trim_end().ends_with(&format!("// {MARK}"));
    // Our own block goes only when it holds nothing but our line.
    let whole_block = lines.windows(3).any(|lines| match lines {
        [first, _, last] => {
            first.trim_end() == open && last.trim_end() == close && lines.iter().all(has_mark)
        }
        _ => false,
    });
    let entry = format!("{FLAVOUR} location=");
    let goes = |line: &str| {
        let bare = line.trim();
        has_mark(&line) && (whole_block || bare.trim_start().starts_with(&entry))
    };
    let mut kept = String::with_capacity(rest.len());
    for line in &lines {
        if !goes(line) {
            kept.push_str(line);
        } else if !line.ends_with('\n') && kept.ends_with('\n') {
            let end = if kept.ends_with("\r\n") { 2 } else { 1 };
            kept.truncate(kept.len() - end);
        }
    }
    rest = kept;
    let after = parse(&rest).map_err(|_| ConfigError::Changed)?;
    if rest == text
        && alias(&before).is_some_and(|location| location.ends_with("/tally.wasm"))
        && text.contains(MARK)
    {
        return Err(ConfigError::Changed);
    }
    drop(after);
    Ok(rest)
}

/// What our alias stands for, if it is there.
#[must_use]
pub fn installed(text: &str) -> Option<String> {
    alias(&parse(text).ok()?)
}

/// The folder for layouts that the configuration names itself.
#[must_use]
pub fn layout_folder(text: &str) -> Option<String> {
    let document = parse(text).ok()?;
    let value = document
        .get("layout_dir")?
        .entries()
        .first()?
        .value()
        .as_string()?;
    Some(value.to_owned())
}

/// A plugin's path as zellij names it in configurations and layouts.
#[must_use]
pub fn url(location: &str) -> String {
    format!("file:{location}")
}

fn without_inline(text: &str) -> String {
    let end = format!("; /* {MARK} */");
    let begin = format!(" {FLAVOUR} location=\"");
    let cut = text.find(&end).and_then(|at| {
        let (before, after) = (text.get(..at)?, text.get(at + end.len()..)?);
        let begin = before.rfind(&begin)?;
        Some(format!("{}{after}", before.get(..begin)?))
    });
    cut.unwrap_or_else(|| text.to_owned())
}

/// Checks that nothing has changed but that the alias is there, as zellij will read it.
fn checked(bare: &str, installed: String, location: &str) -> Result<String, ConfigError> {
    let document = parse(&installed).map_err(|_| ConfigError::Place)?;
    let right = alias(&document).as_deref() == Some(url(location).as_str());
    let same = uninstall(&installed).as_deref() == Ok(bare);
    if right && same {
        Ok(installed)
    } else {
        Err(ConfigError::Place)
    }
}

fn alias(document: &KdlDocument) -> Option<String> {
    let alias = document
        .get("plugins")
        .and_then(KdlNode::children)?
        .get(FLAVOUR)?;
    let location = alias.get("location").map(kdl::KdlEntry::value);
    let location = location.or_else(|| {
        Some(
            alias
                .children()?
                .get("location")?
                .entries()
                .first()?
                .value(),
        )
    });
    Some(
        location
            .and_then(kdl::KdlValue::as_string)
            .unwrap_or_default()
            .to_owned(),
    )
}

pub(super) fn parse(text: &str) -> Result<KdlDocument, ConfigError> {
    text.parse().map_err(|error: kdl::KdlError| {
        let offset: usize = error.span.offset();
        let line = text.get(..offset).unwrap_or(text).lines().count().max(1);
        ConfigError::Unreadable(format!("line {line}: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    const PLUGIN: &str = "/home/me/.local/share/tally/tally.wasm";

    #[rstest]
    #[case("")]
    #[case("\n")]
    #[case("theme \"x\"")]
    #[case("theme \"x\"\n// the end")]
    #[case("plugins {\n    tab-bar location=\"zellij:tab-bar\"\n}\n")]
    #[case("plugins { // mine\n    a location=\"b\"\n}")]
    #[case("plugins { a location=\"b\"; }\n")]
    #[case("plugins {}\n")]
    #[case("plugins {\n}")]
    #[case("/- plugins { a location=\"b\"; }\ntheme \"x\"\n")]
    #[case(
        "// plugins {\n/* plugins { */ plugins /* x */ {\r\n    a location=\"{\" { k \"}\"; }\r\n}\r\n"
    )]
    #[case("theme \"é\"; plugins { a location=\"b\"\n}\n")]
    fn the_alias_is_there_and_the_text_comes_back_to_the_byte(#[case] text: &str) {
        let once = install(text, PLUGIN).unwrap();
        assert_eq!(installed(&once), Some(url(PLUGIN)), "{once}");
        assert_eq!(install(&once, PLUGIN).unwrap(), once);
        assert_eq!(uninstall(&once).unwrap(), text);
    }

    #[test]
    fn the_line_goes_to_the_others() {
        let text = "plugins {\n    a location=\"b\"\n}\nload_plugins {\n}\n";
        let wanted = format!(
            "plugins {{\n    {FLAVOUR} location=\"file:{PLUGIN}\" // {MARK}\n    a location=\"b\"\n}}\nload_plugins {{\n}}\n"
        );
        assert_eq!(install(text, PLUGIN).unwrap(), wanted);
    }

    #[test]
    fn case_e7_a_moved_plugin_moves_the_alias() {
        let text = "plugins {\n    a location=\"b\"\n}\n";
        let old = install(text, "/old/tally.wasm").unwrap();
        let moved = install(&old, "/new/tally.wasm").unwrap();
        assert_eq!(moved, old.replace("/old/", "/new/"));
        assert_eq!(uninstall(&moved).unwrap(), text);
    }

    #[test]
    fn what_a_person_adds_to_our_block_stays() {
        let ours = install("", PLUGIN).unwrap();
        let more = ours.replacen("    ", "    mine location=\"x\"\n    ", 1);
        let left = uninstall(&more).unwrap();
        assert_eq!(installed(&left), None);
        assert!(left.contains("mine location=\"x\""), "{left}");
        assert!(parse(&left).unwrap().get("plugins").is_some());
    }

    #[rstest]
    #[case("plugins {\n", "cannot be read")]
    #[case("plugins\n", "cannot be added to")]
    #[case(
        "plugins { tally-dev location=\"file:/other\"; tally location=\"file:/other\"; }\n",
        "already, for file:/other"
    )]
    fn case_e3_in_doubt_the_text_is_left_alone(#[case] text: &str, #[case] why: &str) {
        let error = install(text, PLUGIN).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }

    #[test]
    fn an_alias_that_was_written_by_hand_for_the_same_plugin_is_as_good() {
        let text = format!("plugins {{ {FLAVOUR} location=\"file:{PLUGIN}\"; }}\n");
        assert_eq!(install(&text, PLUGIN).unwrap(), text);
        assert_eq!(uninstall(&text).unwrap(), text);
    }

    #[test]
    fn the_layout_folder_is_read() {
        assert_eq!(
            layout_folder("layout_dir \"/x/y\"\n").as_deref(),
            Some("/x/y")
        );
        assert_eq!(layout_folder("// layout_dir \"/x/y\"\n"), None);
    }

    proptest! {
        #[test]
        fn any_text_survives_install_and_uninstall(
            lines in proptest::collection::vec(
                prop_oneof![
                    Just("plugins {\n  a location=\"b\"\n}\n".to_owned()),
                    Just("plugins { a location=\"b\"; }\n".to_owned()),
                    Just("keybinds {\r\n  normal { bind \"a\" { Quit; }; }\r\n}\r\n".to_owned()),
                    "// [a-z{}\"]{0,9}\n?",
                    "[a-z]{1,9} [0-9]{1,4};?\r?\n?",
                ],
                0..6,
            ),
        ) {
            let text = lines.concat();
            if let Ok(installed_text) = install(&text, PLUGIN) {
                prop_assert_eq!(installed(&installed_text), Some(url(PLUGIN)));
                prop_assert_eq!(uninstall(&installed_text).unwrap(), text);
                prop_assert_eq!(install(&installed_text, PLUGIN).unwrap(), installed_text);
            }
        }
    }
}
