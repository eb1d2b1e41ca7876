//! Signals in hard places: a full disk, a store that may only be read, a socket that may not be used, many processes at
//! once. Each runs in a process of its own, some in a mount namespace or under another user; where the system does not
//! allow that, the test says so and is skipped.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "these are tests, in files of their own"
)]
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use session_core::{MachineId, PaneId, Policy, Snapshot, State, Time};
use session_host::agents::EmbeddedAgents;
use session_host::bridge::{Bridge, BridgePort, PaneProbe, ProbeFailed, ProbedPane};
use session_host::clock::{Clock, SystemClock};
use session_host::env::Env;
use session_host::host;
use session_host::intake::{
    Fate, Report, SignalAnswer, SignalRequest, World, take_signal, take_spooled,
};
use session_host::paths::Paths;
use session_host::process::{ProcessTable, SystemProcesses};
use session_host::service::{Reply, Request, Service, ask, run};
use session_host::spool;
use session_host::store::{Counter, Store};

/// Where the inner part of a test finds its folder.
const FOLDER: &str = "TALLY_TEST_FOLDER";
const PATIENCE: Duration = Duration::from_secs(20);
/// Nobody in particular.
const NOBODY: u32 = 65_534;

fn paths(folder: &Path) -> Paths {
    Paths {
        config: folder.join("config"),
        state: folder.join("state"),
        runtime: folder.join("run"),
    }
}

/// Makes a command run the test of this file that has this name, as the inner part of another one: below a shell that
/// is called tmux, for its signals come from a pane only below a server.
fn inner(mut command: Command, name: &str, folder: &Path) -> Command {
    let server = folder.join("tmux");
    if !server.exists() {
        symlink("/bin/sh", &server).unwrap();
    }
    command
        .arg(server)
        .args(["-c", "\"$0\" \"$@\"; exit $?"])
        .arg(folder.join("tests"))
        .args([
            "--exact",
            name,
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(FOLDER, folder);
    if !folder.join("tests").exists() {
        // Other users may not enter the folder that it was built in.
        fs::copy(std::env::current_exe().unwrap(), folder.join("tests")).unwrap();
    }
    command
}

fn folder() -> PathBuf {
    PathBuf::from(std::env::var_os(FOLDER).unwrap())
}

/// Answers for servers that have one pane each: the shell above a signal plays the server, the signal's process the
/// pane's, and the socket is named after both.
struct Named;

impl PaneProbe for Named {
    fn pane(&self, socket: &str, _pane: PaneId) -> Result<Option<ProbedPane>, ProbeFailed> {
        let (server, pane) = socket.rsplit_once('/').unwrap().1.split_once('-').unwrap();
        let stat = SystemProcesses.stat(server.parse().unwrap());
        let stat = stat.map_err(|error| ProbeFailed(error.to_string()))?;
        Ok(Some(ProbedPane {
            pid: pane.parse().unwrap(),
            server_pid: stat.pid,
            server_started: SystemProcesses.started_epoch(&stat).unwrap(),
        }))
    }
}

/// How long a signal may take, as of an agent's hook.
const DEADLINE: Duration = Duration::from_millis(200);

fn signal_at(paths: &Paths, pane: u32, state: State, at: Time, deadline: Duration) -> SignalAnswer {
    let (parent, own) = (std::os::unix::process::parent_id(), std::process::id());
    let env: Env = [
        ("TMUX", format!("/none/{parent}-{own},{parent},0")),
        ("TMUX_PANE", format!("%{pane}")),
    ]
    .into_iter()
    .collect();
    let request = SignalRequest {
        at,
        env: &env,
        paths,
        report: Report::State {
            state,
            kind: None,
            message: None,
            agent: None,
        },
        session: None,
        deadline,
    };
    let world = World {
        agents: &EmbeddedAgents,
        processes: &SystemProcesses,
        probe: &Named,
        clock: &SystemClock,
    };
    take_signal(&request, &world)
}

fn signal(paths: &Paths, state: State) -> SignalAnswer {
    signal_at(paths, 1, state, SystemClock.now(), DEADLINE)
}

fn take_in(paths: &Paths) -> usize {
    let mut store = Store::open_writing(paths, PATIENCE).unwrap();
    let machine: MachineId = host::machine();
    take_spooled(
        &mut store,
        paths,
        &SystemProcesses,
        &machine,
        &SystemClock,
        None,
    )
    .unwrap()
    .count
}

/// A bridge that lends its port.
struct Lender(std::sync::mpsc::Sender<BridgePort>);

impl Bridge for Lender {
    fn run(
        self: Box<Self>,
        mut port: BridgePort,
    ) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            self.0.send(port.clone()).unwrap();
            let _ = port.stop.wait_for(|stop| *stop).await;
        })
    }
}

fn picture(port: &mut BridgePort, fits: impl Fn(&Snapshot) -> bool) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let wait = async {
        port.pictures
            .wait_for(|picture| fits(picture))
            .await
            .map(|_| ())
    };
    runtime
        .block_on(async { tokio::time::timeout(PATIENCE, wait).await })
        .unwrap()
        .unwrap();
}

#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = rustix::process::geteuid().is_root();
    let flags = if root { "-m" } else { "-rm" };
    let allowed = Command::new("unshare")
        .args([flags, "mount", "-t", "tmpfs", "none", "/mnt"])
        .output();
    if !allowed.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: this system lets nobody mount a small disk");
        return;
    }
    let mut command = Command::new("unshare");
    command.arg(flags);
    let mut command = inner(command, "inner_full_disk", folder.path());
    assert!(command.status().unwrap().success());
}

#[test]
#[ignore = "the inner part of another test"]
fn inner_full_disk() {
    let folder = folder();
    let paths = paths(&folder);
    fs::create_dir_all(&paths.state).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m,mode=700", "none"])
        .arg(&paths.state)
        .status()
        .unwrap();
    assert!(mounted.success());
    let (sender, ports) = std::sync::mpsc::channel();
    let service = Service {
        paths: paths.clone(),
        machine: host::machine(),
        policy: Policy::default(),
        agents: Arc::new(EmbeddedAgents),
        processes: Arc::new(SystemProcesses),
        clock: Arc::new(SystemClock),
        bridges: vec![Box::new(move || Box::new(Lender(sender.clone())))],
        version: "test".to_owned(),
        hook_runner: Vec::new(),
    };
    let daemon = std::thread::spawn(move || run(service));
    let mut port = ports.recv_timeout(PATIENCE).unwrap();
    assert_eq!(signal(&paths, State::Working).fate, Fate::Stored);
    picture(&mut port, |picture| picture.rollup.counts.working == 1);

    let ballast = paths.state.join("ballast");
    let mut size = 2 << 20;
    while size > 0 {
        // As much as fits, to the last byte.
        let old = fs::read(&ballast).unwrap_or_default();
        if fs::write(&ballast, vec![0; old.len() + size]).is_err() {
            size /= 2;
        }
    }
    assert!(fs::write(paths.state.join("more"), [0; 8192]).is_err());
    let _ = fs::remove_file(paths.state.join("more"));
    let began = Instant::now();
    let answer = signal(&paths, State::Blocked);
    assert!(
        began.elapsed() < Duration::from_millis(250),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(answer.fate, Fate::Spooled, "{answer:?}");
    assert!(
        paths.runtime.join("spool").exists(),
        "the other disk has room"
    );
    picture(&mut port, |picture| picture.rollup.counts.blocked == 1);

    // Neither disk has room: a live daemon has it all the same.
    let small = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=4k,mode=700", "none"])
        .arg(paths.runtime.join("spool"))
        .status();
    assert!(small.unwrap().success());
    fs::write(paths.runtime.join("spool/ballast"), [0; 4096]).unwrap();
    let answer = signal(&paths, State::Done);
    assert_eq!(answer.fate, Fate::HandedOver, "{answer:?}");
    picture(&mut port, |picture| picture.rollup.counts.done == 1);

    // Room again: it is made up for.
    fs::remove_file(&ballast).unwrap();
    let store = Store::open_reading(&paths, PATIENCE).unwrap();
    let began = Instant::now();
    while store.live().unwrap()[0].shown.state != State::Done {
        assert!(began.elapsed() < PATIENCE, "{:?}", store.live());
        std::thread::yield_now();
    }
    assert_eq!(
        ask(&paths, Request::Stop, PATIENCE).unwrap(),
        Reply::Stopping
    );
    daemon.join().unwrap().unwrap();
}

#[test]
fn case_d8_a_sandbox_that_forbids_writing_is_survived_and_remembered() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root can become somebody else, and nothing is forbidden to root");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let mut command = inner(Command::new("env"), "inner_sandbox", folder.path());
    command.uid(NOBODY).gid(NOBODY).current_dir(folder.path());
    assert!(command.status().unwrap().success());
}

#[test]
#[ignore = "the inner part of another test"]
fn inner_sandbox() {
    let paths = paths(&folder());
    let mode = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    session_host::runtime_dir::ensure(&paths.runtime).unwrap();
    assert_eq!(signal(&paths, State::Working).fate, Fate::Stored);

    // The daemon's socket may not be used.
    let socket = std::os::unix::net::UnixDatagram::bind(paths.nudge_socket()).unwrap();
    mode(&paths.nudge_socket(), 0);
    assert_eq!(signal(&paths, State::Blocked).fate, Fate::Stored);
    let store = Store::open_reading(&paths, PATIENCE).unwrap();
    assert_eq!(store.counted(Counter::Sandboxed).unwrap().count, 1);
    drop((socket, store));
    fs::remove_file(paths.nudge_socket()).unwrap();

    // The store may only be read.
    for file in fs::read_dir(&paths.state).unwrap() {
        mode(&file.unwrap().path(), 0o400);
    }
    mode(&paths.state, 0o500);
    let answer = signal(&paths, State::Done);
    assert_eq!(answer.fate, Fate::Spooled, "{answer:?}");
    assert!(answer.diagnostic.unwrap().contains("cannot be written"));
    let live = Store::open_reading(&paths, PATIENCE)
        .unwrap()
        .live()
        .unwrap();
    assert_eq!(live[0].shown.state, State::Blocked, "it can still be read");

    mode(&paths.state, 0o700);
    for file in fs::read_dir(&paths.state).unwrap() {
        mode(&file.unwrap().path(), 0o600);
    }
    assert_eq!((take_in(&paths), spool::count(&paths)), (1, (0, 0)));
    let store = Store::open_reading(&paths, PATIENCE).unwrap();
    assert_eq!(store.live().unwrap()[0].shown.state, State::Done);
    assert_eq!(store.counted(Counter::Sandboxed).unwrap().count, 2);
}

#[test]
fn case_l1_signals_of_many_processes_are_all_stored_in_order() {
    const PROCESSES: u32 = 24;
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..PROCESSES)
        .map(|pane| {
            inner(Command::new("env"), "inner_signaller", folder.path())
                .env("TALLY_TEST_PANE", pane.to_string())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let paths = paths(folder.path());
    take_in(&paths);
    let store = Store::open_reading(&paths, PATIENCE).unwrap();
    assert_eq!(store.unrouted().unwrap().last, []);
    let sessions = store.live().unwrap();
    assert_eq!(sessions.len(), PROCESSES as usize);
    for session in &sessions {
        assert_eq!(
            (session.shown.state, session.turn.number),
            (State::Done, 10),
            "{session:?}"
        );
    }
}

#[test]
#[ignore = "the inner part of another test"]
fn inner_signaller() {
    let paths = paths(&folder());
    let pane = std::env::var("TALLY_TEST_PANE").unwrap().parse().unwrap();
    let mut at = SystemClock.now();
    for _ in 0..10 {
        for state in [State::Working, State::Done] {
            // The stamps are in order whatever the clock says.
            at = SystemClock.now().max(Time(at.0 + 1));
            // With no daemon to keep the order of what is spooled, each waits for its turn at the store.
            let fate = signal_at(&paths, pane, state, at, PATIENCE).fate;
            assert_eq!(fate, Fate::Stored);
        }
    }
}
