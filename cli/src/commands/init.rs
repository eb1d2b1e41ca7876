//! `tally init`.

use session_core::manifest::Manifest;
use session_host::manifests;
use session_host::wiring::shell_quoted;

use crate::args::{InitArgs, Shell};
use crate::context::Context;
use crate::failure::{Failure, exit};

/// Prints a function for each agent that is wired when it is started.
pub(crate) fn run(args: &InitArgs, context: &Context) -> anyhow::Result<u8> {
    let program = context.program();
    let program = program
        .to_str()
        .ok_or_else(|| Failure::failed("this program's path is not UTF-8"))?;
    let wired = manifests::all()
        .iter()
        .filter(|manifest| manifest.is_wired());
    context.out.data(&script(args.shell, program, wired))?;
    Ok(exit::OK)
}

fn script<'m>(shell: Shell, program: &str, agents: impl Iterator<Item = &'m Manifest>) -> String {
    let mut text = match shell {
        Shell::Bash => "# Tallylight: wires agents when you type their names. For ~/.bashrc: eval \"$(tally init bash)\"\n",
        Shell::Zsh => "# Tallylight: wires agents when you type their names. For ~/.zshrc: eval \"$(tally init zsh)\"\n",
        Shell::Fish => "# Tallylight: wires agents when you type their names. For config.fish: tally init fish | source\n",
    }
    .to_owned();
    for agent in agents {
        text.push_str(&match shell {
            Shell::Bash => {
                posix_known(agent)
                    + &posix_function(agent, program)
                    + &posix_alias(agent, "BASH_ALIASES")
            }
            Shell::Zsh => {
                posix_known(agent)
                    + &posix_function(agent, program)
                    + &posix_alias(agent, "aliases")
            }
            Shell::Fish => fish_function(agent, program),
        });
    }
    text
}

/// A function of the person's by that name is replaced: where it is not ours of an earlier time, a line tells of it.
fn posix_known(agent: &Manifest) -> String {
    let (command, name) = (&agent.executable.command, &agent.name);
    let warning = shell_quoted(&format!(
        "tally: your function {command} is replaced by the one that wires it; put its arguments into a function of \
         another name"
    ));
    format!(
        "case \"$(typeset -f {command} 2>/dev/null)\" in\n  '' | *' run {name} -- '*) ;;\n  *) case $- in *i*) printf \
         '%s\\n' {warning} >&2 ;; esac ;;\nesac\n"
    )
}

/// The word `function` keeps an alias of the same name from being expanded here; where the alias is typed, it
/// expands to this function with the alias's arguments, as the person wants.
fn posix_function(agent: &Manifest, program: &str) -> String {
    let (command, name, program) = (
        &agent.executable.command,
        &agent.name,
        shell_quoted(program),
    );
    format!(
        "function {command} {{\n  if [ -x {program} ]; then\n    {program} run {name} -- \"$@\"\n  else\n    \
         command {command} \"$@\"\n  fi\n}}\n"
    )
}

/// An alias that begins with another word, such as a path, never comes to the function. It is the person's, so it stays,
/// and a line tells of it where somebody can read it.
fn posix_alias(agent: &Manifest, aliases: &str) -> String {
    let command = &agent.executable.command;
    let warning = shell_quoted(&format!(
        "tally: your alias {command} starts something else than {command}, which is not wired then; let it begin with \
         {command}, or: unalias {command}"
    ));
    format!(
        "case \"${{{aliases}[{command}]-{command}}}\" in\n  '{command}' | '{command} '* | [[:upper:]_]*=*' {command}' | \
         [[:upper:]_]*=*' {command} '*) ;;\n  *) case $- in *i*) printf '%s\\n' {warning} >&2 ;; esac ;;\nesac\n"
    )
}

/// In fish an alias is a function, so that ours takes its place: where that is not ours of an earlier time, a line tells
/// of it.
fn fish_function(agent: &Manifest, program: &str) -> String {
    let (command, name, title) = (&agent.executable.command, &agent.name, &agent.title);
    let program = format!("'{}'", program.replace('\\', r"\\").replace('\'', r"\'"));
    format!(
        "if status is-interactive; and functions -q {command}; and not functions {command} | string match -q '*wired by \
         Tallylight*'\n    echo 'tally: your function or alias {command} is replaced by the one that wires it; put its \
         arguments into a function of another name' >&2\nend\n\
         function {command} --wraps {command} --description '{title}, wired by Tallylight'\n    \
         if test -x {program}\n        {program} run {name} -- $argv\n    else\n        command {command} $argv\n    \
         end\nend\n"
    )
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::process::Command;

    use rstest::rstest;

    use super::*;

    fn script_for(shell: Shell, program: &Path) -> String {
        script(shell, program.to_str().unwrap(), manifests::all().iter())
    }

    #[test]
    fn the_functions_look_as_they_should() {
        insta::assert_snapshot!(script(Shell::Zsh, "/usr/bin/tally", manifests::find("claude").iter()), @r#"
        # Tallylight: wires agents when you type their names. For ~/.zshrc: eval "$(tally init zsh)"
        case "$(typeset -f claude 2>/dev/null)" in
          '' | *' run claude -- '*) ;;
          *) case $- in *i*) printf '%s\n' 'tally: your function claude is replaced by the one that wires it; put its arguments into a function of another name' >&2 ;; esac ;;
        esac
        function claude {
          if [ -x '/usr/bin/tally' ]; then
            '/usr/bin/tally' run claude -- "$@"
          else
            command claude "$@"
          fi
        }
        case "${aliases[claude]-claude}" in
          'claude' | 'claude '* | [[:upper:]_]*=*' claude' | [[:upper:]_]*=*' claude '*) ;;
          *) case $- in *i*) printf '%s\n' 'tally: your alias claude starts something else than claude, which is not wired then; let it begin with claude, or: unalias claude' >&2 ;; esac ;;
        esac
        "#);
        insta::assert_snapshot!(script(Shell::Fish, "/it's/tally", manifests::find("claude").iter()), @r#"
        # Tallylight: wires agents when you type their names. For config.fish: tally init fish | source
        if status is-interactive; and functions -q claude; and not functions claude | string match -q '*wired by Tallylight*'
            echo 'tally: your function or alias claude is replaced by the one that wires it; put its arguments into a function of another name' >&2
        end
        function claude --wraps claude --description 'Claude Code, wired by Tallylight'
            if test -x '/it\'s/tally'
                '/it\'s/tally' run claude -- $argv
            else
                command claude $argv
            end
        end
        "#);
    }

    #[rstest]
    #[case(Shell::Bash, &["bash", "--norc", "--noprofile", "-i", "-c"], "alias claude='claude --mine'")]
    #[case(Shell::Zsh, &["zsh", "-f", "-i", "-c"], "alias claude='claude --mine'")]
    #[case(Shell::Fish, &["fish", "--no-config", "-i", "-c"], "alias claude 'claude --mine'")]
    fn the_functions_work_in_the_real_shell_also_over_an_alias(
        #[case] shell: Shell,
        #[case] argv: &[&str],
        #[case] alias: &str,
    ) {
        let (Some(program), Some(options)) = (argv.first(), argv.get(1..)) else {
            panic!()
        };
        if Command::new(program).args(["-c", "true"]).output().is_err() {
            eprintln!("skipped: {program} is not installed");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::copy("/bin/sh", &path).unwrap();
            let mut file = fs::File::create(&path).unwrap();
            std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
            path
        };
        let tally = put("it's tally", "#!/bin/sh\necho \"tally: $*\"\n");
        put("claude", "#!/bin/sh\necho \"claude: $*\"\n");
        put("init", &script_for(shell, &tally));
        let path = std::env::join_paths([folder.path(), Path::new("/usr/bin"), Path::new("/bin")])
            .unwrap();
        let ran = |script: &str| {
            Command::new(program)
                .args(options)
                .arg(script)
                .env("PATH", &path)
                .env("HOME", folder.path())
                .current_dir(folder.path())
                .output()
                .unwrap()
        };
        let run = |script: &str| String::from_utf8_lossy(&ran(script).stdout).into_owned();
        let told = |script: &str| {
            let said = String::from_utf8_lossy(&ran(script).stderr).into_owned();
            said.lines()
                .filter(|line| line.starts_with("tally: your "))
                .count()
        };
        let source = ". ./init";
        assert_eq!(
            run(&format!("{source}\nclaude -p 'two words'")),
            "tally: run claude -- -p two words\n"
        );
        if shell != Shell::Fish {
            let aliased = format!("{alias}\n{source}\neval 'claude x'");
            assert_eq!(run(&aliased), "tally: run claude -- --mine x\n");
            assert_eq!(told(&aliased), 0);
            for (alias, warnings) in [
                ("/elsewhere/claude", 1),
                ("env X=1 claude", 1),
                ("claude", 0),
                ("X=1 Y=2 claude --mine", 0),
            ] {
                let script = format!("set -u\nalias claude='{alias}'\n{source}\n{source}\ntrue");
                assert_eq!(told(&script), 2 * warnings, "{alias}");
            }
        } else {
            assert_eq!(told(&format!("{alias}\n{source}\n{source}")), 1);
        }
        if shell != Shell::Fish {
            let mine = "function claude { echo mine; }";
            let over = format!("{mine}\n{source}\n{source}");
            assert_eq!(told(&over), 1, "ours of an earlier time is none of theirs");
            assert_eq!(
                run(&format!("{over}\nclaude x")),
                "tally: run claude -- x\n"
            );
        }
        assert_eq!(told(&format!("{source}\n{source}")), 0);
        fs::remove_file(&tally).unwrap();
        assert_eq!(run(&format!("{source}\nclaude -p x")), "claude: -p x\n");
    }
}
