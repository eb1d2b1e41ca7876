//! The one line of ours in the person's `tmux.conf`: where it goes, and back to the byte (design §8).
//!
//! The line makes a fresh server show the lamps with no further step, and says nothing when the program is not there:
//!
//! ```text
//! run-shell -b "'/usr/bin/tally' up --quiet >/dev/null 2>&1; '/usr/bin/tally' tmux load --quiet …; exit 0" # tally: …
//! ```
//!
//! - It stands last, so that a theme or a plugin manager before it has set the status line already.
//! - Where there was no file, its mark says so: then the file goes with the line, if nothing else is in it by then.
//!
//! Pure text: reading and replacing the file is the caller's, with the care that foreign files need.

use std::path::{Path, PathBuf};

use session_host::env::Env;

use crate::call::{UnfitPath, run_shell};

macro_rules! mark {
    ($what:literal) => {
        if cfg!(debug_assertions) {
            concat!(
                "# tally-dev: added ",
                $what,
                "by 'tally tmux install', which 'tally tmux uninstall' undoes"
            )
        } else {
            concat!(
                "# tally: added ",
                $what,
                "by 'tally tmux install', which 'tally tmux uninstall' undoes"
            )
        }
    };
}

/// What marks our line. A debug build has a line of its own.
const MARK: &str = mark!("");
/// What marks it in a file that was made for it.
const MARK_MADE: &str = mark!("with this file ");

/// Why the file is left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfError {
    /// The program's path cannot stand in the line.
    #[error(transparent)]
    Path(#[from] UnfitPath),
    /// The file ends in the middle of something.
    #[error("the file ends in a continued line; complete it, then run this again")]
    Continued,
}

/// The text with our line, which starts this program with the server; `None` where there is no file. A line of ours that
/// is there already is replaced where it stands, and doubles of it go (case E7).
///
/// # Errors
/// When in doubt; the file is then to be left alone.
pub fn install(text: Option<&str>, program: &Path) -> Result<String, ConfError> {
    let made = text.is_none_or(|text| text.split_inclusive('\n').any(is_made));
    let line = line(program, if made { MARK_MADE } else { MARK })?;
    let text = text.unwrap_or_default();
    if is_installed(text) {
        return Ok(replaced(text, &line));
    }
    if ends_continued(text) {
        return Err(ConfError::Continued);
    }
    // A file without a final line break ends without one again, which tells what to take back.
    Ok(if text.is_empty() || text.ends_with('\n') {
        format!("{text}{line}\n")
    } else {
        format!("{text}\n{line}")
    })
}

/// The text without our line: what it was before [`install`], to the byte; `None` when there was no file, and nothing
/// but our line is in it now.
#[must_use]
pub fn uninstall(text: &str) -> Option<String> {
    let mut rest = String::with_capacity(text.len());
    let mut made = false;
    for piece in text.split_inclusive('\n') {
        if !is_ours(piece) {
            rest.push_str(piece);
            continue;
        }
        made |= is_made(piece);
        if !piece.ends_with('\n') && rest.ends_with('\n') {
            rest.pop();
        }
    }
    (!made || !rest.is_empty()).then_some(rest)
}

/// Whether our line is there.
#[must_use]
pub fn is_installed(text: &str) -> bool {
    text.split_inclusive('\n').any(is_ours)
}

/// The file for our line: the last one of those tmux reads, or the one it would read if there is none.
#[must_use]
pub fn file(env: &Env) -> Option<PathBuf> {
    let home = env.path("HOME");
    let of_home = |file: &str| home.as_ref().map(|home| home.join(file));
    let files = [
        of_home(".tmux.conf"),
        env.path("XDG_CONFIG_HOME")
            .map(|base| base.join("tmux/tmux.conf")),
        of_home(".config/tmux/tmux.conf"),
    ];
    let there = files.iter().flatten().rfind(|file| file.is_file());
    // Where the person keeps tmux's folder, the file belongs into it.
    let folder = || {
        files
            .iter()
            .skip(1)
            .flatten()
            .find(|file| file.parent().is_some_and(Path::is_dir))
    };
    there
        .or_else(folder)
        .or(files.first().and_then(Option::as_ref))
        .cloned()
}

fn is_ours(line: &str) -> bool {
    ends_in(line, MARK) || is_made(line)
}

/// Whether the line says that its file was made for it.
fn is_made(line: &str) -> bool {
    ends_in(line, MARK_MADE)
}

fn ends_in(line: &str, mark: &str) -> bool {
    line.trim_end().ends_with(mark) && line.trim_start().starts_with("run-shell")
}

fn replaced(text: &str, line: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut placed = false;
    for piece in text.split_inclusive('\n') {
        if !is_ours(piece) {
            result.push_str(piece);
        } else if !placed {
            placed = true;
            result.push_str(line);
            result.push_str(if piece.ends_with('\n') { "\n" } else { "" });
        } else if !piece.ends_with('\n') && result.ends_with('\n') {
            result.pop();
        }
    }
    result
}

/// Whether the last line ends in a backslash, which joins the next line to it, even in a comment.
fn ends_continued(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let backslashes = text.bytes().rev().take_while(|byte| *byte == b'\\').count();
    backslashes % 2 == 1
}

fn line(program: &Path, mark: &str) -> Result<String, UnfitPath> {
    let call = run_shell(program, &["up --quiet", "tmux load --quiet"])?;
    Ok(format!("{call} {mark}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

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

    #[test]
    fn the_file_is_the_last_one_that_tmux_reads() {
        let home = tempfile::tempdir().unwrap();
        let env: Env = [("HOME", home.path())].into_iter().collect();
        let plain = home.path().join(".tmux.conf");
        let xdg = home.path().join(".config/tmux/tmux.conf");
        assert_eq!(file(&env), Some(plain.clone()));
        std::fs::create_dir_all(xdg.parent().unwrap()).unwrap();
        assert_eq!(file(&env), Some(xdg.clone()));
        std::fs::File::create(&plain).unwrap();
        assert_eq!(file(&env), Some(plain));
        std::fs::File::create(&xdg).unwrap();
        assert_eq!(file(&env), Some(xdg));
        let elsewhere = home.path().join("elsewhere");
        let env: Env = [
            ("HOME", home.path()),
            ("XDG_CONFIG_HOME", elsewhere.as_path()),
        ]
        .into_iter()
        .collect();
        std::fs::remove_file(home.path().join(".config/tmux/tmux.conf")).unwrap();
        assert_eq!(file(&env), Some(home.path().join(".tmux.conf")));
        assert_eq!(file(&Env::default()), None);
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
