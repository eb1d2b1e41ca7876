//! `tally signal` when something else does not work: back within 250 ms, exit 0, nothing lost.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tally_tests::wait::wait_until;
use tally_tests::world::World;

use crate::scene::Scene;
use crate::stats::{Durations, ms, report};

const RUNS: usize = 20;
const BUDGET: Duration = Duration::from_millis(250);

pub(crate) fn run() {
    let world = World::with_tally();
    let disk = SmallDisk::over(&world.home().join(".local/state"));
    let scene = Scene::of(world);
    let session = scene.session_in(&scene.pane);
    let store = find(&scene.world.home(), "sessions.db").expect("the store");

    let lock = Connection::open(&store).expect("the store opens");
    lock.execute_batch("BEGIN IMMEDIATE")
        .expect("the store is held");
    measure(&scene, &session, "store held by another writer");
    lock.execute_batch("ROLLBACK").expect("the store is let go");
    drop(lock);
    await_turns(&scene, &session, "held", RUNS);

    let server: i32 = scene
        .server
        .format("bench:", "#{pid}")
        .parse()
        .expect("the server's pid");
    let server = rustix::process::Pid::from_raw(server).expect("a pid");
    rustix::process::kill_process(server, rustix::process::Signal::STOP).expect("tmux stops");
    measure(&scene, &session, "multiplexer hung");
    rustix::process::kill_process(server, rustix::process::Signal::CONT).expect("tmux goes on");
    await_turns(&scene, &session, "hung", 2 * RUNS);

    if let Some(disk) = &disk {
        let filler = disk.fill();
        measure(&scene, &session, "disk full");
        std::fs::remove_file(filler).expect("the filler goes");
        await_turns(&scene, &session, "full", 3 * RUNS);
    } else {
        println!("  disk full: needs root, for a small file system of its own; left out");
    }
}

fn measure(scene: &Scene, session: &str, what: &str) {
    let mut failed = 0;
    let durations = (0..RUNS * 2).map(|index| {
        let state = if index % 2 == 0 { "working" } else { "done" };
        let mut command = scene.world.command(scene.world.bin("tally"));
        command.args(["signal", "--state", state, "--session", session]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let start = Instant::now();
        failed += usize::from(!command.status().is_ok_and(|status| status.success()));
        start.elapsed()
    });
    let durations = Durations::new(durations.collect());
    report(
        &format!("{what}: slowest of {}", durations.count()),
        &ms(durations.max()),
        "<= 250 ms",
        durations.max() <= BUDGET,
    );
    report(
        &format!("{what}: failed"),
        &failed.to_string(),
        "0",
        failed == 0,
    );
}

/// Waits until every turn has arrived: each pair of signals is one.
fn await_turns(scene: &Scene, session: &str, what: &str, turns: usize) {
    let turn = || {
        let list = scene.world.tally_json(&["list", "--json"]);
        let session = list["sessions"]
            .as_array()?
            .iter()
            .find(|other| other["id"] == session)?
            .clone();
        session["turn"].as_u64()
    };
    wait_until(
        &format!("turn {turns} after {what}"),
        Duration::from_secs(30),
        || turn().filter(|turn| usize::try_from(*turn) == Ok(turns)),
        || format!("turn {:?}", turn()),
    );
    report(&format!("{what}: signals lost"), "0", "0", true);
}

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    std::fs::read_dir(folder).ok()?.flatten().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            find(&path, name)
        } else {
            (entry.file_name() == name).then_some(path)
        }
    })
}

/// A small file system of the bench's own; that of the machine is never filled.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts one over the folder; `None` for whoever may not mount.
    fn over(folder: &Path) -> Option<Self> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs"])
            .arg(folder)
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        mounted.then(|| Self(folder.to_owned()))
    }

    /// Fills it, and returns the file to remove again.
    fn fill(&self) -> PathBuf {
        let filler = self.0.join("filler");
        let mut file = std::fs::File::create(&filler).expect("the filler");
        while std::io::Write::write_all(&mut file, &[0; 512]).is_ok() {}
        filler
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: the daemon that has the store open ends right after.
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}
