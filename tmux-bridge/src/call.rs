//! Calls of this program, as they stand in a `tmux.conf`.
//!
//! - `run-shell` without `-b` would hold up the server, and its output or a status other than 0 would open a view in
//!   the person's pane (facts §6): hence `-b`, the redirections and `exit 0`.
//! - The path passes through tmux's parser, its formats and the shell, and is quoted for all three. It is absolute:
//!   tmux need not have the person's `PATH`.

use std::path::{Path, PathBuf};

/// The program's path cannot stand in a tmux.conf.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the path {0:?} cannot be written into tmux.conf; install tally under an absolute path of plain text"
)]
pub struct UnfitPath(PathBuf);

/// The line that runs the program with each of these arguments, one after the other and in silence.
pub(crate) fn run_shell(program: &Path, calls: &[&str]) -> Result<String, UnfitPath> {
    let tally = for_shell(fit(program)?);
    let calls: String = calls
        .iter()
        .map(|call| format!("{tally} {call} >/dev/null 2>&1; "))
        .collect();
    // `run-shell` expands its argument as a format, where a `#` is doubled.
    let script = format!("{calls}exit 0").replace('#', "##");
    Ok(format!("run-shell -b {}", for_tmux(&script)))
}

/// The line that binds a key to the picker in a popup of the client that the key was pressed in.
///
/// `display-popup` expands no format in its command, and a popup does not know its client: so `run-shell -C` writes the
/// client's name down first (facts §9).
pub(crate) fn bind_picker(program: &Path, key: &str) -> Result<String, UnfitPath> {
    let tally = for_shell(fit(program)?);
    let client = "#{client_name}";
    let shell = format!("{} pick --client '{client}'", tally.replace('#', "##"));
    let popup = format!(
        "display-popup -c '{client}' -w 90% -h 60% -E {}",
        for_tmux(&shell)
    );
    Ok(format!("bind-key {key} run-shell -C {}", for_tmux(&popup)))
}

/// The program's path as the value of an option.
pub(crate) fn value(program: &Path) -> Result<String, UnfitPath> {
    fit(program).map(for_tmux)
}

fn fit(program: &Path) -> Result<&str, UnfitPath> {
    program
        .to_str()
        .filter(|path| path.starts_with('/') && !path.chars().any(char::is_control))
        .ok_or_else(|| UnfitPath(program.to_owned()))
}

fn for_shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Quoted for tmux's parser.
fn for_tmux(text: &str) -> String {
    let mut quoted = String::from('"');
    for char in text.chars() {
        if matches!(char, '"' | '\\' | '$') {
            quoted.push('\\');
        }
        quoted.push(char);
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn a_path_is_quoted_for_all_that_read_it() {
        assert_eq!(
            run_shell(Path::new("/it's #1/tally"), &["up --quiet", "tmux load"]).unwrap(),
            r#"run-shell -b "'/it'\\''s ##1/tally' up --quiet >/dev/null 2>&1; '/it'\\''s ##1/tally' tmux load >/dev/null 2>&1; exit 0""#
        );
        assert_eq!(
            value(Path::new(r#"/a "b" $c#/tally"#)).unwrap(),
            r#""/a \"b\" \$c#/tally""#
        );
    }

    #[rstest]
    #[case("tally")]
    #[case("/a\nb/tally")]
    #[case("")]
    fn a_path_that_cannot_be_written_down_is_refused(#[case] program: &str) {
        assert_eq!(
            run_shell(Path::new(program), &["up"]),
            Err(UnfitPath(program.into()))
        );
    }
}
