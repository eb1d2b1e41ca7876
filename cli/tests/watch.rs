//! `tally watch`, as a script reads it.

#![expect(clippy::panic, reason = "the helpers of a test may fail it")]

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use common::Home;
use common::servers::{Servers, wait};
use serde_json::Value;

/// A follower and its lines.
struct Follower {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Follower {
    fn start(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let Ok(mut child) = command.spawn() else {
            panic!("the program under test starts")
        };
        let Some(stdout) = child.stdout.take() else {
            panic!("its output is piped")
        };
        Self {
            child,
            lines: BufReader::new(stdout).lines(),
        }
    }

    fn next(&mut self) -> String {
        match self.lines.next() {
            Some(Ok(line)) => line,
            other => panic!("no line but {other:?}"),
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn watch(home: &Home, args: &[&str]) -> Command {
    let mut command = home.command(Home::tally());
    command.arg("watch").args(args);
    command
}

#[test]
fn each_change_is_a_line_also_while_the_daemon_comes_and_goes() {
    let servers = Servers::start(&["a"]);
    let home = &servers.home;
    // From the beginning on: there may be no store yet.
    let mut follower = Follower::start(watch(home, &["--json", "--after", "0"]));
    let mut seq = 0;
    let mut states = |follower: &mut Follower, wanted: &str| {
        loop {
            let line: Value = serde_json::from_str(&follower.next()).unwrap_or_default();
            assert_eq!(line.get("schema"), Some(&Value::from(1)), "{line}");
            let number = line.get("seq").and_then(Value::as_u64).unwrap_or(0);
            assert!(number > seq, "{line}");
            seq = number;
            if line.get("to") == Some(&Value::from(wanted)) {
                return line;
            }
        }
    };
    servers.type_in("a", "%0", "tally signal --state working");
    states(&mut follower, "working");
    assert_eq!(home.run(&["up"]).status, Some(0));
    servers.type_in(
        "a",
        "%0",
        "tally signal --state blocked --kind question --message 'Which?'",
    );
    let line = states(&mut follower, "blocked");
    assert_eq!(line.get("blocked_kind"), Some(&Value::from("question")));
    assert_eq!(line.get("message"), Some(&Value::from("Which?")));
    assert_eq!(line.pointer("/pane/pane_id"), Some(&Value::from("%0")));
    assert_eq!(home.run(&["down"]).status, Some(0));
    assert_eq!(home.run(&["up"]).status, Some(0));
    servers.type_in("a", "%0", "tally signal --state done");
    states(&mut follower, "done");
    drop(follower);

    // The same for people.
    let mut follower = Follower::start(watch(home, &["--after", "0"]));
    let asked = loop {
        let line = follower.next();
        if line.contains("blocked") {
            break line;
        }
    };
    assert!(
        asked.contains("working -> blocked (question)  ")
            && asked.contains("  %0 a")
            && asked.ends_with("  Which?"),
        "{asked}"
    );
}

#[test]
fn it_ends_quietly_when_its_reader_goes_away_although_nothing_happens() {
    let home = Home::new();
    let mut follower = Follower::start(watch(&home, &[]));
    drop(std::mem::replace(
        &mut follower.lines,
        BufReader::new(quick_end()).lines(),
    ));
    wait("its end", || {
        let watched = rustix::process::Pid::from_child(&follower.child);
        let ended = rustix::process::waitpid(Some(watched), rustix::process::WaitOptions::NOHANG);
        ended.is_ok_and(|ended| ended.is_some_and(|(_, status)| status.exit_status() == Some(0)))
    });
}

/// The output of a command that has none.
fn quick_end() -> ChildStdout {
    let child = Command::new("true").stdout(Stdio::piped()).spawn();
    let Some(stdout) = child.ok().and_then(|mut child| {
        drop(child.wait());
        child.stdout.take()
    }) else {
        panic!("true is there")
    };
    stdout
}
