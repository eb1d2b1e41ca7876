//! One look at 1,000 panes.

use std::thread;
use std::time::Duration;

use crate::cpu;
use crate::scene::Scene;
use crate::stats::{ms, note, report};

const LOOKS: u32 = 20;

pub(crate) fn run() {
    let scene = Scene::new();
    let daemon = scene.daemon();
    let few = cost(&scene, daemon);
    for index in 1..1_000 {
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
    let many = cost(&scene, daemon);
    note("CPU of the daemon a look, 1 pane", &ms(few));
    report(
        "CPU of the daemon a look, 1,000 panes",
        &ms(many),
        "<= 20 ms",
        many <= Duration::from_millis(20),
    );
}

/// The daemon's CPU time for one change that makes it look.
fn cost(scene: &Scene, daemon: u32) -> Duration {
    thread::sleep(Duration::from_secs(3));
    let before = cpu::cpu_time(daemon);
    for look in 0..LOOKS {
        scene.server.run([
            "rename-window",
            "-t",
            scene.pane.id(),
            &format!("name{look}"),
        ]);
        thread::sleep(Duration::from_millis(250));
    }
    (cpu::cpu_time(daemon) - before) / LOOKS
}
