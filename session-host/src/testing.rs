//! What several tests need: a place of their own, a clock that stands still, a multiplexer that answers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use session_core::{
    Mux, MuxSessionId, PaneId, PanePlace, ServerId, ServerView, Session, Time, WindowId,
};
use tempfile::TempDir;

use crate::agents::{AgentSource, EmbeddedAgents};
use crate::bridge::{PaneProbe, ProbeFailed, ProbedPane};
use crate::clock::Clock;
use crate::env::Env;
use crate::intake::{Report, SignalAnswer, SignalRequest, World, take_signal};
use crate::paths::Paths;
use crate::process::{FakeProcesses, ProcessGone, ProcessStat, ProcessTable};
use crate::store::Store;

/// When the tests take place.
pub(crate) const NOW: Time = Time(1_700_000_000_000_000);
/// Long enough for anything on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A clock that moves only when it is told to.
#[derive(Debug)]
pub(crate) struct StoppedClock(AtomicI64);

impl Default for StoppedClock {
    fn default() -> Self {
        Self(AtomicI64::new(NOW.0))
    }
}

impl StoppedClock {
    pub(crate) fn forward_ms(&self, ms: i64) {
        self.0.fetch_add(ms * 1000, Ordering::SeqCst);
    }
}

impl Clock for StoppedClock {
    fn now(&self) -> Time {
        Time(self.0.load(Ordering::SeqCst))
    }
}

/// A tmux server that answers the same about every pane, and counts how often it was asked.
#[derive(Debug, Default)]
pub(crate) struct FakeProbe {
    pub(crate) answer: Option<Result<Option<ProbedPane>, ProbeFailed>>,
    pub(crate) asked: AtomicUsize,
}

impl PaneProbe for FakeProbe {
    fn pane(&self, _socket: &str, _pane: PaneId) -> Result<Option<ProbedPane>, ProbeFailed> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.answer
            .clone()
            .unwrap_or_else(|| Err(ProbeFailed("nobody there".into())))
    }
}

/// Processes that a test can change while somebody looks at them.
#[derive(Debug, Default)]
pub(crate) struct LiveProcesses {
    processes: Mutex<FakeProcesses>,
    looks: Mutex<ProcessLooks>,
}

/// How the process table was used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProcessLooks {
    /// How often all processes were listed.
    pub(crate) scans: usize,
    /// How often each process was looked at.
    pub(crate) each: BTreeMap<u32, usize>,
}

impl LiveProcesses {
    pub(crate) fn new(processes: FakeProcesses) -> Self {
        Self {
            processes: Mutex::new(processes),
            looks: Mutex::default(),
        }
    }

    /// How the table was used since this was asked last.
    pub(crate) fn looks(&self) -> ProcessLooks {
        std::mem::take(&mut *self.looks.lock().unwrap())
    }

    pub(crate) fn set(&self, change: impl FnOnce(FakeProcesses) -> FakeProcesses) {
        let mut processes = self.processes.lock().unwrap();
        let changed = change(processes.clone());
        *processes = changed;
    }

    fn get(&self) -> FakeProcesses {
        self.processes.lock().unwrap().clone()
    }
}

impl ProcessTable for LiveProcesses {
    fn stat(&self, pid: u32) -> Result<ProcessStat, ProcessGone> {
        *self.looks.lock().unwrap().each.entry(pid).or_default() += 1;
        self.get().stat(pid)
    }

    fn exe(&self, pid: u32) -> Option<PathBuf> {
        ProcessTable::exe(&self.get(), pid)
    }

    fn argv(&self, pid: u32) -> Vec<String> {
        self.get().argv(pid)
    }

    fn variable(&self, pid: u32, name: &str) -> Option<String> {
        ProcessTable::variable(&self.get(), pid, name)
    }

    fn children(&self, pid: u32) -> Vec<u32> {
        self.get().children(pid)
    }

    fn all(&self) -> Vec<u32> {
        self.looks.lock().unwrap().scans += 1;
        self.get().all()
    }

    fn started_epoch(&self, stat: &ProcessStat) -> Option<i64> {
        self.get().started_epoch(stat)
    }

    fn own_pid(&self) -> u32 {
        self.get().own_pid()
    }
}

/// Folders, an environment, processes, a multiplexer and a clock.
pub(crate) struct Stage {
    pub(crate) paths: Paths,
    pub(crate) vars: Vec<(String, String)>,
    pub(crate) processes: FakeProcesses,
    pub(crate) probe: FakeProbe,
    pub(crate) clock: StoppedClock,
    pub(crate) agents: Box<dyn AgentSource>,
    pub(crate) deadline: Duration,
    pub(crate) folder: TempDir,
}

impl Default for Stage {
    /// Claude Code (20) in pane %7 of a tmux server (5), whose shell is 10; its hook's shell is 30 and runs 99.
    fn default() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let paths = Paths {
            config: at("config"),
            state: at("state"),
            runtime: at("run"),
        };
        let vars = [
            ("TMUX", "/tmp/tmux-1000/default,5,0"),
            ("TMUX_PANE", "%7"),
            ("HOME", "/home/u"),
            ("CLAUDE_PID", "20"),
        ];
        let processes = FakeProcesses::default()
            .with(1, 0, "init")
            .with(5, 1, "tmux")
            .with(10, 5, "-zsh")
            .terminal(10, 34_816, 20)
            .with(20, 10, "claude")
            .with(30, 20, "sh -c hook")
            .terminal(30, 0, 0)
            .with(99, 30, "tally signal")
            .own(99);
        Self {
            paths,
            vars: vars
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
            processes,
            probe: FakeProbe {
                answer: Some(Ok(Some(ProbedPane {
                    pid: 10,
                    server_pid: 5,
                    server_started: 5,
                }))),
                ..FakeProbe::default()
            },
            clock: StoppedClock::default(),
            agents: Box::new(EmbeddedAgents),
            deadline: PATIENCE,
            folder,
        }
    }
}

impl Stage {
    pub(crate) fn var(&mut self, name: &str, value: Option<&str>) {
        self.vars.retain(|(known, _)| known != name);
        self.vars
            .extend(value.map(|value| (name.to_owned(), value.to_owned())));
    }

    /// Runs `tally signal` at the time of the clock.
    pub(crate) fn signal(&self, report: Report) -> SignalAnswer {
        self.signal_at(report, self.clock.now())
    }

    pub(crate) fn signal_at(&self, report: Report, at: Time) -> SignalAnswer {
        self.signal_for(report, at, None)
    }

    pub(crate) fn signal_for(
        &self,
        report: Report,
        at: Time,
        session: Option<&str>,
    ) -> SignalAnswer {
        let env: Env = self.vars.iter().cloned().collect();
        let session = session.map(str::to_owned);
        let request = SignalRequest {
            at,
            env: &env,
            paths: &self.paths,
            report,
            session,
            deadline: self.deadline,
        };
        take_signal(&request, &self.world())
    }

    pub(crate) fn world(&self) -> World<'_> {
        World {
            agents: &*self.agents,
            processes: &self.processes,
            probe: &self.probe,
            clock: &self.clock,
        }
    }

    pub(crate) fn store(&self) -> Store {
        Store::open_writing(&self.paths, PATIENCE).unwrap()
    }

    /// The only live session.
    pub(crate) fn only(&self) -> Session {
        let mut live = self.store().live().unwrap();
        assert_eq!(live.len(), 1, "{live:#?}");
        live.remove(0)
    }
}

/// A tmux pane as its server shows it.
pub(crate) fn place(pane: u32, pid: u32) -> PanePlace {
    PanePlace {
        pane: PaneId(pane),
        pid: Some(pid),
        dead: None,
        window: WindowId(1),
        window_name: "work".to_owned(),
        window_index: 0,
        mux_sessions: vec![(MuxSessionId(0), "main".to_owned())],
        active: true,
        command: None,
        cwd: None,
    }
}

/// The server of [`Stage::default`] with these panes.
pub(crate) fn server(panes: Vec<PanePlace>) -> ServerView {
    let server = ServerId {
        mux: Mux::Tmux,
        socket: "/tmp/tmux-1000/default".to_owned(),
        pid: 5,
        started: 5,
    };
    ServerView {
        server,
        version: "3.3a".to_owned(),
        panes,
        clients: Vec::new(),
        stale_since: None,
    }
}

/// A payload of Claude Code's, as recorded.
pub(crate) fn claude(event: &str) -> Report {
    let path = format!(
        "{}/../extensions/claude/fixtures/{event}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    Report::Payload {
        agent: "claude".to_owned(),
        payload: std::fs::read(path).unwrap(),
    }
}

/// A state given by a script.
pub(crate) fn state(state: &str) -> Report {
    Report::State {
        state: state.parse().unwrap(),
        kind: None,
        message: None,
        agent: None,
    }
}
