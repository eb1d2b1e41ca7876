//! Signals of many processes at once, and signals when nothing answers: real processes in real panes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test stops at the first thing that is not as it must be"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tally_tests::listing::sessions;
use tally_tests::wait::poll;
use tally_tests::{LIMIT, TmuxServer, World, wait_until};

/// What a signal may take when nothing answers (case D3).
const DEADLINE: Duration = Duration::from_secs(1);

/// A process that is stopped until this is dropped: a server that stayed stopped could not be ended either.
struct Stopped(Pid);

impl Stopped {
    fn stop(process: Pid) -> Self {
        kill_process(process, Signal::STOP).unwrap();
        Self(process)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        // It may have ended.
        let _ = kill_process(self.0, Signal::CONT);
    }
}

fn store(world: &World) -> PathBuf {
    let state = fs::read_dir(world.home().join(".local/state")).unwrap();
    let folders = state
        .flatten()
        .map(|entry| entry.path().join("sessions.db"));
    folders.into_iter().find(|store| store.exists()).unwrap()
}

/// The lines that panes have written into a folder, one file each.
fn lines(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .filter_map(|file| fs::read_to_string(file.path()).ok())
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[test]
fn case_l1_a_hundred_signals_at_once_are_a_hundred_states_while_somebody_reads() {
    const PANES: usize = 100;
    let world = World::with_tally();
    let server = TmuxServer::new(&world, "default");
    drop(server.new_session("work", "first"));
    world.expect_tally(&["up"]);
    let (go, ended) = (world.log("go"), world.log("ended"));
    fs::create_dir(&ended).unwrap();
    let script = format!(
        "until [ -e '{go}' ]; do sleep 0.05; done; tally signal --state working --agent mine; \
         echo $? > '{ended}'/$TMUX_PANE; exec sleep 1000",
        go = go.display(),
        ended = ended.display()
    );
    for _ in 0..PANES {
        server.run(["new-window", "-d", "-t", "=work:", &script]);
    }
    assert_eq!(sessions(&world), [] as [Value; 0]);
    world.append("log/go", "");
    // The reader, again and again; it fails the test when it cannot read.
    let working = || {
        let all = sessions(&world);
        let panes: BTreeSet<String> = all
            .iter()
            .filter(|session| session["state"] == "working")
            .map(|session| session["pane"]["pane_id"].as_str().unwrap().to_owned())
            .collect();
        panes.len()
    };
    wait_until(
        "a state in every pane",
        2 * LIMIT,
        || (working() == PANES).then_some(()),
        || format!("{} of {PANES}", working()),
    );
    wait_until(
        "the ends of all signals",
        LIMIT,
        || (lines(&ended).len() == PANES).then_some(()),
        || format!("{:?}", lines(&ended)),
    );
    let failed = lines(&ended).iter().filter(|status| *status != "0").count();
    assert_eq!(failed, 0);
}

/// A session, by a signal from a pane.
fn one_session(world: &World, server: &TmuxServer) -> String {
    let pane = server.new_session("work", "agent");
    pane.submit("tally signal --state idle --agent claude");
    let id = || Some(sessions(world).first()?["id"].as_str()?.to_owned());
    wait_until("the session", LIMIT, id, || pane.capture())
}

/// The first process takes its stamp, and then waits for its payload until the second one has written.
#[test]
fn case_l1_of_two_processes_the_one_that_started_later_wins_although_it_wrote_first() {
    let world = World::with_tally();
    let server = TmuxServer::new(&world, "default");
    let session = one_session(&world, &server);
    let state = || sessions(&world)[0]["state"].as_str().unwrap().to_owned();
    let signal = |args: &[&str]| {
        let mut command = world.command(world.bin("tally"));
        command
            .arg("signal")
            .args(args)
            .args(["--session", &session]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    // An agent's payload is waited for only for a moment: on a busy machine that may be over too early.
    let round = || {
        assert!(signal(&["--state", "idle"]).status().unwrap().success());
        let mut early = signal(&["--from", "claude", "--strict"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut payload = early.stdin.take().unwrap();
        let waits = poll(LIMIT, || {
            let place = fs::read_to_string(format!("/proc/{}/wchan", early.id()));
            place
                .is_ok_and(|place| place.contains("poll"))
                .then_some(())
        });
        assert!(waits.is_some(), "it waits for its payload");
        let late = signal(&["--state", "blocked", "--kind", "question"]).status();
        assert!(late.unwrap().success());
        let in_time = early.try_wait().unwrap().is_none() && state() == "blocked";
        let prompt = br#"{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"x"}"#;
        let told = payload.write_all(prompt).is_ok();
        drop(payload);
        let taken = early.wait().unwrap().success();
        assert_eq!(state(), "blocked", "the later one wins");
        (in_time && told && taken).then_some(())
    };
    wait_until("a round in time", LIMIT, round, || {
        world.expect_tally(&["explain", &session])
    });
}

/// The processes of this world that run a program by this name.
fn running(world: &World, name: &str) -> Vec<u32> {
    let home = format!("HOME={}", world.home().display());
    let pids = fs::read_dir("/proc").unwrap().flatten();
    pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| {
            let comm = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            let env = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            comm.starts_with(name)
                && env
                    .split(|byte| *byte == 0)
                    .any(|word| word == home.as_bytes())
        })
        .collect()
}

#[test]
fn case_d3_a_held_store_and_a_silent_multiplexer_delay_no_signal_and_leave_no_process() {
    const SIGNALS: usize = 50;
    let world = World::with_tally();
    let server = TmuxServer::new(&world, "default");
    let first = server.new_session("work", "first");
    first.submit("tally signal --state idle --agent mine");
    wait_until(
        "the store",
        LIMIT,
        || (sessions(&world).len() == 1).then_some(()),
        || first.capture(),
    );
    // A pane that nobody has seen, so that every signal has to ask the server about it.
    let (go, ended) = (world.log("go"), world.log("ended"));
    fs::create_dir(&ended).unwrap();
    let script = format!(
        "until [ -e '{go}' ]; do sleep 0.05; done; for n in $(seq {SIGNALS}); do begun=$(date +%s%N); \
         tally signal --state working --agent mine; \
         echo $? $(( ($(date +%s%N) - begun) / 1000000 )) >> '{ended}'/all; done; exec sleep 1000",
        go = go.display(),
        ended = ended.display()
    );
    server.run(["new-window", "-d", "-t", "=work:", &script]);
    let tmux: i32 = server.format("work", "#{pid}").parse().unwrap();
    let tmux = Pid::from_raw(tmux).unwrap();
    let before = running(&world, "tmux");
    let holder = Connection::open(store(&world)).unwrap();
    holder.execute_batch("begin immediate").unwrap();
    let stopped = Stopped::stop(tmux);
    world.append("log/go", "");
    let mut most = 0;
    let all = poll(4 * LIMIT, || {
        let ours = running(&world, "tmux").len().saturating_sub(before.len());
        most = most.max(ours);
        (lines(&ended).len() == SIGNALS).then_some(())
    });
    let gone = poll(DEADLINE, || {
        (running(&world, "tmux") == before && running(&world, "tally").is_empty()).then_some(())
    });
    let left = (running(&world, "tmux"), running(&world, "tally"));
    drop(stopped);
    let lines = lines(&ended);
    assert!(all.is_some(), "all of them end: {lines:?}");
    for line in &lines {
        let (status, ms) = line.split_once(' ').unwrap();
        assert_eq!(status, "0", "{line}");
        let took = Duration::from_millis(ms.parse().unwrap());
        assert!(took < DEADLINE, "{line}");
    }
    assert!(most <= 1, "{most} of ours asked at once");
    assert!(
        gone.is_some(),
        "left behind: {left:?}, of which were there: {before:?}"
    );

    // Nothing is lost, and whoever comes next takes it in.
    holder.execute_batch("rollback").unwrap();
    drop(holder);
    world.expect_tally(&["up"]);
    wait_until(
        "the signals to be taken in",
        LIMIT,
        || {
            let all = sessions(&world);
            let working = all.iter().filter(|session| session["state"] == "working");
            (working.count() == 1).then_some(())
        },
        || format!("{:#?}", sessions(&world)),
    );
}

/// The same without a store that is held: then the server is asked, and does not answer.
#[test]
fn case_d3_a_silent_multiplexer_alone_delays_no_signal_and_leaves_no_process() {
    let world = World::with_tally();
    let server = TmuxServer::new(&world, "default");
    drop(server.new_session("work", "first"));
    let (go, ended) = (world.log("go"), world.log("ended"));
    fs::create_dir(&ended).unwrap();
    let script = format!(
        "until [ -e '{go}' ]; do sleep 0.05; done; begun=$(date +%s%N); \
         tally signal --state working --agent mine; \
         echo $? $(( ($(date +%s%N) - begun) / 1000000 )) > '{ended}'/all; exec sleep 1000",
        go = go.display(),
        ended = ended.display()
    );
    server.run(["new-window", "-d", "-t", "=work:", &script]);
    let tmux: i32 = server.format("work", "#{pid}").parse().unwrap();
    let tmux = Pid::from_raw(tmux).unwrap();
    let before = running(&world, "tmux");
    let stopped = Stopped::stop(tmux);
    world.append("log/go", "");
    let mut asked = false;
    let line = poll(LIMIT, || {
        asked |= running(&world, "tmux").len() > before.len();
        lines(&ended).first().cloned()
    });
    let gone = poll(DEADLINE, || {
        (running(&world, "tmux") == before).then_some(())
    });
    drop(stopped);
    let line = line.unwrap();
    let (status, ms) = line.split_once(' ').unwrap();
    assert_eq!(status, "0");
    assert!(
        Duration::from_millis(ms.parse().unwrap()) < DEADLINE,
        "{line}"
    );
    assert!(asked, "the server was asked");
    assert!(gone.is_some(), "who asked has ended");
    // A server that does not answer proves nothing: the signal counts.
    wait_until(
        "the state",
        LIMIT,
        || (sessions(&world).first()?["state"] == "working").then_some(()),
        || format!("{:#?}", sessions(&world)),
    );
}
