//! `tally watch` and `tally events`, as a script reads them.

#![expect(clippy::panic, reason = "the helpers of a test may fail it")]

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use common::servers::{Servers, wait};
use common::{FLAVOUR, Home};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

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

fn tally(home: &Home, args: &[&str]) -> Command {
    let mut command = home.command(Home::tally());
    command.args(args);
    command
}

impl Follower {
    /// The next event as a document, and those of a state until this one is reached: none may be missing.
    fn until(&mut self, seq: &mut u64, wanted: &str) -> Value {
        loop {
            let line: Value = serde_json::from_str(&self.next()).unwrap_or_default();
            assert_eq!(line.get("schema"), Some(&Value::from(1)), "{line}");
            let number = line.get("seq").and_then(Value::as_u64);
            assert_eq!(number, Some(*seq + 1), "{line}");
            *seq += 1;
            if line.get("to") == Some(&Value::from(wanted)) {
                return line;
            }
        }
    }
}

/// The store, as another program would open it.
fn store(home: &Home) -> rusqlite::Connection {
    let path = home.path(&format!(".local/state/{FLAVOUR}/sessions.db"));
    match rusqlite::Connection::open(path) {
        Ok(store) => store,
        Err(error) => panic!("{error}"),
    }
}

/// The events that are kept, as documents.
fn events(home: &Home, args: &[&str]) -> Vec<Value> {
    let args = [&["events", "--json"], args].concat();
    let said = home.run(&args);
    assert_eq!(
        (said.status, said.stderr.as_str()),
        (Some(0), ""),
        "{said:?}"
    );
    let read = |line: &str| serde_json::from_str(line).unwrap_or_default();
    said.stdout.lines().map(read).collect()
}

#[test]
fn every_event_is_told_once_also_while_the_daemon_is_killed_and_started() {
    let servers = Servers::start(&["a"]);
    let home = &servers.home;
    // There is no store yet.
    let mut follower = Follower::start(tally(home, &["events", "--follow", "--json"]));
    let mut seq = 0;
    servers.type_in("a", "%0", "tally signal --state working");
    let line = follower.until(&mut seq, "working");
    assert_eq!(line.get("kind"), Some(&Value::from("state")));
    assert_eq!(home.run(&["up"]).status, Some(0));
    servers.type_in(
        "a",
        "%0",
        "tally signal --state blocked --kind question --message 'Which?'",
    );
    let line = follower.until(&mut seq, "blocked");
    assert_eq!(line.get("blocked_kind"), Some(&Value::from("question")));
    assert_eq!(line.get("message"), Some(&Value::from("Which?")));
    assert_eq!(line.pointer("/pane/pane_id"), Some(&Value::from("%0")));
    let daemon = home.run(&["daemon", "status", "--json"]).stdout;
    let daemon: Value = serde_json::from_str(&daemon).unwrap_or_default();
    let pid = daemon.get("pid").and_then(Value::as_i64);
    let pid = pid.and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
    let Some(pid) = pid else {
        panic!("the daemon has a process: {daemon}")
    };
    assert!(kill_process(pid, Signal::KILL).is_ok());
    servers.type_in("a", "%0", "tally signal --state working");
    follower.until(&mut seq, "working");
    assert_eq!(home.run(&["up"]).status, Some(0));
    assert_eq!(home.run(&["settle", "tmux:a:%0"]).status, Some(0));
    servers.type_in("a", "%0", "tally signal --state done");
    follower.until(&mut seq, "done");
    drop(follower);

    // Whoever comes later is told the same, and goes on where they stopped.
    let all = events(home, &[]);
    let numbers = |all: &[Value]| -> Vec<u64> {
        let number = |line: &Value| line.get("seq").and_then(Value::as_u64);
        all.iter().filter_map(number).collect()
    };
    assert_eq!(numbers(&all), (1..=seq).collect::<Vec<_>>());
    let settled = json!({ "is": "settled" });
    let away: Vec<_> = all.iter().filter_map(|line| line.get("away")).collect();
    assert_eq!(away.iter().filter(|away| ***away == settled).count(), 1);
    let since = (seq - 1).to_string();
    assert_eq!(numbers(&events(home, &["--since", &since])), [seq]);
    assert_eq!(
        events(home, &["--since", &seq.to_string()]),
        [] as [Value; 0]
    );
}

#[test]
fn what_is_kept_no_more_is_told_as_a_gap_and_another_store_as_another() {
    let servers = Servers::start(&["a"]);
    let home = &servers.home;
    for state in ["working", "blocked", "working", "done"] {
        servers.type_in("a", "%0", &format!("tally signal --state {state}"));
    }
    assert_eq!(events(home, &[]).len(), 4);
    assert!(
        store(home)
            .execute("delete from journal where seq < 3", [])
            .is_ok()
    );
    let gap = |from: u64, to: u64| json!({ "schema": 1, "kind": "gap", "from": from, "to": to });
    let first = |args: &[&str]| events(home, args).first().cloned();
    assert_eq!(first(&["--since", "0"]), Some(gap(1, 2)));
    assert_eq!(first(&["--since", "1"]), Some(gap(2, 2)));
    // Whoever asks for what is kept misses nothing.
    let kept = first(&[]).unwrap_or_default();
    assert_eq!(kept.get("seq"), Some(&Value::from(3)));
    assert!(store(home).execute("delete from journal", []).is_ok());
    assert_eq!(events(home, &["--since", "1"]), [gap(2, 4)]);
    // A number that this store never gave is another store's.
    assert_eq!(
        events(home, &["--since", "99"]),
        [json!({ "schema": 1, "kind": "anew" }), gap(1, 4)]
    );
    let text = home.run(&["events", "--since", "1"]);
    assert_eq!(text.stdout, "2-4  kept no more\n");
}

#[test]
fn a_line_for_people_says_what_has_come_since_they_look() {
    let servers = Servers::start(&["a"]);
    let home = &servers.home;
    servers.type_in("a", "%0", "tally signal --state working");
    let mut follower = Follower::start(tally(home, &["watch"]));
    let (send, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(follower.next()));
    // Until it has begun to look, what comes is not told: so something comes again and again.
    let states = ["blocked --kind question --message 'Which?'", "working"];
    let asked = states.iter().cycle().take(200).find_map(|state| {
        servers.type_in("a", "%0", &format!("tally signal --state {state}"));
        lines.try_recv().ok()
    });
    let asked = asked.unwrap_or_default();
    assert!(
        asked.contains("working -> blocked (question)  ") || asked.contains("blocked -> working"),
        "{asked}"
    );
    assert!(asked.contains("  %0 a"), "{asked}");
}

#[test]
fn it_ends_quietly_when_its_reader_goes_away_although_nothing_happens() {
    let home = Home::new();
    let mut follower = Follower::start(tally(&home, &["watch"]));
    drop(std::mem::replace(
        &mut follower.lines,
        BufReader::new(quick_end()).lines(),
    ));
    wait("its end", || {
        let watched = Pid::from_child(&follower.child);
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
