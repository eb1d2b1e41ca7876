//! Aliases in the person's shells that go past the function of `tally init`.
//!
//! What a running shell holds cannot be seen from here; the files that it reads can. They are read as text, line by
//! line, and never run.

use std::path::PathBuf;

use session_core::manifest::Manifest;
use session_core::view::clean;
use session_host::env::Env;
use session_host::files::{LARGEST, read_regular_text};

use super::finding::Finding;
use crate::context::Context;

/// A family of shells, as far as aliases go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// An alias is a text that is put in front; the function stays behind it.
    Posix,
    /// An alias is a function, and the last one of a name holds.
    Fish,
}

/// The aliases of an agent's name that start it without its wiring.
pub(super) fn aliases(manifest: &Manifest, context: &Context) -> Vec<Finding> {
    let command = &manifest.executable.command;
    let mut findings = Vec::new();
    for (family, file) in files(&context.env) {
        let text = read_regular_text(&file, LARGEST).unwrap_or_default();
        for (index, line) in text.lines().enumerate() {
            if !goes_past(family, line, command) {
                continue;
            }
            let found = format!(
                "{}:{}: {}",
                file.display(),
                index + 1,
                clean(line.trim(), 120)
            );
            findings.push(
                Finding::warning(format!("alias {command}"), found)
                    .expected(format!(
                        "an alias that begins with the word {command}: what another one starts is not wired"
                    ))
                    .repair(match family {
                        Family::Posix => format!("let it begin with {command}, or remove it"),
                        Family::Fish => {
                            "give it another name: whichever of it and ours comes last holds".to_owned()
                        }
                    }),
            );
        }
    }
    findings
}

/// The files in which people define aliases, as far as they are there.
fn files(env: &Env) -> Vec<(Family, PathBuf)> {
    let home = env.path("HOME");
    let below = |base: Option<PathBuf>, name: &str| base.map(|base| base.join(name));
    let of_home = |name: &str| below(home.clone(), name);
    let zsh = |name: &str| below(env.path("ZDOTDIR").or_else(|| home.clone()), name);
    let config = env.path("XDG_CONFIG_HOME").or_else(|| of_home(".config"));
    let posix = [
        of_home(".bashrc"),
        of_home(".bash_aliases"),
        of_home(".bash_profile"),
        of_home(".profile"),
        zsh(".zshrc"),
        zsh(".zprofile"),
    ];
    let fish = below(config, "fish/config.fish");
    let of = |family| move |file: PathBuf| (family, file);
    posix
        .into_iter()
        .flatten()
        .map(of(Family::Posix))
        .chain(fish.map(of(Family::Fish)))
        .collect()
}

/// Whether a line makes an alias of the command that does not come to our function.
fn goes_past(family: Family, line: &str, command: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix("alias ") else {
        return false;
    };
    let rest = rest
        .trim_start()
        .trim_start_matches("-- ")
        .trim_start_matches("-s ")
        .trim_start_matches("--save ");
    let Some(value) = rest.strip_prefix(command) else {
        return false;
    };
    match family {
        Family::Fish => value.starts_with(['=', ' ']),
        Family::Posix => value
            .strip_prefix('=')
            .is_some_and(|value| first_word(value) != command),
    }
}

/// The command of an alias's text, behind what it sets for it.
fn first_word(value: &str) -> &str {
    let text = value.trim_start_matches(['\'', '"']);
    text.split([' ', '\'', '"', ';', '#'])
        .find(|word| !word.is_empty() && !word.contains('='))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("alias claude=/x/claude", true)]
    #[case("  alias claude=\"$HOME/.claude/local/claude\"", true)]
    #[case("alias claude='env X=1 claude'", true)]
    #[case("alias claude='command claude'", true)]
    #[case("alias claude='claude --mine'", false)]
    #[case("alias claude=claude", false)]
    #[case("alias claude='X=1 Y=2 claude'", false)]
    #[case("alias claudette=/x/claude", false)]
    #[case("alias c=/x/claude", false)]
    #[case("# alias claude=/x/claude", false)]
    #[case("unalias claude", false)]
    fn an_alias_goes_past_when_it_begins_with_another_word(#[case] line: &str, #[case] past: bool) {
        assert_eq!(goes_past(Family::Posix, line, "claude"), past);
    }

    #[rstest]
    #[case("alias claude 'claude --mine'", true)]
    #[case("alias --save claude='claude --mine'", true)]
    #[case("alias claudette claude", false)]
    fn in_fish_every_alias_of_the_name_is_another_function(#[case] line: &str, #[case] past: bool) {
        assert_eq!(goes_past(Family::Fish, line, "claude"), past);
    }
}
