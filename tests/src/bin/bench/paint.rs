//! From the start of `tally signal` to the bytes of the new lamp at an attached client.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::scene::Scene;
use crate::stats::{Durations, ms, note, report};
use crate::terminal::Terminal;

const RUNS: usize = 200;
const LIMIT: Duration = Duration::from_secs(20);
/// Between two changes: more than the bridge leaves between two steps of publishing, which would be measured as well.
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) fn run() {
    let scene = Scene::new();
    let loaded = scene.world.tally(&[
        "tmux",
        "load",
        "--socket",
        &scene.server.socket().display().to_string(),
    ]);
    assert_eq!(loaded.status, 0, "tally tmux load: {loaded:?}");
    let session = scene.session_in(&scene.pane);
    let terminal = Terminal::attach(&scene.server, "bench");
    terminal.settle(Duration::from_secs(1));
    let mut durations = Vec::with_capacity(RUNS);
    let mut bytes = Vec::with_capacity(RUNS);
    for run in 0..RUNS {
        let (state, glyph) = if run % 2 == 0 {
            ("working", "⟳")
        } else {
            ("blocked", "◉")
        };
        let mut command = scene.world.command(scene.world.bin("tally"));
        command.args(["signal", "--state", state, "--session", &session]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn().expect("tally runs");
        let (painted, count) = terminal.wait_for(glyph, LIMIT);
        durations.push(painted.saturating_duration_since(start));
        bytes.push(count);
        child.wait().expect("tally ends");
        terminal.settle(PAUSE);
    }
    let durations = Durations::new(durations);
    let (p50, p99) = (durations.median(), durations.percentile(99));
    report(
        "signal to painted lamp, p50",
        &ms(p50),
        "<= 10 ms",
        p50 <= Duration::from_millis(10),
    );
    report(
        "signal to painted lamp, p99",
        &ms(p99),
        "<= 40 ms",
        p99 <= Duration::from_millis(40),
    );
    bytes.sort_unstable();
    note(
        "bytes to the client a change, median",
        &bytes[bytes.len() / 2].to_string(),
    );
    let mut floor = Vec::new();
    for run in 0..RUNS / 4 {
        let value = format!("floor{run}");
        let start = Instant::now();
        scene
            .server
            .run(["set-option", "-g", "status-left", &value]);
        floor.push(
            terminal
                .wait_for(&value, LIMIT)
                .0
                .saturating_duration_since(start),
        );
        terminal.settle(PAUSE);
    }
    note(
        "floor: tmux set-option to painted, p50",
        &ms(Durations::new(floor).median()),
    );
}
