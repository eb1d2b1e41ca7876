//! `tally signal` against `/bin/true`, `tmux set-option` and the peer `agent-status`, interleaved, inside a pane.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tally_tests::tally;
use tally_tests::wait::wait_until;

use crate::cpu;
use crate::scene::Scene;
use crate::spawn::time;
use crate::stats::{Durations, ms, note, ratio, report};

/// The argument with which the bench starts itself inside a pane, where a signal has a pane to be about.
pub(crate) const IN_PANE: &str = "__in-pane";

const RUNS: usize = 400;
/// As many signals as the case asks for, one after the other.
const IN_A_ROW: u32 = 50;
const PEER: &str = "agent-status";
const PEER_VERSION: &str = "2.1.0";

pub(crate) fn run() {
    let scene = Scene::new();
    let peer = peer();
    let bench = std::env::current_exe().expect("own path");
    let done = scene.world.log("signal.done");
    let line = format!(
        "'{}' {IN_PANE} '{}' '{}' '{}'",
        bench.display(),
        payload().display(),
        scene.server.socket().display(),
        peer.as_deref().unwrap_or(Path::new("")).display(),
    );
    let out = scene.world.log("signal.out");
    let command = format!(
        "{line} > '{}' 2>&1; mv '{}' '{}'",
        out.display(),
        out.display(),
        done.display()
    );
    scene
        .pane
        .tmux()
        .run(["send-keys", "-l", "-t", scene.pane.id(), &command]);
    scene
        .pane
        .tmux()
        .run(["send-keys", "-t", scene.pane.id(), "Enter"]);
    let figures = wait_until(
        "the figures",
        Duration::from_secs(300),
        || fs::read_to_string(&done).ok(),
        || scene.pane.capture(),
    );
    print!("{figures}");
}

/// Measures in the pane: arguments are the payload, the tmux socket and the peer (or nothing).
pub(crate) fn run_in_pane(args: &[String]) {
    let [payload, socket, peer] = args else {
        panic!("three arguments")
    };
    let payload = Path::new(payload);
    let mut floor_command = Command::new("/bin/true");
    let mut signal_command = Command::new("tally");
    signal_command.args(["signal", "--from", "claude"]);
    let mut option_command = Command::new("tmux");
    option_command.args(["-u", "-S", socket, "set-option", "-g", "@bench", "x"]);
    let mut peer_command = (!peer.is_empty()).then(|| Command::new(peer));
    if let Some(command) = &mut peer_command {
        command.args(["set", "--agent", "claude-code", "notify"]);
    }
    for _ in 0..20 {
        time(&mut floor_command, payload);
        time(&mut signal_command, payload);
    }
    let (mut floor, mut ours, mut option, mut theirs) = (vec![], vec![], vec![], vec![]);
    for _ in 0..RUNS {
        floor.push(time(&mut floor_command, payload));
        ours.push(time(&mut signal_command, payload));
        if option.len() < RUNS / 4 {
            option.push(time(&mut option_command, payload));
            if let Some(command) = &mut peer_command {
                theirs.push(time(command, payload));
            }
        }
    }
    let begun = Instant::now();
    for _ in 0..IN_A_ROW {
        time(&mut signal_command, payload);
    }
    let in_a_row = begun.elapsed();
    let cpu = cpu_each(&mut signal_command, payload);
    let floor_cpu = cpu_each(&mut floor_command, payload);

    let (floor, ours, option) = (
        Durations::new(floor),
        Durations::new(ours),
        Durations::new(option),
    );
    note("/bin/true, median wall", &ms(floor.median()));
    note(
        "tally signal --from claude, median wall",
        &ms(ours.median()),
    );
    note(
        "tally signal --from claude, p99 wall",
        &ms(ours.percentile(99)),
    );
    let times = ratio(ours.median(), floor.median());
    report(
        "tally signal : /bin/true",
        &format!("{times:.2} x"),
        "<= 2.2 x",
        times <= 2.2,
    );
    report(
        &format!("{IN_A_ROW} signals in a row (case D3)"),
        &ms(in_a_row),
        "<= 50 x 50 ms",
        in_a_row <= IN_A_ROW * Duration::from_millis(50),
    );
    report(
        "tally signal, user+sys",
        &ms(cpu),
        "<= 1.5 ms",
        cpu <= Duration::from_micros(1_500),
    );
    note("/bin/true, user+sys", &ms(floor_cpu));
    note("tmux set-option, median wall", &ms(option.median()));
    note(
        "tally signal : tmux set-option",
        &format!("{:.2} x", ratio(ours.median(), option.median())),
    );
    if theirs.is_empty() {
        note(&format!("{PEER} {PEER_VERSION}"), "not installed");
    } else {
        let theirs = Durations::new(theirs);
        note(
            &format!("{PEER} {PEER_VERSION}, median wall"),
            &ms(theirs.median()),
        );
        note(
            &format!("tally signal : {PEER}"),
            &format!("{:.2} x", ratio(ours.median(), theirs.median())),
        );
    }
}

/// The CPU time that one run of a command takes.
fn cpu_each(command: &mut Command, payload: &Path) -> Duration {
    let before = cpu::children_cpu();
    for _ in 0..RUNS {
        time(command, payload);
    }
    (cpu::children_cpu() - before) / u32::try_from(RUNS).expect("a small number")
}

fn payload() -> PathBuf {
    tally::workspace().join("extensions/claude/fixtures/PostToolUse.json")
}

/// Installs the peer below the target folder, once.
fn peer() -> Option<PathBuf> {
    let root = tally::target().join("tools/agent-status");
    let program = root.join("bin").join(PEER);
    if program.exists() {
        return Some(program);
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let installed = Command::new(cargo)
        .args([
            "install",
            "--quiet",
            "--locked",
            "--version",
            PEER_VERSION,
            PEER,
            "--root",
        ])
        .arg(&root)
        .status()
        .is_ok_and(|status| status.success());
    installed.then_some(program)
}
