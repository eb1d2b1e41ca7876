//! The daemon with 200 panes and nothing happening.

use std::thread;
use std::time::Duration;

use crate::cpu;
use crate::scene::Scene;
use crate::stats::{note, report};

const PANES: usize = 200;
/// Until nothing has happened for so long that the daemon rests; a person who is away, or at work elsewhere.
const REST: Duration = Duration::from_secs(130);
const WATCH: Duration = Duration::from_secs(60);

pub(crate) fn run() {
    let scene = Scene::new();
    for index in 1..PANES {
        scene.server.run([
            "new-window",
            "-d",
            "-t",
            "bench:",
            "-n",
            &format!("w{index}"),
            "cat",
        ]);
    }
    let daemon = scene.daemon();
    let _session = scene.session_in(&scene.pane);
    thread::sleep(REST);
    let (cpu_before, wakes_before) = (cpu::cpu_time(daemon), cpu::wake_ups(daemon));
    thread::sleep(WATCH);
    let (used, wakes) = (
        cpu::cpu_time(daemon) - cpu_before,
        cpu::wake_ups(daemon) - wakes_before,
    );
    let percent = used.as_secs_f64() / WATCH.as_secs_f64() * 100.0;
    let each_second = wakes as f64 / WATCH.as_secs_f64();
    let mib = cpu::resident_kib(daemon) as f64 / 1024.0;
    report(
        "CPU of the daemon",
        &format!("{percent:.3} %"),
        "<= 0.2 %",
        percent <= 0.2,
    );
    report(
        "wake-ups",
        &format!("{each_second:.2} /s"),
        "<= 1 /s",
        each_second <= 1.0,
    );
    report(
        "resident memory",
        &format!("{mib:.1} MiB"),
        "<= 15 MiB",
        mib <= 15.0,
    );
    for guard in cpu::guards(daemon) {
        let mib = cpu::resident_kib(guard) as f64 / 1024.0;
        note("its guard's memory", &format!("{mib:.1} MiB"));
    }
}
