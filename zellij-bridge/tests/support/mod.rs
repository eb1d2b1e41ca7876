//! A service without a store, and a `zellij` that is a script.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    dead_code,
    reason = "a test fails loudly, and writes only files of its own"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use session_core::wire::{Down, Flavour, Theme, Up};
use session_core::{MachineId, Policy, ServerView, Snapshot, State, Time};
use session_host::bridge::{Bridge as _, BridgePort, Seen};
use session_host::clock::SystemClock;
use session_host::env::Env;
use session_host::process::SystemProcesses;
use tokio::sync::{Notify, mpsc, watch};
use zellij_bridge::{BridgeConfig, ZellijBridge, zjstatus};

/// How long anything may take.
const LIMIT: Duration = Duration::from_secs(20);

/// Waits until a condition holds.
pub(crate) fn wait_for<T>(what: &str, mut probe: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(value) = probe() {
            return value;
        }
        assert!(begun.elapsed() < LIMIT, "waited for {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A zellij that is a script: `pipe --name tally:down` writes what it reads to a file, `… tally:up` prints what is
/// written to another one. The server is real enough to be found.
pub(crate) struct FakeZellij {
    root: tempfile::TempDir,
    server: Option<Child>,
    name: String,
}

const SCRIPT: &str = r#"#!/bin/sh
# Called as: zellij --version | zellij -s NAME pipe --name PIPE [-- hello] | zellij -s NAME action list-panes …
here=$(dirname "$0")
[ "$1" = --version ] && { echo "zellij 0.45.1"; exit; }
echo "$*" >> "$here/calls"
env | cut -d= -f1 | sort -u >> "$here/names"
case "$3 $5" in
"pipe tally:up")
    [ -e "$here/present" ] || exit 0
    echo $$ >> "$here/up.pids"
    exec tail -n +1 -f "$here/up" ;;
"pipe "*)
    echo $$ >> "$here/down.pids"
    while :; do
        while [ -e "$here/parked" ]; do sleep 0.05; done
        IFS= read -r line || break
        printf '%s\n' "$line" >> "$here/$(echo "$5" | tr : -)"
    done
    echo "end of input" >> "$here/ends" ;;
"action "*)
    cat "$here/panes" 2>/dev/null || exit 1 ;;
esac
"#;

/// A process that is called zellij, listens on a socket and has one pane.
const SERVER: &str = r#"
import os, socket, subprocess, sys
open("/proc/self/comm", "w").write("zellij")
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[2])
listener.listen()
subprocess.Popen(["sleep", "300"], env={"ZELLIJ_PANE_ID": "4", "PATH": os.environ["PATH"]})
while True:
    listener.accept()[0].close()
"#;

impl FakeZellij {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let bin = root.path().join("bin");
        fs::create_dir_all(&bin).unwrap();
        fs::create_dir_all(root.path().join("sockets/contract_version_1")).unwrap();
        fs::create_dir_all(root.path().join("tmp")).unwrap();
        let script = bin.join("zellij");
        fs::write(&script, SCRIPT).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(bin.join("up"), "").unwrap();
        Self {
            root,
            server: None,
            name: "work".into(),
        }
    }

    pub(crate) fn env(&self) -> Env {
        let path = |name: &str| self.root.path().join(name).into_os_string();
        let mut search = path("bin");
        search.push(":/usr/bin:/bin");
        [
            ("PATH", search),
            ("HOME", path("home")),
            ("TMPDIR", path("tmp")),
            ("XDG_RUNTIME_DIR", path("run")),
            ("ZELLIJ_SOCKET_DIR", path("sockets")),
            ("ZELLIJ_SESSION_NAME", "stale".into()),
        ]
        .into_iter()
        .collect()
    }

    pub(crate) fn socket(&self, name: &str) -> PathBuf {
        self.root
            .path()
            .join("sockets/contract_version_1")
            .join(name)
    }

    /// Starts a server: a process that is called zellij and has the right arguments, with one pane.
    pub(crate) fn start(&mut self) {
        let socket = self.socket(&self.name);
        let _ = fs::remove_file(&socket);
        let env = self.env();
        let mut command = Command::new("python3");
        command
            .env_clear()
            .envs(env.iter())
            .env_remove("ZELLIJ_SESSION_NAME");
        command
            .args(["-c", SERVER, "--server"])
            .arg(&socket)
            .stdin(Stdio::null());
        self.server = Some(command.spawn().unwrap());
        wait_for("the socket", || socket.exists().then_some(()));
    }

    pub(crate) fn server_pid(&self) -> u32 {
        self.server.as_ref().unwrap().id()
    }

    pub(crate) fn kill_server(&mut self) {
        if let Some(mut server) = self.server.take() {
            let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", server.id()));
            server.kill().unwrap();
            server.wait().unwrap();
            for child in children.unwrap_or_default().split_whitespace() {
                Command::new("kill").args(["-9", child]).status().unwrap();
            }
        }
    }

    pub(crate) fn rename(&mut self, name: &str) {
        fs::rename(self.socket(&self.name), self.socket(name)).unwrap();
        name.clone_into(&mut self.name);
    }

    /// Makes the plugin be there, with this as its first word.
    pub(crate) fn load_plugin(&self, first: &Up) {
        self.say(first);
        fs::write(self.file("present"), "").unwrap();
    }

    /// Takes the plugin away.
    pub(crate) fn unload_plugin(&self) {
        fs::remove_file(self.file("present")).unwrap();
        fs::write(self.file("up"), "").unwrap();
        for pid in self.pids("up.pids") {
            kill(pid);
        }
    }

    /// Makes the plugin say something.
    pub(crate) fn say(&self, up: &Up) {
        use std::io::Write as _;
        let mut file = fs::File::options()
            .append(true)
            .open(self.file("up"))
            .unwrap();
        writeln!(file, "{}", up.line().unwrap()).unwrap();
    }

    /// Makes the pipes hang, as while some plugin waits for its permission.
    pub(crate) fn park(&self, parked: bool) {
        let file = self.file("parked");
        if parked {
            fs::write(file, "").unwrap();
        } else {
            fs::remove_file(file).unwrap();
        }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.root.path().join("bin").join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_default()
    }

    /// The lines that the plugins have got.
    pub(crate) fn down(&self) -> Vec<Down> {
        self.text("tally-down")
            .lines()
            .filter_map(|line| Down::read(line).ok())
            .collect()
    }

    pub(crate) fn pids(&self, name: &str) -> Vec<u32> {
        self.text(name)
            .lines()
            .filter_map(|line| line.parse().ok())
            .collect()
    }

    /// The processes of those that still run. One that has ended may wait for this process to end too: the loop that
    /// would take note of it has ended before it.
    pub(crate) fn alive(&self, name: &str) -> Vec<u32> {
        let alive = |pid: &u32| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
            stat.is_ok_and(|stat| !stat.contains(") Z "))
        };
        self.pids(name).into_iter().filter(alive).collect()
    }

    pub(crate) fn picture_file(&self) -> PathBuf {
        let user = rustix::process::geteuid().as_raw();
        let file = format!("tmp/zellij-{user}/tally/{}.json", self.server_pid());
        self.root.path().join(file)
    }

    /// Writes the metadata file, as zellij does.
    pub(crate) fn write_metadata(&self, text: &str) {
        let folder = self
            .root
            .path()
            .join("home/.cache/zellij/contract_version_1/session_info")
            .join(&self.name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("session-metadata.kdl"), text).unwrap();
    }
}

impl Drop for FakeZellij {
    fn drop(&mut self) {
        self.kill_server();
    }
}

pub(crate) fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
}

/// A daemon without a store: a bridge on a runtime of its own, and what it saw.
pub(crate) struct Service {
    seen: Arc<Mutex<Vec<Seen>>>,
    pictures: watch::Sender<Arc<Snapshot>>,
    look: Arc<Notify>,
    stop: watch::Sender<bool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Service {
    pub(crate) fn start(zellij: &FakeZellij, widget: Option<zjstatus::Widget>) -> Self {
        let (seen, mut taken) = mpsc::channel(64);
        let (pictures, shown) = watch::channel(Arc::new(picture(State::None)));
        let (stop, stopped) = watch::channel(false);
        let look = Arc::new(Notify::new());
        let port = BridgePort {
            seen,
            pictures: shown,
            look: Arc::clone(&look),
            stop: stopped,
        };
        let config = BridgeConfig {
            env: zellij.env(),
            clock: Arc::new(SystemClock),
            processes: Arc::new(SystemProcesses),
            flavour: Flavour::Release,
            theme: Theme::default(),
            zjstatus: widget,
            go: None,
        };
        let log: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let keep = Arc::clone(&log);
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let keeper = tokio::spawn(async move {
                    while let Some(seen) = taken.recv().await {
                        keep.lock().unwrap().push(seen);
                    }
                });
                Box::new(ZellijBridge::new(config)).run(port).await;
                keeper.abort();
            });
        });
        Self {
            seen: log,
            pictures,
            look,
            stop,
            thread: Some(thread),
        }
    }

    pub(crate) fn show(&self, state: State) {
        self.pictures.send_replace(Arc::new(picture(state)));
    }

    pub(crate) fn look(&self) {
        self.look.notify_one();
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The newest view.
    pub(crate) fn view(&self) -> Option<ServerView> {
        self.seen().into_iter().rev().find_map(|seen| match seen {
            Seen::Server { view, .. } => Some(view),
            Seen::Polled { .. } | Seen::Gone(_) => None,
        })
    }

    pub(crate) fn stop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A picture in which the machine's only session is in this state; `none` for no session.
pub(crate) fn picture(state: State) -> Snapshot {
    let none: [&session_core::Session; 0] = [];
    let coverage = |_: &session_core::AgentName| session_core::manifest::Coverage::default();
    let machine = MachineId("here".into());
    let mut snapshot = session_core::snapshot(
        &machine,
        0,
        none,
        &[],
        coverage,
        &Policy::default(),
        Time(0),
    );
    let counts = &mut snapshot.rollup.counts;
    match state {
        State::Blocked => counts.blocked = 1,
        State::Working => counts.working = 1,
        State::Done => counts.done = 1,
        _ => {}
    }
    snapshot
}
