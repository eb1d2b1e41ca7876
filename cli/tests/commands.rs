//! The commands around the sessions, with an empty world and with bad input.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

mod common;

use std::fs::{self, File};
use std::io::Write;
use std::process::Stdio;

use common::{FLAVOUR, Home, Outcome, outcome};
use rstest::rstest;
use serde_json::Value;
use session_core::{Act, Event, Policy, Session, Signal, SignalSource, Time, apply};
use session_host::clock::{Clock, SystemClock};
use session_host::host::machine;
use session_host::paths::Paths;
use session_host::process::{ProcessTable, SystemProcesses};
use session_host::store::{Row, Store};

fn paths(home: &Home) -> Paths {
    let env = [
        ("HOME", home.path("")),
        ("XDG_RUNTIME_DIR", home.path("run")),
    ]
    .into_iter()
    .collect();
    Paths::from_env(&env).unwrap()
}

/// Puts a session outside every multiplexer into the store, held by this very process.
fn put_session(home: &Home, id: &str, acts: &[Act]) {
    let now = SystemClock.now();
    let mut session = Session::new(id.parse().unwrap(), machine(), None, now);
    let table: SystemProcesses = Default::default();
    session.process = table
        .stat(std::process::id())
        .ok()
        .map(|stat| stat.reference());
    session.agent = "claude".parse().ok();
    let mut effects = Vec::new();
    for (index, act) in acts.iter().enumerate() {
        let at = Time(now.0 - 1_000_000 + i64::try_from(index).unwrap());
        let signal = Signal {
            at,
            source: SignalSource::Wired,
            act: act.clone(),
            actor: None,
            agent: None,
            agent_session: None,
            message: Some("a message".to_owned()),
            event: "test".to_owned(),
            fingerprint: at.0.unsigned_abs(),
        };
        effects.extend(apply(&mut session, Event::Signal(signal), &Policy::default(), now).effects);
    }
    let mut store = Store::open_writing(&paths(home), std::time::Duration::from_secs(5)).unwrap();
    store
        .write(now, |transaction| {
            transaction.save(&Row::new(session.clone()), &effects)
        })
        .unwrap();
}

const ONE: &str = "01900000-0000-7000-8000-000000000001";
const TWO: &str = "01900000-0000-7000-8000-000000000002";

fn done() -> [Act; 2] {
    [
        Act::Prompt,
        Act::Stop {
            background: Some(false),
            settle_ms: 0,
        },
    ]
}

#[test]
fn case_c7_an_empty_world_is_told_as_such() {
    let home = Home::new();
    let list = home.run(&["list"]);
    assert_eq!((list.status, list.stdout.as_str()), (Some(0), ""));
    assert_eq!(list.stderr, "No agents.\nNo tmux server is running.\n");
    let status = home.run(&["status"]);
    assert_eq!((status.status, status.stdout.as_str()), (Some(0), "\n"));
    for args in [&["list", "--json"][..], &["status", "--format", "json"]] {
        let document: Value = serde_json::from_str(&home.run(args).stdout).unwrap();
        assert_eq!(document["rollup"]["since_ms"], Value::Null, "{document:#}");
    }
    assert_eq!(home.run(&["next"]).status, Some(1));
    assert_eq!(home.run(&["daemon", "status"]).status, Some(1));
    assert_eq!(home.run(&["tmux", "status"]).status, Some(1));
    assert!(
        !home.path(".config").exists() && !home.path(".local").exists(),
        "a look changes nothing"
    );
}

#[test]
fn the_list_is_a_document_with_a_schema() {
    let home = Home::new();
    put_session(&home, ONE, &done());
    let list: Value = serde_json::from_str(&home.run(&["list", "--json"]).stdout).unwrap();
    assert_eq!(list["schema"], 1);
    let session = &list["sessions"][0];
    for field in [
        "id",
        "agent",
        "reports_as",
        "state",
        "blocked_kind",
        "error_kind",
        "state_source",
        "state_since_ms",
        "state_age_ms",
        "turn",
        "message",
        "pane",
        "viewed",
        "acknowledged",
        "coverage",
        "corroboration",
        "stale_since_ms",
    ] {
        assert!(
            session.get(field).is_some(),
            "{field} is missing: {session}"
        );
    }
    assert_eq!(
        (&session["state"], &session["turn"], &session["pane"]),
        (&"done".into(), &1.into(), &Value::Null)
    );
    assert_eq!(session["coverage"]["blocked"], "structured");
    assert_eq!(list["rollup"]["counts"]["done"], 1);

    let listed = home.run(&["list"]);
    assert!(
        listed
            .stderr
            .contains("No daemon runs: lamps are not drawn"),
        "{listed:?}"
    );
    home.write(&format!(".local/state/{FLAVOUR}/spool/1.json"), "{}");
    let waiting = home.run(&["list"]).stderr;
    assert!(waiting.contains("Not taken in yet: 1 signal"), "{waiting}");
    fs::remove_dir_all(home.path(&format!(".local/state/{FLAVOUR}/spool"))).unwrap();
    let text = listed.stdout;
    assert!(
        text.starts_with("STATE") && text.contains("✓ done") && text.contains("a message"),
        "{text}"
    );
    assert_eq!(home.run(&["status"]).stdout, "✓ 1 done\n");
    assert_eq!(
        home.run(&["status", "--format", "tmux"]).stdout,
        "#[fg=green]✓ 1 done#[default]\n"
    );
    assert_eq!(home.run(&["status", "--width", "3"]).stdout, "✓1\n");
    home.config("[look]\nglyphs = 'ascii'\n");
    assert_eq!(home.run(&["status"]).stdout, "+ 1 done\n");
}

#[test]
fn a_reference_names_one_session_or_says_which_it_could_be() {
    let home = Home::new();
    put_session(&home, ONE, &done());
    put_session(&home, TWO, &done());
    let ambiguous = home.run(&["explain", "0190"]);
    assert_eq!(ambiguous.status, Some(3), "{ambiguous:?}");
    assert!(
        ambiguous.stderr.contains(ONE) && ambiguous.stderr.contains(TWO),
        "{ambiguous:?}"
    );
    for reference in [
        "%7",
        "nobody",
        "ffffffff",
        "tmux:default:%0",
        "",
        "#(touch x)",
    ] {
        let unknown = home.run(&["explain", reference]);
        assert_eq!(unknown.status, Some(1), "{reference}: {unknown:?}");
    }
    let one = home.run(&["explain", ONE]);
    assert_eq!(one.status, Some(0), "{one:?}");
    assert!(
        one.stdout.contains(": the turn ended") && one.stdout.contains("signal"),
        "{one:?}"
    );
    let json: Value = serde_json::from_str(&home.run(&["explain", ONE, "--json"]).stdout).unwrap();
    assert_eq!(
        (&json["schema"], &json["explanation"]["state"]),
        (&1.into(), &"done".into())
    );
    assert_eq!(
        home.run_with(&["explain"], b"", &[("TALLY_SESSION", TWO)])
            .status,
        Some(0)
    );
    assert_eq!(
        home.run(&["explain"]).status,
        Some(1),
        "there is no pane here"
    );
}

#[test]
fn case_a8_a_block_is_left_by_the_persons_word() {
    let home = Home::new();
    let ask = Act::Ask {
        kind: None,
        tool: Default::default(),
        heuristic: false,
        settle_ms: 0,
    };
    put_session(&home, ONE, &[Act::Prompt, ask]);
    let state = || -> Value {
        let list: Value = serde_json::from_str(&home.run(&["list", "--json"]).stdout).unwrap();
        list["sessions"][0]["state"].clone()
    };
    assert_eq!(state(), "blocked");
    let acknowledged = home.run(&["ack", ONE]);
    assert_eq!(
        (acknowledged.status, acknowledged.stderr.as_str()),
        (
            Some(0),
            "Nothing was to be acknowledged: the session is blocked.\n"
        )
    );
    assert_eq!(
        state(),
        "blocked",
        "case J4: an acknowledgement is no answer"
    );
    assert_eq!(home.run(&["clear", ONE]).status, Some(0));
    assert_eq!(state(), "idle");
}

#[test]
fn a_finished_turn_is_acknowledged_and_an_older_one_changes_nothing() {
    let home = Home::new();
    put_session(&home, ONE, &[done(), done()].concat());
    let older = home.run(&["ack", ONE, "--turn", "1"]);
    assert_eq!(older.status, Some(0));
    assert!(older.stderr.contains("followed by turn 2"), "{older:?}");
    let never = home.run(&["ack", ONE, "--turn", "9"]);
    assert_eq!(never.status, Some(1));
    assert!(never.stderr.contains("has had no turn 9"), "{never:?}");
    assert_eq!(home.run(&["status"]).stdout, "✓ 1 done\n");
    assert_eq!(home.run(&["ack", ONE]).status, Some(0));
    assert_eq!(home.run(&["status"]).stdout, "◦ 1 idle\n");
}

#[rstest]
#[case(&["nonsense"])]
#[case(&["list", "--nonsense"])]
#[case(&["status", "--format", "xml"])]
#[case(&["status", "--window", "3"])]
#[case(&["ack", "%1", "--turn", "x"])]
#[case(&["init", "tcsh"])]
#[case(&[])]
fn a_wrong_command_line_is_a_status_of_2(#[case] args: &[&str]) {
    let outcome = Home::new().run(args);
    assert_eq!(
        (outcome.status, outcome.stdout.as_str()),
        (Some(2), ""),
        "{outcome:?}"
    );
    assert!(!outcome.stderr.is_empty());
}

#[test]
fn mistakes_in_the_settings_are_told_with_their_lines_and_stop_nothing() {
    let home = Home::new();
    let file = home.config("[timing]\nquit_ms = 5\nquiet_ms = \"long\"\n");
    let check = home.run(&["config", "check"]);
    assert_eq!(check.status, Some(1));
    let file = file.display();
    assert_eq!(
        check.stderr,
        format!(
            "{file}:2: unknown key timing.quit_ms; did you mean timing.quiet_ms?\n\
             {file}:3: timing.quiet_ms: a value of type string is not a whole number; 10000 is used\n"
        )
    );
    let list = home.run(&["list"]);
    assert_eq!(list.status, Some(0));
    assert!(list.stderr.contains("2 mistakes"), "{list:?}");
    assert_eq!(home.run(&["signal", "--state", "done"]).stderr, "");
    home.config("[timing]\nquiet_ms = 20000\n");
    assert_eq!(home.run(&["config", "check"]).status, Some(0));
    let shown = home.run(&["config", "show"]).stdout;
    assert!(
        shown.contains("timing.quiet_ms = 20000  # line 2") && shown.contains("# default"),
        "{shown}"
    );
    home.config("[timing]\n\nquiet_ms = 1\n");
    let shown = home.run(&["config", "show"]).stdout;
    assert!(
        shown.contains("timing.quiet_ms = 10000  # default\n"),
        "a value that is not used is not where this one comes from: {shown}"
    );
    let path = home.run(&["config", "path"]).stdout;
    assert_eq!(
        path.trim_end(),
        home.path(&format!(".config/{FLAVOUR}/config.toml"))
            .to_str()
            .unwrap()
    );
}

/// Who opens a FIFO waits for a writer, and a device may have no end.
#[rstest]
#[case::fifo("a FIFO")]
#[case::folder("a folder")]
#[case::device("a device")]
#[case::huge("larger than 1 MiB")]
fn what_is_no_file_of_settings_is_told_and_the_defaults_are_used(#[case] what: &str) {
    let home = Home::new();
    let file = home.config("");
    fs::remove_file(&file).unwrap();
    let fifo = |path: &std::path::Path| {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    };
    match what {
        "a FIFO" => fifo(&file),
        "a folder" => fs::create_dir(&file).unwrap(),
        "a device" => std::os::unix::fs::symlink("/dev/zero", &file).unwrap(),
        _ => File::create(&file).unwrap().set_len(1 << 40).unwrap(),
    }
    let check = home.run(&["config", "check"]);
    assert_eq!(check.status, Some(1), "{check:?}");
    assert!(
        check.stderr.contains(what) && check.stderr.contains("config.toml"),
        "{check:?}"
    );
    assert_eq!(home.run(&["list"]).status, Some(0));
    let conf = home.path(".tmux.conf");
    fifo(&conf);
    let install = home.run(&["tmux", "install"]);
    assert_eq!(install.status, Some(1), "{install:?}");
    assert!(install.stderr.contains("a FIFO"), "{install:?}");
}

#[test]
fn the_line_in_tmux_conf_is_put_in_once_and_taken_out_to_the_byte() {
    let home = Home::new();
    let conf = home.write(".tmux.conf", "set -g mouse on");
    let before = fs::read(&conf).unwrap();
    let dry = home.run(&["tmux", "install", "--dry-run"]);
    assert_eq!(fs::read(&conf).unwrap(), before);
    assert_eq!(home.run(&["tmux", "install"]).stdout, dry.stdout);
    let installed = fs::read_to_string(&conf).unwrap();
    assert!(installed.contains("tmux load --quiet"), "{installed}");
    assert_eq!(home.run(&["tmux", "install"]).status, Some(0));
    assert_eq!(fs::read_to_string(&conf).unwrap(), installed, "case E7");
    assert_eq!(home.run(&["tmux", "uninstall"]).status, Some(0));
    assert_eq!(fs::read(&conf).unwrap(), before);

    fs::remove_file(&conf).unwrap();
    assert_eq!(home.run(&["tmux", "install"]).status, Some(0));
    assert!(conf.exists());
    assert_eq!(home.run(&["tmux", "uninstall"]).status, Some(0));
    assert!(
        !conf.exists(),
        "a file that was not there before is not there again"
    );

    // A link into a folder of dotfiles in which the file is not there yet.
    fs::create_dir(home.path("dotfiles")).unwrap();
    std::os::unix::fs::symlink("dotfiles/tmux.conf", &conf).unwrap();
    assert_eq!(home.run(&["tmux", "install"]).status, Some(0));
    assert!(home.path("dotfiles/tmux.conf").exists());
    assert_eq!(home.run(&["tmux", "uninstall"]).status, Some(0));
    assert!(fs::symlink_metadata(&conf).unwrap().is_symlink());
    assert_eq!(fs::read_dir(home.path("dotfiles")).unwrap().count(), 0);
    assert!(!home.path(".local").exists(), "and nothing else is left");
    fs::remove_dir(home.path("dotfiles")).unwrap();
    let astray = home.run(&["tmux", "install"]);
    assert_eq!(astray.status, Some(1));
    assert!(
        astray.stderr.contains("dotfiles is not there"),
        "{astray:?}"
    );
    fs::remove_file(&conf).unwrap();

    File::create(&conf)
        .unwrap()
        .write_all(&[0xff, b'\n'])
        .unwrap();
    assert_eq!(home.run(&["tmux", "install"]).status, Some(1));
    assert_eq!(fs::read(&conf).unwrap(), [0xff, b'\n']);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let home = Home::new();
    let mut child = home
        .command(Home::tally())
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
}

/// What is asked for in so many words comes before what the environment says of everything.
#[test]
fn colour_that_is_asked_for_by_format_comes_also_into_a_pipe_and_with_no_color() {
    let home = Home::new();
    put_session(&home, ONE, &done());
    let status = |args: &[&str]| {
        let args = [&["status"], args].concat();
        home.run_with(&args, b"", &[("NO_COLOR", "1")]).stdout
    };
    assert_eq!(status(&[]), "✓ 1 done\n");
    assert_eq!(status(&["--format", "plain"]), "✓ 1 done\n");
    assert_eq!(
        status(&["--format", "ansi"]),
        "\u{1b}[32m✓ 1 done\u{1b}[0m\n"
    );
}

#[test]
fn the_list_of_all_shows_ids_that_can_be_given_as_a_ref() {
    let home = Home::new();
    put_session(&home, ONE, &done());
    assert!(!home.run(&["list"]).stdout.contains("ID"));
    let list = home.run(&["list", "--all"]).stdout;
    let line = list.lines().nth(1).unwrap();
    let id = line
        .split_whitespace()
        .find(|word| *word == "01900000")
        .unwrap();
    let explained = home.run(&["explain", id]);
    assert!(explained.stdout.contains(ONE), "{explained:?}");
}

#[test]
fn manual_pages_and_completions_are_made_for_every_command() {
    let home = Home::new();
    let mut build = home.command(Home::tally());
    build.args(["man", "share/man/man1"]).env_remove("HOME");
    assert_eq!(outcome(build, b""), Outcome::silent());
    let pages = home.path("share/man/man1");
    for page in [
        "tally.1",
        "tally-list.1",
        "tally-man.1",
        "tally-tmux-load.1",
    ] {
        assert!(pages.join(page).exists(), "{page}");
    }
    assert!(
        fs::read_dir(pages)
            .unwrap()
            .all(|page| { !page.unwrap().file_name().to_str().unwrap().contains("__") })
    );
    for shell in ["bash", "zsh", "fish"] {
        let script = home.run(&["completions", shell]);
        assert!(
            script.status == Some(0) && script.stdout.contains("explain"),
            "{shell}"
        );
    }
}

#[test]
fn case_f3_the_doctor_changes_no_file() {
    let home = Home::new();
    home.program("claude", "#!/bin/sh\n");
    put_session(&home, ONE, &done());
    let tree = || -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![home.path("")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                // Reading an SQLite database in WAL mode touches the shared memory beside it.
                if path.is_dir() {
                    folders.push(path);
                } else if path
                    .extension()
                    .is_none_or(|extension| extension != "db-shm")
                {
                    files.push((
                        path.display().to_string(),
                        fs::read(&path).unwrap_or_default(),
                    ));
                }
            }
        }
        files.sort();
        files
    };
    let before = tree();
    let doctor = home.run(&["doctor", "--json"]);
    assert_eq!(tree(), before);
    let document: Value = serde_json::from_str(&doctor.stdout).unwrap();
    assert_eq!(
        (&document["schema"], &document["ok"]),
        (&1.into(), &true.into()),
        "{document:#}"
    );
}

#[test]
fn the_end_of_the_plugin_names_what_still_needs_it() {
    let home = Home::new();
    let config = format!("theme \"x\"\ndefault_layout \"{FLAVOUR}\"\n");
    let file = home.write(".config/zellij/config.kdl", &config);
    let said = home.run(&["zellij", "uninstall"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    let line = format!("{}:2: default_layout", file.display());
    assert!(said.stderr.contains(&line), "{said:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), config);
}
