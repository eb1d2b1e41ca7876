//! Case K1: folders whose names are commands to a shell, to tmux or to a printf, in whatever is written for others to run.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::servers::wait;
use common::{FLAVOUR, Home, outcome};
use rstest::rstest;
use serde_json::Value;

/// What somebody may call a folder, each to break out of another quoting.
const NAMES: [&str; 6] = [
    "a'b$(touch X)",
    "\"; do shell script \"touch X\"",
    "`touch X`;touch X&touch X|touch X",
    "#(touch X)#{pid}%H%n",
    "two words ~ * ? [a] {b,c} !! $HOME",
    "ends with a backslash\\",
];

/// Where whatever was run by mistake would have left its file.
fn marks(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_name() == "X" {
                found.push(path);
            } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            }
        }
    }
    found
}

/// A home with the program in such a folder, which comes first in the path. Its settings are kept in another one.
struct Hostile {
    home: Home,
    name: &'static str,
}

impl Hostile {
    fn new(name: &'static str) -> Self {
        let home = Home::new();
        let folder = home.path(name);
        fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(Home::tally(), folder.join("tally")).unwrap();
        fs::create_dir(home.path("c")).unwrap();
        fs::create_dir(home.path("c").join(name)).unwrap();
        Self { home, name }
    }

    fn tally(&self) -> PathBuf {
        self.home.path(self.name).join("tally")
    }

    fn config(&self) -> PathBuf {
        self.home.path("c").join(self.name)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = self.home.command(program);
        let folders = [
            self.home.path(self.name),
            self.home.path("bin"),
            "/usr/bin".into(),
            "/bin".into(),
        ];
        command
            .env("PATH", std::env::join_paths(folders).unwrap())
            .env("XDG_CONFIG_HOME", self.config());
        command
    }

    #[track_caller]
    fn unharmed(&self) {
        assert_eq!(
            marks(&self.home.path("")),
            [] as [PathBuf; 0],
            "{}",
            self.name
        );
    }
}

#[rstest]
fn case_k1_the_functions_of_the_shells_start_the_program_in_any_folder(
    #[values(
        &["bash", "--norc", "--noprofile"],
        &["zsh", "-f"],
        &["fish", "--no-config"]
    )]
    shell: &[&str],
) {
    let (program, options) = shell.split_first().unwrap();
    if Command::new(program).args(["-c", "true"]).output().is_err() {
        eprintln!("skipped: {program} is not installed");
        return;
    }
    for name in NAMES {
        let hostile = Hostile::new(name);
        hostile.home.program(
            "claude",
            "#!/bin/sh\nfor arg; do printf '<%s>\\n' \"$arg\"; done\n",
        );
        let init = match *program {
            "fish" => "tally init fish | source".to_owned(),
            shell => format!("eval \"$(tally init {shell})\""),
        };
        let script = format!("{init}\nclaude -p 'two  $(touch X)'\n");
        let mut command = hostile.command(program);
        command.args(options).args(["-c", &script]);
        let ran = outcome(command, b"");
        let settings = hostile
            .config()
            .join(FLAVOUR)
            .join("wiring/claude/settings.json");
        assert_eq!(
            ran.stdout,
            format!(
                "<--settings>\n<{}>\n<-p>\n<two  $(touch X)>\n",
                settings.display()
            ),
            "{name}: {ran:?}"
        );
        hostile.unharmed();
    }
}

/// All hooks of the settings that an agent is started with, as the agent would run them.
#[test]
fn case_k1_the_wired_commands_of_any_folder_report_and_run_nothing_else() {
    for name in NAMES {
        let hostile = Hostile::new(name);
        hostile.home.program("claude", "#!/bin/sh\ntrue\n");
        let mut run = hostile.command("sh");
        run.args(["-c", "exec tally run claude"]);
        let ran = outcome(run, b"");
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{name}");
        let settings = hostile
            .config()
            .join(FLAVOUR)
            .join("wiring/claude/settings.json");
        let settings: Value = serde_json::from_slice(&fs::read(settings).unwrap()).unwrap();
        let hooks = settings.get("hooks").unwrap().as_object().unwrap();
        let mut count = 0;
        for group in hooks.values().flat_map(|groups| groups.as_array().unwrap()) {
            for hook in group.get("hooks").unwrap().as_array().unwrap() {
                let command = hook.get("command").unwrap().as_str().unwrap();
                assert!(command.contains("tally"), "{command}");
                let mut shell = hostile.command("sh");
                shell.args(["-c", command]);
                let ran = outcome(shell, br#"{"hook_event_name":"Stop"}"#);
                assert_eq!(ran, common::Outcome::silent(), "{command}");
                count += 1;
            }
        }
        let mut list = hostile.command("tally");
        list.args(["list", "--json"]);
        let list: Value = serde_json::from_str(&outcome(list, b"").stdout).unwrap();
        assert_eq!(
            list.pointer("/unrouted/count"),
            Some(&Value::from(count)),
            "{name}: each of them arrived"
        );
        hostile.unharmed();
    }
}

/// Every agent that can be wired gets the program's path in some form: on its command line, in a variable, in a file.
#[test]
fn case_k1_no_launch_from_any_folder_runs_anything_but_the_agent() {
    for name in NAMES {
        let hostile = Hostile::new(name);
        for agent in ["claude", "codex", "opencode", "pi", "qwen"] {
            hostile.home.program(agent, "#!/bin/sh\necho started\n");
            let mut run = hostile.command("tally");
            run.args(["run", agent]);
            let ran = outcome(run, b"");
            assert_eq!(
                (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
                (Some(0), "started\n", ""),
                "{agent}: {name}"
            );
        }
        hostile.unharmed();
    }
}

/// tmux reads the line three times over: as its configuration, as a format, and by a shell.
#[test]
fn case_k1_the_line_in_tmux_conf_starts_the_program_in_any_folder() {
    for name in NAMES {
        let hostile = Hostile::new(name);
        let conf = hostile.home.path("tmux.conf");
        let mut install = hostile.command("tally");
        install.args(["tmux", "install", "--file"]).arg(&conf);
        let installed = outcome(install, b"");
        assert_eq!(installed.status, Some(0), "{name}: {installed:?}");
        let tmux = |args: &[&str]| {
            let mut command = hostile.command("tmux");
            command.arg("-f").arg(&conf).args(["-L", "k"]).args(args);
            outcome(command, b"")
        };
        assert_eq!(
            tmux(&["new-session", "-d", "-s", "work", "sh"]).status,
            Some(0)
        );
        let format = || tmux(&["show-options", "-gv", "window-status-format"]).stdout;
        let loaded = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            wait("the lamps", || format().contains("_lamp}"));
        }));
        let (shown, written) = (format(), fs::read_to_string(&conf).unwrap());
        let mut down = hostile.command("tally");
        down.arg("down");
        outcome(down, b"");
        tmux(&["kill-server"]);
        assert!(loaded.is_ok(), "{name}: {shown}\n{written}");
        std::thread::sleep(Duration::from_millis(100));
        hostile.unharmed();
        let mut uninstall = hostile.command("tally");
        uninstall.args(["tmux", "uninstall", "--file"]).arg(&conf);
        assert_eq!(outcome(uninstall, b"").status, Some(0), "{name}");
        assert!(!conf.exists(), "{name}");
    }
}

/// The lines that a person copies.
#[test]
fn case_k1_the_snippets_can_be_read_by_tmux_in_any_folder() {
    for name in NAMES {
        let hostile = Hostile::new(name);
        // The module for catppuccin needs that theme, and names no program.
        for kind in ["plain", "tpm"] {
            let mut snippet = hostile.command("tally");
            snippet.args(["tmux", "snippet", kind]);
            let snippet = outcome(snippet, b"");
            assert_eq!(snippet.status, Some(0), "{name}: {snippet:?}");
            let conf = hostile.home.write("snippet.conf", &snippet.stdout);
            let tmux = |args: &[&str]| {
                let mut command = hostile.command("tmux");
                command.args(["-f", "/dev/null", "-L", kind]).args(args);
                outcome(command, b"")
            };
            assert_eq!(
                tmux(&["new-session", "-d", "-s", "work", "sh"]).status,
                Some(0)
            );
            let read = tmux(&["source-file", conf.to_str().unwrap()]);
            let program = tmux(&["show-options", "-gqv", "@tally_command"]).stdout;
            let mut down = hostile.command("tally");
            down.arg("down");
            outcome(down, b"");
            tmux(&["kill-server"]);
            assert_eq!(
                (read.status, read.stderr.as_str()),
                (Some(0), ""),
                "{kind}: {name}"
            );
            if kind == "tpm" {
                assert_eq!(
                    program.trim_end_matches('\n'),
                    hostile.tally().to_str().unwrap(),
                    "{name}"
                );
            }
        }
        hostile.unharmed();
    }
}
