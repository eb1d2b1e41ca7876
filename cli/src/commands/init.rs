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
        .filter(|manifest| !manifest.agent_patches.is_empty());
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
            Shell::Bash | Shell::Zsh => posix_function(agent, program),
            Shell::Fish => fish_function(agent, program),
        });
    }
    text
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

fn fish_function(agent: &Manifest, program: &str) -> String {
    let (command, name, title) = (&agent.executable.command, &agent.name, &agent.title);
    let program = format!("'{}'", program.replace('\\', r"\\").replace('\'', r"\'"));
    format!(
        "function {command} --wraps {command} --description '{title}, wired by Tallylight'\n    \
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
        function claude {
          if [ -x '/usr/bin/tally' ]; then
            '/usr/bin/tally' run claude -- "$@"
          else
            command claude "$@"
          fi
        }
        "#);
        insta::assert_snapshot!(script(Shell::Fish, "/it's/tally", manifests::find("claude").iter()), @r#"
        # Tallylight: wires agents when you type their names. For config.fish: tally init fish | source
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
        let run = |script: &str| {
            let output = Command::new(program)
                .args(options)
                .arg(script)
                .env("PATH", &path)
                .env("HOME", folder.path())
                .current_dir(folder.path())
                .output()
                .unwrap();
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        let source = ". ./init";
        assert_eq!(
            run(&format!("{source}\nclaude -p 'two words'")),
            "tally: run claude -- -p two words\n"
        );
        if shell != Shell::Fish {
            let aliased = format!("{alias}\n{source}\neval 'claude x'");
            assert_eq!(run(&aliased), "tally: run claude -- --mine x\n");
        }
        fs::remove_file(&tally).unwrap();
        assert_eq!(run(&format!("{source}\nclaude -p x")), "claude: -p x\n");
    }
}
