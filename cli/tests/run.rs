//! `tally run` and the wiring it writes, with stand-ins for the agent.

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::process::{Command, Stdio};

use common::{FLAVOUR, Home, Outcome, outcome};
use rstest::rstest;
use serde_json::Value;

/// An agent that tells its process id and its arguments.
const AGENT: &str = "#!/bin/sh\necho $$\nfor arg; do printf '<%s>\\n' \"$arg\"; done\nexit 7\n";

fn settings(home: &Home) -> std::path::PathBuf {
    home.path(&format!(".config/{FLAVOUR}/wiring/claude/settings.json"))
}

#[test]
fn an_agent_that_is_started_in_a_pane_starts_the_daemon() {
    let home = Home::new();
    home.program("claude", "#!/bin/sh\n");
    let up = || home.run(&["daemon", "status"]).status;
    let run = |vars: &[(&str, &str)]| {
        let ran = home.run_with(&["run", "claude"], b"", vars);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    };
    run(&[]);
    assert_eq!(up(), Some(1), "outside of every multiplexer nobody sees it");
    run(&[("TMUX", "/nowhere,1,0"), ("TMUX_PANE", "%0")]);
    assert_eq!(up(), Some(0));
    assert_eq!(home.run(&["down"]).status, Some(0));
}

#[test]
fn the_agent_takes_the_place_of_the_command_with_its_wiring_in_front() {
    let home = Home::new();
    home.program("claude", AGENT);
    let child = home
        .command(Home::tally())
        .args(["run", "claude", "--", "-p", "two words", "--"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = child.id();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(7),
        "the status is the agent's own"
    );
    assert_eq!(output.stderr, b"");
    let path = settings(&home);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        format!(
            "{pid}\n<--settings>\n<{}>\n<-p>\n<two words>\n<-->\n",
            path.display()
        )
    );
    let written: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(written["hooks"].as_object().unwrap().len(), 12);
}

#[test]
fn an_agent_that_cannot_be_wired_is_started_all_the_same_with_one_line_of_why() {
    let home = Home::new();
    home.program("claude", AGENT);
    home.write(
        &format!(".config/{FLAVOUR}"),
        "a file where a folder should be",
    );
    let outcome = home.run(&["run", "claude", "--", "hi"]);
    assert_eq!(outcome.status, Some(7));
    assert!(
        outcome.stdout.ends_with("\n<hi>\n") && !outcome.stdout.contains("settings"),
        "{outcome:?}"
    );
    assert!(
        outcome.stderr.contains("starts without its wiring") && outcome.stderr.lines().count() == 1,
        "{outcome:?}"
    );
}

#[test]
fn a_subcommand_of_the_agent_is_left_alone() {
    let home = Home::new();
    home.program("claude", AGENT);
    let outcome = home.run(&["run", "claude", "--", "mcp", "list"]);
    assert!(
        outcome.stdout.ends_with("\n<mcp>\n<list>\n") && outcome.stdout.lines().count() == 3,
        "{outcome:?}"
    );
}

#[test]
fn the_persons_settings_are_merged_into_a_file_of_ours_and_theirs_is_not_touched() {
    let home = Home::new();
    home.program("claude", AGENT);
    let theirs = r#"{"model": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}"#;
    let file = home.write("mine.json", theirs);
    let outcome = home.run(&["run", "claude", "--", "--settings", "mine.json"]);
    let path = outcome
        .stdout
        .lines()
        .last()
        .unwrap()
        .trim_matches(['<', '>']);
    assert_ne!(path, file.to_str().unwrap());
    let merged: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(merged["model"], "x");
    let stop = merged["hooks"]["Stop"].as_array().unwrap();
    assert_eq!(
        (stop.len(), stop[0]["hooks"][0]["command"].as_str()),
        (2, Some("mine"))
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
    assert_eq!(fs::metadata(path).unwrap().mode() & 0o777, 0o600);

    // The agent has ended; what it was given goes with the next launch.
    assert_eq!(home.run(&["run", "claude"]).status, Some(7));
    assert!(!std::path::Path::new(path).exists());

    let odd = home.write("odd.json", "// comment\n{}");
    let outcome = home.run(&["run", "claude", "--", "--settings", odd.to_str().unwrap()]);
    assert!(
        outcome
            .stdout
            .ends_with(&format!("\n<--settings>\n<{}>\n", odd.display())),
        "{outcome:?}"
    );
    assert_eq!(outcome.stderr, "", "a remark is for a terminal");
}

#[test]
fn outside_every_multiplexer_a_session_is_begun_for_the_agent_under_its_own_process() {
    let home = Home::new();
    home.program("claude", "#!/bin/sh\necho $$ $TALLY_SESSION\nread -r _\n");
    let mut child = home
        .command(Home::tally())
        .args(["run", "claude"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let (pid, id) = line.trim().split_once(' ').unwrap();
    assert_eq!(pid, child.id().to_string());
    let list = || -> Value { serde_json::from_str(&home.run(&["list", "--json"]).stdout).unwrap() };
    let session = &list()["sessions"][0];
    assert_eq!(
        (session["id"].as_str(), session["agent"].as_str()),
        (Some(id), Some("claude"))
    );
    assert_eq!(
        (session["state"].as_str(), session["pid"].as_u64()),
        (Some("running"), pid.parse().ok())
    );
    drop(child.stdin.take());
    child.wait().unwrap();
    assert_eq!(list()["sessions"], serde_json::json!([]));

    let inside = home.run_with(
        &["run", "claude"],
        b"\n",
        &[("TMUX", "/nonexistent,4194303,0")],
    );
    assert_eq!(
        inside.stdout.split_whitespace().count(),
        1,
        "a pane is known by itself"
    );
    let other = home.run(&["run", "claude", "--", "mcp"]);
    assert_eq!(
        other.stdout.split_whitespace().count(),
        1,
        "no session, no reports"
    );
}

#[test]
fn what_cannot_be_started_has_the_status_a_shell_gives_it() {
    let home = Home::new();
    let missing = home.run(&["run", "claude"]);
    assert_eq!(
        (missing.status, missing.stderr.as_str()),
        (Some(127), "tally: claude: command not found\n")
    );
    home.write("bin/claude", "not executable");
    assert_eq!(home.run(&["run", "claude"]).status, Some(126));
    let unknown = home.run(&["run", "vim"]);
    assert_eq!(unknown.status, Some(127), "{unknown:?}");
    assert!(
        unknown.stderr.contains("vim") && unknown.stderr.contains("claude"),
        "{unknown:?}"
    );
    assert_eq!(home.run(&["run"]).status, Some(2));
    assert_eq!(home.run(&["run", "--help"]).status, Some(0));
}

/// A shell's function passes everything on, and so does who types `tally run` in front of a command line.
#[rstest]
#[case(&["--version"], "<--version>\n")]
#[case(&["--help"], "<--help>\n")]
#[case(&["-h"], "<-h>\n")]
#[case(&["--", "--version"], "<--version>\n")]
#[case(&["-c", "--", "--quiet", "--"], "<-c>\n<-->\n<--quiet>\n<-->\n")]
#[case(&["--", "--", "x"], "<-->\n<x>\n")]
fn every_word_after_its_name_is_the_agents(#[case] args: &[&str], #[case] given: &str) {
    let home = Home::new();
    home.program("claude", AGENT);
    let outcome = home.run(&[&["run", "claude"], args].concat());
    assert_eq!(outcome.status, Some(7), "{outcome:?}");
    assert!(outcome.stdout.ends_with(given), "{outcome:?}");
}

/// Case D4: hooks run in a bare shell without the person's path, and the program may be called anything.
#[test]
fn case_d4_the_wired_command_works_in_a_bare_environment_by_the_stable_path() {
    let home = Home::new();
    home.program("claude", AGENT);
    let versions = home.path("versions/1.0 beta");
    fs::create_dir_all(&versions).unwrap();
    fs::copy(Home::tally(), versions.join("tally")).unwrap();
    std::os::unix::fs::symlink(versions.join("tally"), home.path("bin/tally")).unwrap();
    let mut run = home.command("sh");
    run.args(["-c", "exec tally run claude"]);
    assert_eq!(outcome(run, b"").status, Some(7));

    let written: Value = serde_json::from_slice(&fs::read(settings(&home)).unwrap()).unwrap();
    let command = written["hooks"]["Stop"][0]["hooks"][0]["command"]
        .as_str()
        .unwrap();
    assert!(
        command.starts_with(&format!("'{}' ", home.path("bin/tally").display())),
        "{command}"
    );
    let mut bare = Command::new("/usr/bin/env");
    bare.arg("-i")
        .arg(format!("HOME={}", home.path("").display()))
        .args(["PATH=/usr/bin:/bin", "sh", "-c", command])
        .current_dir("/");
    assert_eq!(
        outcome(bare, br#"{"hook_event_name":"Stop"}"#),
        Outcome::silent()
    );
    let list = home.run_with(&["list", "--json"], b"", &[]);
    let list: Value = serde_json::from_str(&list.stdout).unwrap();
    assert_eq!(list["unrouted"]["count"], 1, "it arrived");

    fs::remove_file(home.path("bin/tally")).unwrap();
    let mut gone = Command::new("/usr/bin/env");
    gone.args(["-i", "PATH=/usr/bin:/bin", "sh", "-c", command]);
    assert_eq!(outcome(gone, b"{}"), Outcome::silent());
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.status, Some(1), "{doctor:?}");
    assert!(
        doctor.stdout.contains("bin/tally, which is not there"),
        "{doctor:?}"
    );
}
