//! 64 writers with 200 signals each: all stored, in order per session, none failed.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use tally_tests::wait::poll;

use crate::scene::Scene;
use crate::stats::{note, report};

const WRITERS: usize = 64;
const SIGNALS: usize = 200;

pub(crate) fn run() {
    let scene = Scene::new();
    let sessions: Vec<String> = (0..WRITERS)
        .map(|index| scene.session_in(&scene.server.new_window("bench", &format!("w{index}"))))
        .collect();
    let start = Instant::now();
    let failed: usize = thread::scope(|scope| {
        let writers: Vec<_> = sessions
            .iter()
            .map(|session| scope.spawn(|| write(&scene, session)))
            .collect();
        writers
            .into_iter()
            .map(|writer| writer.join().expect("a writer"))
            .sum()
    });
    let took = start.elapsed();
    let complete = complete_after(&scene, &sessions);
    report(
        "writers that failed a signal",
        &failed.to_string(),
        "0",
        failed == 0,
    );
    report(
        "sessions with every signal, in order",
        &complete.to_string(),
        &format!("{WRITERS}"),
        complete == WRITERS,
    );
    let rate = (WRITERS * SIGNALS) as f64 / took.as_secs_f64();
    note("signals a second, all writers", &format!("{rate:.0}"));
}

/// How many sessions have every signal, in order, once what was spooled has been taken in: each pair of signals is a
/// turn, so the last turn's number tells whether one was lost or out of order.
fn complete_after(scene: &Scene, sessions: &[String]) -> usize {
    let count = || {
        let list = scene.world.tally_json(&["list", "--json"]);
        let complete = |session: &&serde_json::Value| {
            sessions.iter().any(|id| session["id"] == id.as_str())
                && session["turn"] == SIGNALS / 2
                && session["state"] == "done"
        };
        list["sessions"]
            .as_array()
            .expect("sessions")
            .iter()
            .filter(complete)
            .count()
    };
    poll(Duration::from_secs(30), || {
        (count() == WRITERS).then_some(WRITERS)
    })
    .unwrap_or_else(count)
}

fn write(scene: &Scene, session: &str) -> usize {
    (0..SIGNALS)
        .filter(|index| {
            let state = if index % 2 == 0 { "working" } else { "done" };
            let mut command = scene.world.command(scene.world.bin("tally"));
            command.args(["signal", "--state", state, "--session", session]);
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            !command.status().is_ok_and(|status| status.success())
        })
        .count()
}
