//! What our line does to the text of a file.

use std::path::Path;

use super::key::{Key, binds};
use super::line::{Before, line, looks_like_ours, ours};
use crate::call::UnfitPath;

/// Why the file is left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfError {
    /// The program's path cannot stand in the line.
    #[error(transparent)]
    Path(#[from] UnfitPath),
    /// The file ends in the middle of something.
    #[error("the file ends in a continued line; complete it, then run this again")]
    Continued,
    /// The person uses the key for something else.
    #[error("line {line} binds the key {key} already; name another one: --keys=KEY")]
    Bound {
        /// The key.
        key: Key,
        /// The line, from 1 on.
        line: usize,
    },
}

/// A line that looks as if it had been ours, and is not as we wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Which line it is, from 1 on.
    pub number: usize,
    /// What it holds.
    pub text: String,
}

/// The text with our line, which starts this program with the server; `None` where there is no file. A line of ours that
/// is there already is replaced where it stands, and doubles of it go (case E7).
///
/// # Errors
/// When in doubt; the file is then to be left alone.
pub fn install(text: Option<&str>, program: &Path) -> Result<String, ConfError> {
    install_with_key(text, program, None)
}

/// As [`install`], with a key that opens the picker; without one, the key that the line binds already stays.
///
/// # Errors
/// When in doubt, and when the person has bound the key to something else.
pub fn install_with_key(
    text: Option<&str>,
    program: &Path,
    key: Option<&Key>,
) -> Result<String, ConfError> {
    if let Some(key) = key {
        let lines = text.unwrap_or_default().lines();
        if let Some(taken) = lines.into_iter().position(|line| binds(line, key)) {
            let (key, line) = (key.clone(), taken + 1);
            return Err(ConfError::Bound { key, line });
        }
    }
    let known = text.and_then(|text| text.split_inclusive('\n').find_map(ours));
    let before = match (text, known) {
        (_, Some(known)) => known.before,
        (None, None) => Before::Nothing,
        (Some(text), None) if text.is_empty() || text.ends_with('\n') => Before::Text,
        (Some(_), None) => Before::OpenText,
    };
    let had = known.and_then(|known| known.key?.parse().ok());
    let line = line(program, before, key.or(had.as_ref()))?;
    let text = text.unwrap_or_default();
    if known.is_some() {
        return Ok(replaced(text, Some(&line)));
    }
    if ends_continued(text) {
        return Err(ConfError::Continued);
    }
    let end = if before == Before::OpenText { "\n" } else { "" };
    Ok(format!("{text}{end}{line}\n"))
}

/// The text without our line: what it was before [`install`], to the byte; `None` when there was no file, and nothing
/// but our line is in it now.
#[must_use]
pub fn uninstall(text: &str) -> Option<String> {
    let mut rest = replaced(text, None);
    let last = text.split_inclusive('\n').next_back().and_then(ours);
    if last.is_some_and(|last| last.before == Before::OpenText && last.glued.is_none())
        && rest.ends_with('\n')
    {
        rest.pop();
    }
    let made = text
        .split_inclusive('\n')
        .filter_map(ours)
        .any(|ours| ours.before == Before::Nothing);
    (!made || !rest.is_empty()).then_some(rest)
}

/// Whether our line is there.
#[must_use]
pub fn is_installed(text: &str) -> bool {
    text.split_inclusive('\n')
        .any(|piece| ours(piece).is_some())
}

/// The lines that look as if they had been ours: whose they are now is for the person to say.
#[must_use]
pub fn doubtful(text: &str) -> Vec<Doubt> {
    let numbered = text.lines().enumerate();
    numbered
        .filter(|(_, line)| ours(line).is_none() && looks_like_ours(line))
        .map(|(index, line)| Doubt {
            number: index + 1,
            text: line.to_owned(),
        })
        .collect()
}

/// The text with another line, or none, in the place of ours. What somebody wrote right behind it gets a line of its own.
fn replaced(text: &str, mut line: Option<&str>) -> String {
    let mut result = String::with_capacity(text.len());
    for piece in text.split_inclusive('\n') {
        let Some(ours) = ours(piece) else {
            result.push_str(piece);
            continue;
        };
        if let Some(line) = line.take() {
            result.push_str(line);
            result.push('\n');
        }
        result.push_str(ours.glued.unwrap_or_default());
    }
    result
}

/// Whether the last line ends in a backslash, which joins the next line to it, even in a comment.
fn ends_continued(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let backslashes = text.bytes().rev().take_while(|byte| *byte == b'\\').count();
    backslashes % 2 == 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    /// What marks the line of a debug build, in which tests are run.
    const MARK: &str =
        "# tally-dev: added by 'tally tmux install', which 'tally tmux uninstall' undoes";

    fn path(text: &str) -> &Path {
        Path::new(text)
    }

    #[test]
    fn the_line_starts_the_daemon_and_loads_the_lamps_in_silence() {
        let text = install(Some("set -g mouse on\n"), path("/usr/bin/tally")).unwrap();
        let wanted = format!(
            "set -g mouse on\nrun-shell -b \"'/usr/bin/tally' up --quiet >/dev/null 2>&1; \
             '/usr/bin/tally' tmux load --quiet >/dev/null 2>&1; exit 0\" {MARK}\n"
        );
        assert_eq!(text, wanted);
    }

    #[test]
    fn a_key_is_bound_in_the_same_line_stays_with_it_and_goes_with_it() {
        let text = "set -g mouse on\n";
        let key: Key = "a".parse().unwrap();
        let with = install_with_key(Some(text), path("/it's #1/tally"), Some(&key)).unwrap();
        let bind = r##" ; bind-key a run-shell -C "display-popup -c '#{client_name}' -w 90% -h 60% -E \"'/it'\\\\''s ##1/tally' pick --client '#{client_name}'\"" # tally-dev"##;
        assert!(with.contains(bind), "{with}");
        assert_eq!(install(Some(&with), path("/it's #1/tally")).unwrap(), with);
        let other: Key = "C-t".parse().unwrap();
        let moved = install_with_key(Some(&with), path("/it's #1/tally"), Some(&other)).unwrap();
        assert_eq!(moved, with.replace("bind-key a ", "bind-key C-t "));
        assert_eq!(uninstall(&with).as_deref(), Some(text));
        assert_eq!(uninstall(&moved).as_deref(), Some(text));
        let made = install_with_key(None, path("/t"), Some(&key)).unwrap();
        assert_eq!(uninstall(&made), None);
    }

    #[test]
    fn a_key_of_the_person_stays_theirs() {
        let text = "set -g mouse on\nbind a display-panes\n";
        let key: Key = "a".parse().unwrap();
        let refused = install_with_key(Some(text), path("/t"), Some(&key));
        assert_eq!(refused, Err(ConfError::Bound { key, line: 2 }));
    }

    #[test]
    fn case_e7_a_second_install_changes_nothing_and_a_moved_program_moves_the_line() {
        let once = install(Some("a\nb\n"), path("/old/tally")).unwrap();
        assert_eq!(install(Some(&once), path("/old/tally")).unwrap(), once);
        let more = format!("{once}c\n");
        let moved = install(Some(&more), path("/new/tally")).unwrap();
        assert_eq!(moved, more.replace("/old/", "/new/"));
        let doubled = format!("{once}{}", once.trim_start_matches("a\nb\n"));
        assert_eq!(install(Some(&doubled), path("/old/tally")).unwrap(), once);
    }

    #[rstest]
    #[case("")]
    #[case("\n")]
    #[case("set -g mouse on")]
    #[case("set -g mouse on\r\n")]
    #[case("# ends in two \\\\\n")]
    fn the_text_comes_back_to_the_byte(#[case] text: &str) {
        assert_eq!(
            uninstall(&install(Some(text), path("/t")).unwrap()).as_deref(),
            Some(text)
        );
    }

    #[rstest]
    #[case("set -g status-right \\\n")]
    #[case("# a comment \\")]
    fn case_e3_an_unfinished_file_is_left_alone(#[case] text: &str) {
        assert_eq!(install(Some(text), path("/t")), Err(ConfError::Continued));
    }

    #[test]
    fn a_file_that_was_made_for_the_line_goes_with_it_unless_more_is_in_it() {
        let made = install(None, path("/t")).unwrap();
        assert!(is_installed(&made));
        assert_eq!(uninstall(&made), None);
        let moved = install(Some(&made), path("/u")).unwrap();
        assert!(moved.contains("'/u'"));
        assert_eq!(uninstall(&moved), None);
        let more = format!("{made}set -g mouse on\n");
        assert_eq!(uninstall(&more).as_deref(), Some("set -g mouse on\n"));
    }

    #[test]
    fn lines_of_others_that_speak_of_us_stay() {
        let text = format!("# tally is nice\nset -g @x \"{MARK}\"\n{MARK}\n");
        assert!(!is_installed(&text));
        assert_eq!(uninstall(&text).as_deref(), Some(text.as_str()));
    }

    /// A person who appends to the file with a shell must not write behind our comment.
    #[test]
    fn our_line_has_an_end_also_where_the_line_before_it_has_none() {
        let installed = install(Some("set -g mouse on"), path("/t")).unwrap();
        assert!(installed.ends_with('\n'), "{installed}");
        let more = format!("{installed}set -g base-index 1\n");
        assert_eq!(
            uninstall(&more).as_deref(),
            Some("set -g mouse on\nset -g base-index 1\n")
        );
        let moved = install(Some(&installed), path("/u")).unwrap();
        assert_eq!(uninstall(&moved).as_deref(), Some("set -g mouse on"));
    }

    #[test]
    fn what_was_written_right_behind_our_line_becomes_a_line() {
        let installed = install(Some("a\n"), path("/t")).unwrap();
        let glued = format!("{}set -g base-index 1\n", installed.trim_end());
        assert_eq!(
            uninstall(&glued).as_deref(),
            Some("a\nset -g base-index 1\n")
        );
        let again = install(Some(&glued), path("/t")).unwrap();
        assert_eq!(again, format!("{installed}set -g base-index 1\n"));
    }

    #[test]
    fn a_line_that_was_edited_is_known_by_its_mark_and_else_told_of() {
        let installed = install(Some("a\n"), path("/t")).unwrap();
        let edited = installed.replace("tmux load --quiet", "tmux load");
        assert_eq!(uninstall(&edited).as_deref(), Some("a\n"));
        for doubted in [
            installed.replace("run-shell", "#run-shell"),
            installed.replace(MARK, "# lamps"),
        ] {
            assert_eq!(uninstall(&doubted).as_deref(), Some(doubted.as_str()));
            let found = doubtful(&doubted);
            assert_eq!(
                found.iter().map(|doubt| doubt.number).collect::<Vec<_>>(),
                [2],
                "{doubted}"
            );
        }
        assert!(doubtful(&installed).is_empty());
        let released = installed.replace("tally-dev", "tally");
        assert!(doubtful(&released).is_empty(), "another build's line");
    }

    proptest! {
        #[test]
        fn any_text_survives_install_and_uninstall(text in "(set -g [a-z]{1,9}[\\\\\"'#\r]{0,3}\n?|\n|[^\n]{0,20}\n){0,8}", program in "/[^\\p{C}]{0,20}") {
            match install(Some(&text), path(&program)) {
                Ok(installed) => {
                    prop_assert!(is_installed(&installed));
                    prop_assert_eq!(uninstall(&installed), Some(text));
                    prop_assert_eq!(install(Some(&installed), path(&program)).unwrap(), installed);
                }
                Err(err) => prop_assert_eq!(err, ConfError::Continued),
            }
        }
    }
}
