//! Which agent a process is (cases C1 to C3). Names are compared whole; an argument that merely mentions an agent
//! makes nothing an agent.

use std::path::Path;

use session_core::AgentName;
use session_core::manifest::ProcessMatch;

use super::table::{ProcessStat, ProcessTable};

/// Programs that run a script given as their first argument.
const INTERPRETERS: [&str; 9] = [
    "node", "nodejs", "bun", "deno", "python", "python2", "python3", "ruby", "perl",
];
/// Shells: interpreters as well, and what a pane holds when nothing runs in it.
const SHELLS: [&str; 14] = [
    "sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "ash", "tcsh", "csh", "nu", "elvish",
    "xonsh", "pwsh",
];
/// How a process is the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is the agent's own program.
    Program,
    /// It is an interpreter that runs the agent's script, which may start the program proper as its child.
    Script,
}

/// Recognises agents by their manifests.
#[derive(Clone, Debug, Default)]
pub struct Recogniser {
    known: Vec<(AgentName, ProcessMatch)>,
}

impl Recogniser {
    /// A recogniser of these agents; the first that matches wins.
    #[must_use]
    pub const fn new(known: Vec<(AgentName, ProcessMatch)>) -> Self {
        Self { known }
    }

    /// The agent that a process is, if any.
    #[must_use]
    pub fn recognise(
        &self,
        table: &dyn ProcessTable,
        stat: &ProcessStat,
    ) -> Option<(AgentName, Role)> {
        let argv = table.argv(stat.pid);
        let started_as = argv
            .first()
            .map(|name| base_name(name).trim_start_matches('-').to_owned())
            .unwrap_or_default();
        if is_shell(&started_as) || is_interpreter(&started_as) {
            if let Some(script) = script(&started_as, &argv)
                && let Some(agent) = self.by_script(script)
            {
                return Some((agent, Role::Script));
            }
            // A program may have renamed itself, as node programs do, but a shell is a shell.
            return (!is_shell(&started_as))
                .then(|| self.by_name(&[&stat.comm], None))?
                .map(|agent| (agent, Role::Script));
        }
        let exe = table.exe(stat.pid);
        let exe_name = exe
            .as_deref()
            .and_then(Path::file_name)
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let agent = self.by_name(&[&stat.comm, &started_as, exe_name], exe.as_deref())?;
        // A script that named its process after itself is still run by its interpreter.
        let role = if is_interpreter(exe_name) || is_shell(exe_name) {
            Role::Script
        } else {
            Role::Program
        };
        Some((agent, role))
    }

    fn by_name(&self, names: &[&str], exe: Option<&Path>) -> Option<AgentName> {
        let fits = |known: &ProcessMatch| {
            names
                .iter()
                .any(|name| known.names.iter().any(|one| one == name))
                || exe.is_some_and(|exe| {
                    known
                        .version_dirs
                        .iter()
                        .any(|folder| named_by_version(exe, folder))
                })
        };
        self.known
            .iter()
            .find(|(_, known)| fits(known))
            .map(|(agent, _)| agent.clone())
    }

    fn by_script(&self, script: &str) -> Option<AgentName> {
        let name = base_name(script);
        let fits = |known: &ProcessMatch| {
            known
                .scripts
                .iter()
                .chain(&known.names)
                .any(|one| one == name)
                || known.script_paths.iter().any(|part| has_part(script, part))
        };
        self.known
            .iter()
            .find(|(_, known)| fits(known))
            .map(|(agent, _)| agent.clone())
    }
}

/// Whether this is the name of a shell.
pub(super) fn is_shell(name: &str) -> bool {
    SHELLS.contains(&name)
}

fn is_interpreter(name: &str) -> bool {
    let name = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    INTERPRETERS.contains(&name)
}

/// Whether a shell was started without anything to run, so that it shows a prompt.
pub(super) fn is_prompt(argv: &[String]) -> bool {
    let name = argv
        .first()
        .map_or("", |name| base_name(name).trim_start_matches('-'));
    is_shell(name)
        && script(name, argv).is_none()
        && !argv.iter().skip(1).any(|arg| runs_inline(name, arg))
}

/// Programs behind which anything may run, on another machine or in another place of this one (case B10).
const REMOTE: [&str; 17] = [
    "autossh",
    "distrobox",
    "distrobox-enter",
    "docker",
    "et",
    "kubectl",
    "lxc",
    "machinectl",
    "mosh",
    "mosh-client",
    "nerdctl",
    "oc",
    "podman",
    "screen",
    "ssh",
    "tmux",
    "zellij",
];

/// Whether what a process does goes on elsewhere.
pub(super) fn is_remote(argv: &[String]) -> bool {
    argv.first()
        .is_some_and(|name| REMOTE.contains(&base_name(name)))
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The script in command position: the first argument that is no option, or the module of `python -m`.
fn script<'a>(interpreter: &str, argv: &'a [String]) -> Option<&'a str> {
    let mut args = argv.iter().skip(1).map(String::as_str);
    while let Some(arg) = args.next() {
        match arg {
            "-m" if interpreter.starts_with("python") => return args.next(),
            "--" => return args.next(),
            "run" if matches!(interpreter, "bun" | "deno") => {}
            _ if runs_inline(interpreter, arg) => return None,
            _ if takes_value(interpreter, arg) => {
                args.next();
            }
            _ if arg.starts_with('-') && arg.len() > 1 => {}
            _ => return Some(arg),
        }
    }
    None
}

/// Whether the option says that the program is on the command line, so that no script follows.
fn runs_inline(interpreter: &str, arg: &str) -> bool {
    if is_shell(interpreter) {
        // `-c`, also as the last of several letters, as in `-lc`.
        let letters = arg.strip_prefix('-').unwrap_or_default();
        return letters.ends_with('c') && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    }
    if interpreter.starts_with("python") {
        return arg == "-c";
    }
    matches!(arg, "-e" | "--eval" | "-p" | "--print" | "-pe")
}

/// Whether the option's value is the next argument.
fn takes_value(interpreter: &str, arg: &str) -> bool {
    if is_shell(interpreter) {
        return matches!(arg, "-o" | "-O" | "--rcfile" | "--init-file");
    }
    if interpreter.starts_with("python") {
        return matches!(arg, "-W" | "-X");
    }
    matches!(
        arg,
        "-r" | "--require"
            | "--import"
            | "--loader"
            | "--experimental-loader"
            | "-C"
            | "--config"
            | "-I"
    )
}

/// Whether a program is named by a version number in the agent's folder for versions (case C1).
fn named_by_version(exe: &Path, folder: &str) -> bool {
    let version = exe
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| name.starts_with(|char: char| char.is_ascii_digit()));
    version && exe.parent().is_some_and(|parent| parent.ends_with(folder))
}

/// Whether a path has this part, from the beginning of a folder's name on.
fn has_part(path: &str, part: &str) -> bool {
    path.match_indices(part)
        .any(|(at, _)| at == 0 || path.get(..at).is_some_and(|before| before.ends_with('/')))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::fake::FakeProcesses;
    use super::*;

    fn recogniser() -> Recogniser {
        let claude = ProcessMatch {
            names: vec!["claude".into()],
            scripts: vec!["claude.js".into()],
            script_paths: vec!["@anthropic-ai/claude-code/".into()],
            version_dirs: vec!["claude/versions".into()],
        };
        let aider = ProcessMatch {
            names: vec!["aider".into()],
            ..ProcessMatch::default()
        };
        Recogniser::new(vec![
            ("claude".parse().unwrap(), claude),
            ("aider".parse().unwrap(), aider),
        ])
    }

    fn seen(table: &FakeProcesses) -> Option<(String, Role)> {
        let (agent, role) = recogniser().recognise(table, &table.stat(7).unwrap())?;
        Some((agent.to_string(), role))
    }

    #[rstest]
    #[case("/home/u/.local/share/claude/versions/2.1.34", Some("claude"))]
    #[case("/opt/mytool/2.1.34", None)]
    #[case("/home/u/claude/versions/old/2.1.34", None)]
    #[case("/home/u/myclaude/versions/2.1.34", None)]
    #[case("/home/u/.local/share/claude/versions/rollback", None)]
    fn case_c1_a_program_named_by_its_version_is_known_by_its_folder(
        #[case] exe: &str,
        #[case] agent: Option<&str>,
    ) {
        let table = FakeProcesses::default()
            .with(7, 1, "2.1.34 --continue")
            .exe(7, exe);
        assert_eq!(seen(&table).map(|(agent, _)| agent).as_deref(), agent);
    }

    #[rstest]
    #[case("vim claude")]
    #[case("vim /home/u/claude/notes")]
    #[case("grep -r claude .")]
    #[case("tail -f claude.log")]
    #[case("claudette")]
    #[case("my-claude")]
    #[case("python3 train.py --model claude")]
    #[case("python3 -c claude")]
    #[case("node -e claude")]
    #[case("node server.js /x/@anthropic-ai/claude-code/cli.js")]
    #[case("node /x/not@anthropic-ai/claude-code/cli.js")]
    #[case("bash -c claude")]
    #[case("bash -lc claude")]
    #[case("zsh -ic claude")]
    #[case("ssh host claude")]
    #[case("tmux new-session claude")]
    #[case("docker run claude")]
    fn case_c2_an_argument_that_mentions_an_agent_is_not_the_agent(#[case] command: &str) {
        assert_eq!(
            seen(&FakeProcesses::default().with(7, 1, command)),
            None,
            "{command}"
        );
    }

    #[rstest]
    #[case("claude --continue", "claude", Role::Program)]
    #[case("/usr/local/bin/claude", "claude", Role::Program)]
    #[case("node /usr/local/bin/claude", "claude", Role::Script)]
    #[case(
        "node --max-old-space-size=4096 -r ./x.js /x/node_modules/@anthropic-ai/claude-code/cli.js",
        "claude",
        Role::Script
    )]
    #[case("/usr/bin/node22 claude.js", "claude", Role::Script)]
    #[case("bun run claude.js", "claude", Role::Script)]
    #[case("python3.12 -m aider --model x", "aider", Role::Script)]
    #[case("python3 -X dev /home/u/.local/bin/aider", "aider", Role::Script)]
    #[case("bash /usr/local/bin/claude", "claude", Role::Script)]
    #[case("sh -eu -o pipefail /usr/local/bin/claude", "claude", Role::Script)]
    fn case_c3_an_agent_is_known_by_its_program_or_by_the_script_in_command_position(
        #[case] command: &str,
        #[case] agent: &str,
        #[case] role: Role,
    ) {
        assert_eq!(
            seen(&FakeProcesses::default().with(7, 1, command)),
            Some((agent.to_owned(), role)),
            "{command}"
        );
    }

    #[test]
    fn a_node_program_that_renamed_itself_is_known_by_its_new_name() {
        let table = FakeProcesses::default()
            .with(7, 1, "claude")
            .exe(7, "/usr/bin/node");
        assert_eq!(seen(&table), Some(("claude".to_owned(), Role::Script)));
        let table = FakeProcesses::default()
            .with(7, 1, "node /opt/x.js")
            .comm(7, "claude");
        assert_eq!(seen(&table), Some(("claude".to_owned(), Role::Script)));
        // A shell whose script is called so keeps its word: `bash` at its prompt is no agent.
        let table = FakeProcesses::default()
            .with(7, 1, "bash")
            .comm(7, "claude");
        assert_eq!(seen(&table), None);
    }

    #[rstest]
    #[case("-zsh", true)]
    #[case("bash --login", true)]
    #[case("/usr/bin/fish", true)]
    #[case("bash -c make", false)]
    #[case("bash -lc make", false)]
    #[case("bash build.sh", false)]
    #[case("vim", false)]
    fn a_shell_without_anything_to_run_shows_a_prompt(#[case] command: &str, #[case] prompt: bool) {
        let argv: Vec<String> = command.split(' ').map(str::to_owned).collect();
        assert_eq!(is_prompt(&argv), prompt);
    }
}
