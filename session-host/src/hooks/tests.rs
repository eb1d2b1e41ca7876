//! Commands by cases, with a real shell.

use std::path::Path;
use std::time::{Duration, Instant};

use rstest::rstest;
use session_core::Time;
use session_core::happening::{Happening, HookEvent, variables};

use super::*;
use crate::env::Env;

fn env() -> Env {
    [
        ("PATH", "/usr/bin:/bin"),
        ("TMUX_PANE", "%9"),
        ("ZELLIJ_SESSION_NAME", "elsewhere"),
        ("OWN", "kept"),
    ]
    .into_iter()
    .collect()
}

fn ran(command: &str, timeout: Duration) -> Ran {
    let happening = Happening::new(HookEvent::AfterAgentState, Time(0));
    let limits = Limits {
        timeout,
        folder: None,
    };
    run(command, &variables(&happening, 3), &env(), limits)
}

const LONG: Duration = Duration::from_secs(60);

#[rstest]
#[case("true", Some(0), None)]
#[case("echo no >&2; exit 7", Some(7), Some("exit 7: no"))]
#[case("kill -9 $$", None, Some("signal 9"))]
fn how_a_command_ended_is_told(
    #[case] command: &str,
    #[case] exit: Option<i32>,
    #[case] error: Option<&str>,
) {
    let ran = ran(command, LONG);
    assert_eq!((ran.exit, ran.error().as_deref()), (exit, error));
}

#[test]
fn a_command_has_the_environment_without_the_pane_and_nothing_to_read() {
    let ran = ran(
        r#"echo "$OWN:$TMUX_PANE:$ZELLIJ_SESSION_NAME:$TALLY_SEQ:$TALLY_EVENT:$(cat)""#,
        LONG,
    );
    assert_eq!(ran.stdout, "kept:::3:after-agent-state:\n");
}

#[test]
fn only_the_end_of_what_a_command_prints_is_kept() {
    let ran = ran(
        "head -c 3000000 /dev/zero | tr '\\0' x >&2; echo end >&2",
        LONG,
    );
    assert_eq!(ran.stderr.len(), 1024);
    assert!(ran.stderr.ends_with("xend\n"));
}

#[test]
fn at_the_deadline_all_that_a_command_started_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let command = format!(
        "trap '' TERM; (trap '' TERM; sleep 600) & echo $! $$ > '{}'; wait; sleep 600",
        pids.display()
    );
    let ran = ran(&command, Duration::from_millis(500));
    assert_eq!(ran.exit, None);
    assert!(ran.failure.unwrap().starts_with("stopped after 0.5"));
    let pids = std::fs::read_to_string(pids).unwrap();
    for pid in pids.split_whitespace() {
        let pid = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
        // One that is killed and that nobody has reaped yet answers still.
        let limit = Instant::now() + LONG;
        while rustix::process::test_kill_process(pid).is_ok() && !is_zombie(pid) {
            assert!(Instant::now() < limit, "{pid:?} lives");
            std::thread::yield_now();
        }
    }
}

fn is_zombie(pid: rustix::process::Pid) -> bool {
    let ps = std::process::Command::new("ps")
        .args(["-o", "stat=", "-p", &pid.as_raw_nonzero().to_string()])
        .output()
        .unwrap();
    let state = String::from_utf8_lossy(&ps.stdout).trim().to_owned();
    state.is_empty() || state.starts_with('Z')
}

#[test]
fn what_a_command_leaves_running_is_not_waited_for() {
    let begun = Instant::now();
    let ran = ran("sleep 20 & echo started", LONG);
    assert_eq!(ran.stdout, "started\n");
    assert!(begun.elapsed() < Duration::from_secs(15));
}

#[test]
fn an_awaited_event_stops_at_the_first_failure_and_tells_its_last_words() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = HookTable::default();
    let event = HookEvent::AfterNewWorktree;
    table.set(
        event,
        vec![
            HookCommand::new("touch first"),
            HookCommand::new("echo broken >&2; exit 3"),
            HookCommand::new("touch third"),
        ],
    );
    let happening = Happening::new(event, Time(0));
    let failed = run_awaited(&happening, folder.path(), &table, &env()).unwrap_err();
    assert_eq!(
        (failed.exit, failed.stderr_tail.as_str()),
        (Some(3), "broken\n")
    );
    let there = |name: &str| Path::exists(&folder.path().join(name));
    assert!(there("first") && !there("third"));
}
