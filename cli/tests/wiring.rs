//! `tally extension activate`, `deactivate`, `reinstall` and `diff`.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

mod common;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Home, Outcome};
use rstest::rstest;
use serde_json::Value;

const AGENT: &str = "#!/bin/sh\ncase \"$1\" in --version) echo 9.9.9; exit ;; esac\nfor arg; do printf '<%s>\\n' \"$arg\"; done\n";
const THEIRS: &str = "{\n  // mine\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] }\n    ]\n  }\n}\n";
const FILE: &str = ".claude/settings.json";

fn home(agents: &[&str]) -> Home {
    let home = Home::new();
    for agent in agents {
        home.program(agent, AGENT);
    }
    home
}

fn read(home: &Home, name: &str) -> String {
    fs::read_to_string(home.path(name)).unwrap()
}

fn json(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).unwrap()
}

fn install(home: &Home, agent: &str) -> Value {
    let list = json(&home.run(&["extension", "list", "--json"]));
    let all = list.get("extensions").and_then(Value::as_array).unwrap();
    let found = all
        .iter()
        .find(|extension| extension.get("agent").is_some_and(|name| name == agent));
    found
        .and_then(|found| found.get("install"))
        .unwrap()
        .clone()
}

/// Everything in the home with its content.
fn tree(home: &Home) -> Vec<(PathBuf, Option<Vec<u8>>, i64)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, Option<Vec<u8>>, i64)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let about = path.symlink_metadata().unwrap();
            if about.is_dir() {
                walk(&path, found);
            } else {
                let nanos = about.mtime_nsec();
                found.push((path.clone(), fs::read(&path).ok(), nanos));
            }
        }
    }
    let mut found = Vec::new();
    walk(&home.path(""), &mut found);
    found.sort();
    found
}

#[test]
fn case_e1_a_dry_run_prints_the_exact_difference_and_changes_nothing() {
    let home = home(&["claude"]);
    home.write(FILE, THEIRS);
    let before = tree(&home);
    let dry = home.run(&["extension", "activate", "claude", "--global", "--dry-run"]);
    assert_eq!(dry.status, Some(0), "{dry:?}");
    assert_eq!(tree(&home), before);
    let gone: Vec<&str> = dry
        .stdout
        .lines()
        .filter(|line| line.starts_with("-  "))
        .collect();
    assert_eq!(
        gone,
        [
            "-      { \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] }",
            "-    ]"
        ],
        "only a comma is added to these: {}",
        dry.stdout
    );
    let diff = home.run(&["extension", "diff", "claude", "--global"]);
    assert_eq!(diff, dry);
    let done = home.run(&["extension", "activate", "claude", "--global"]);
    assert_eq!(
        (done.status, done.stdout.as_str()),
        (Some(0), ""),
        "{done:?}"
    );
    assert!(
        done.stderr.contains("settings.json was changed."),
        "{done:?}"
    );
    let now = read(&home, FILE);
    let added = dry.stdout.lines().filter(|line| line.starts_with("+ "));
    let added: Vec<&str> = added.filter_map(|line| line.strip_prefix('+')).collect();
    assert_eq!(
        added.len(),
        now.lines().count() - THEIRS.lines().count() + gone.len()
    );
    assert!(
        added
            .iter()
            .all(|added| now.lines().any(|line| line == *added))
    );
    let nothing = home.run(&["extension", "diff", "claude", "--global"]);
    assert_eq!(
        (nothing.stdout.as_str(), nothing.stderr.as_str()),
        ("", "Nothing would change.\n")
    );
    let out = home.run(&["extension", "deactivate", "claude", "--global", "--json"]);
    let document = json(&out);
    assert_eq!(document["agents"][0]["changes"][0]["change"], "changed");
    assert_eq!(read(&home, FILE), THEIRS);
}

#[test]
fn case_e3_one_agent_that_cannot_be_wired_does_not_stop_the_others() {
    let home = home(&["claude", "codex", "qwen", "pi"]);
    home.write(FILE, "{\"hooks\": {");
    let about = fs::metadata(home.path(FILE)).unwrap();
    for verb in ["activate", "deactivate"] {
        let done = home.run(&["extension", verb, "hooks", "--global", "--json"]);
        if verb == "activate" {
            assert_eq!(done.status, Some(1), "{done:?}");
            let document = json(&done);
            assert_eq!(document["ok"], false);
            let result = |agent: &str| {
                let agents = document["agents"].as_array().unwrap();
                agents
                    .iter()
                    .find(|known| known["agent"] == agent)
                    .map(|known| known["result"].clone())
            };
            assert_eq!(result("claude").unwrap(), "left");
            for agent in ["codex", "qwen", "pi"] {
                assert_eq!(result(agent).unwrap(), "done", "{agent}");
            }
            assert_eq!(result("opencode").unwrap(), "skipped");
            assert_eq!(result("crush"), None);
            assert!(home.path(".codex/hooks.json").exists());
        }
    }
    assert!(!home.path(".codex").exists());
    let now = fs::metadata(home.path(FILE)).unwrap();
    assert_eq!(read(&home, FILE), "{\"hooks\": {");
    assert_eq!(
        (now.ino(), now.mtime_nsec()),
        (about.ino(), about.mtime_nsec())
    );
    let told = home.run(&["extension", "activate", "claude", "--global"]);
    assert!(
        told.stderr.contains("settings.json: line 1, column 11: ")
            && told.stderr.contains("repair the file"),
        "{told:?}"
    );
}

#[rstest]
#[case(&["activate", "claude", "--global"], "not installed: there is no claude on the path")]
#[case(&["activate", "crush", "--global"], "has no configuration of its own that can be wired")]
#[case(&["activate", "crush"], "known by its process only")]
#[case(&["reinstall", "claude", "--global"], "not wired in its own configuration")]
#[case(&["activate", "vim"], "\"vim\" is not an agent")]
fn case_e12_what_cannot_be_done_is_told_and_nothing_is_created(
    #[case] args: &[&str],
    #[case] told: &str,
) {
    let home = home(&[]);
    let args: Vec<&str> = std::iter::once("extension")
        .chain(args.iter().copied())
        .collect();
    let done = home.run(&args);
    assert_eq!(done.status, Some(1));
    assert!(done.stderr.contains(told), "{done:?}");
    for folder in [".claude", ".crush"] {
        assert!(!home.path(folder).exists());
    }
}

#[rstest]
#[case(&["activate"])]
#[case(&["activate", "claude", "--force"])]
#[case(&["activate", "claude", "--all"])]
fn a_wrong_command_line_is_told_as_such(#[case] args: &[&str]) {
    let args: Vec<&str> = std::iter::once("extension")
        .chain(args.iter().copied())
        .collect();
    assert_eq!(Home::new().run(&args).status, Some(2));
}

#[test]
fn whoever_opts_out_stays_out_until_they_opt_in() {
    let home = home(&["claude"]);
    let wired = "<--settings>";
    assert!(home.run(&["run", "claude"]).stdout.starts_with(wired));
    let out = home.run(&["extension", "deactivate", "hooks"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    for _ in 0..2 {
        let plain = home.run(&["run", "claude", "hi"]);
        assert_eq!(
            (plain.stdout.as_str(), plain.stderr.as_str()),
            ("<hi>\n", "")
        );
        // Nothing that heals or upgrades brings it back.
        home.run(&["extension", "reinstall", "hooks"]);
        home.run(&["extension", "reinstall", "hooks", "--global"]);
        home.run(&["doctor"]);
    }
    let list = json(&home.run(&["extension", "list", "--json"]));
    let claude = list["extensions"].as_array().unwrap().iter();
    let claude = claude
        .clone()
        .find(|known| known["agent"] == "claude")
        .unwrap();
    assert_eq!(claude["opted_out"], true);
    let text = home.run(&["extension", "list"]).stdout;
    assert!(
        text.lines()
            .any(|line| line.starts_with("claude") && line.contains("as it is"))
    );
    home.run(&["extension", "activate", "claude"]);
    assert!(home.run(&["run", "claude"]).stdout.starts_with(wired));
}

#[test]
fn case_d7_a_launch_adds_nothing_where_the_agents_own_configuration_is_wired() {
    let home = home(&["claude"]);
    home.run(&["extension", "activate", "claude", "--global"]);
    assert_eq!(home.run(&["run", "claude", "hi"]).stdout, "<hi>\n");
    home.run(&["extension", "deactivate", "claude", "--global"]);
    assert!(
        home.run(&["run", "claude", "hi"])
            .stdout
            .starts_with("<--settings>")
    );
}

#[test]
fn case_f1_wiring_is_written_until_it_is_heard() {
    let home = home(&["claude", "codex"]);
    assert_eq!(install(&home, "claude")["state"], "absent");
    home.run(&["extension", "activate", "claude", "--global"]);
    let written = install(&home, "claude");
    assert_eq!(
        (&written["state"], &written["heard_ms"]),
        (&"written".into(), &Value::Null)
    );
    let told = home.run(&["extension", "activate", "codex", "--global"]);
    assert!(told.stderr.contains("Trust all and continue"), "{told:?}");
    assert_eq!(install(&home, "codex")["state"], "untrusted");
    let doctor = home.run(&["doctor"]);
    assert!(
        doctor
            .stdout
            .contains("Codex, its own configuration: the agent runs 0 of 9 hooks before you agree"),
        "{doctor:?}"
    );
    let list = home.run(&["extension", "list"]).stdout;
    assert!(list.contains("written, not heard yet"), "{list}");
    let show = home.run(&["extension", "show", "codex"]).stdout;
    assert!(show.contains("own         untrusted"), "{show}");
}

/// What the doctor says of an agent's own configuration, and how it ends.
#[rstest]
#[case::partial("\"Stop\"", "\"Other\"", "partial: ", "misses hooks.Stop", 1)]
#[case::disabled(
    "{\n",
    "{\n  \"disableAllHooks\": true,\n",
    "disabled by disableAllHooks",
    "",
    1
)]
#[case::broken("{\n", "", "settings.json: line 1", "repair the file", 1)]
#[case::whole("", "", "written, not heard yet", "", 0)]
fn case_f3_the_doctor_sees_what_is_wrong_and_changes_nothing(
    #[case] old: &str,
    #[case] new: &str,
    #[case] told: &str,
    #[case] also: &str,
    #[case] status: i32,
) {
    let home = home(&["claude"]);
    home.write(FILE, "{\n  \"model\": \"x\"\n}\n");
    home.run(&["extension", "activate", "claude", "--global"]);
    let text = read(&home, FILE);
    home.write(FILE, &text.replacen(old, new, 1));
    // Opening a database for reading makes files beside it; there is none here.
    let before = tree(&home);
    let doctor = home.run(&["doctor"]);
    assert_eq!(tree(&home), before);
    let line = doctor
        .stdout
        .lines()
        .find(|line| line.contains("Claude Code, its own configuration: "))
        .unwrap();
    assert!(line.contains(told) && line.contains(also), "{line}");
    assert_eq!(doctor.status, Some(status), "{doctor:?}");
}

#[test]
fn case_e13_wiring_that_another_program_removed_is_told_and_repaired() {
    let home = home(&["claude"]);
    home.write(FILE, THEIRS);
    home.run(&["extension", "activate", "claude", "--global"]);
    home.write(FILE, THEIRS);
    assert_eq!(install(&home, "claude")["state"], "displaced");
    let doctor = home.run(&["doctor"]);
    assert!(doctor.stdout.contains("by another program"), "{doctor:?}");
    assert_eq!(doctor.status, Some(1));
    home.run(&["extension", "reinstall", "--all", "--global"]);
    assert_eq!(install(&home, "claude")["state"], "written");
    home.run(&["extension", "deactivate", "--all", "--global"]);
    assert_eq!(read(&home, FILE), THEIRS);
}

#[test]
fn case_e12_an_edited_plugin_is_left_and_saved_beside_by_force() {
    let home = home(&["opencode"]);
    home.run(&["extension", "activate", "opencode", "--global"]);
    let file = ".config/opencode/plugin/tallylight.js";
    let edited = format!("{}// mine\n", read(&home, file));
    home.write(file, &edited);
    assert_eq!(install(&home, "opencode")["state"], "edited");
    let left = home.run(&["extension", "deactivate", "opencode", "--global"]);
    assert_eq!(left.status, Some(1));
    assert!(left.stderr.contains("was edited and was left"), "{left:?}");
    let forced = home.run(&["extension", "deactivate", "opencode", "--global", "--force"]);
    assert_eq!(forced.status, Some(0), "{forced:?}");
    assert!(!home.path(file).exists());
    assert_eq!(read(&home, &format!("{file}.1.bak")), edited);
}

/// A process that is killed at any point leaves the old file or the new one, and whatever it leaves is put right.
#[test]
fn a_kill_at_any_point_leaves_the_old_file_or_the_new_one() {
    let home = home(&["claude"]);
    home.write(FILE, THEIRS);
    home.run(&["extension", "activate", "claude", "--global"]);
    let wired = read(&home, FILE);
    let begun = Instant::now();
    home.run(&["extension", "deactivate", "claude", "--global"]);
    // How long one takes on this machine; some are to get through.
    let most = 2 * u64::try_from(begun.elapsed().as_micros()).unwrap();
    let (mut old, mut new, mut killed) = (0, 0, 0);
    // The steps of a pseudo-random walk over that time.
    let mut at: u64 = 7;
    for round in 0..400 {
        if round > 120 && old > 0 && new > 0 && killed > 20 {
            break;
        }
        at = (at * 1_103_515_245 + 12_345) % 2_147_483_648;
        let verb = if round % 2 == 0 {
            "activate"
        } else {
            "deactivate"
        };
        let mut command = home.command(Home::tally());
        command.args(["extension", verb, "claude", "--global"]);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_micros(at % most));
        child.kill().unwrap();
        if child.wait().unwrap().code().is_none() {
            killed += 1;
        }
        match read(&home, FILE).as_str() {
            text if text == THEIRS => old += 1,
            text if text == wired => new += 1,
            text => panic!("round {round}, {} µs:\n{text}", at % most),
        }
    }
    assert!(
        old > 0 && new > 0 && killed > 20,
        "{old} old, {new} new, {killed} killed"
    );
    let healed = home.run(&["extension", "activate", "claude", "--global"]);
    assert_eq!(
        (healed.status, read(&home, FILE)),
        (Some(0), wired),
        "{healed:?}"
    );
    let out = home.run(&["extension", "deactivate", "claude", "--global"]);
    assert_eq!(
        (out.status, read(&home, FILE)),
        (Some(0), THEIRS.to_owned()),
        "{out:?}"
    );
    let left: Vec<_> = fs::read_dir(home.path(".claude")).unwrap().collect();
    assert!(left.len() <= 2, "{left:?}");
}
