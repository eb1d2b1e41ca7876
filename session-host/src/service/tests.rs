//! The daemon by cases: the keeper with fakes, and the whole of it with real sockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use session_core::{
    ClientFact, ClientId, Corroboration, EvidenceSource, Exit, GoneWhy, PaneId, Policy, ServerView,
    Session, Snapshot, State, Time, WindowId,
};

use super::keeper::{Keeper, Tools};
use super::{ControlError, Reply, Request, Service, ServiceError, ask, run};
use crate::agents::EmbeddedAgents;
use crate::bridge::{Bridge, BridgePort, Seen};
use crate::clock::{Clock, SystemClock};
use crate::host;
use crate::intake::Fate;
use crate::nudge::Nudge;
use crate::process::{FakeProcesses, SystemProcesses};
use crate::store::Store;
use crate::testing::{
    LiveProcesses, NOW, PATIENCE, Stage, StoppedClock, claude, place, server, state,
};

/// A keeper and the stage it looks at.
struct Scene {
    stage: Stage,
    processes: Arc<LiveProcesses>,
    clock: Arc<StoppedClock>,
    keeper: Keeper,
}

impl Scene {
    fn new() -> Self {
        Self::on(Stage::default())
    }

    fn on(stage: Stage) -> Self {
        let processes = Arc::new(LiveProcesses::new(stage.processes.clone()));
        let clock = Arc::new(StoppedClock::default());
        let tools = Tools {
            paths: stage.paths.clone(),
            machine: host::machine(),
            policy: Policy::default(),
            agents: Arc::new(EmbeddedAgents),
            processes: Arc::clone(&processes) as _,
            clock: Arc::clone(&clock) as _,
        };
        let keeper = Keeper::new(tools).unwrap();
        Self {
            stage,
            processes,
            clock,
            keeper,
        }
    }

    /// Lets the time pass for everybody.
    fn forward_ms(&self, ms: i64) {
        self.clock.forward_ms(ms);
        self.stage.clock.forward_ms(ms);
    }

    fn processes(&mut self, change: impl Fn(FakeProcesses) -> FakeProcesses) {
        self.processes.set(&change);
        self.stage.processes = change(self.stage.processes.clone());
    }

    /// A signal, and the nudge that follows it.
    fn signal(&mut self, event: &str) {
        self.forward_ms(10);
        let answer = self.stage.signal(claude(event));
        assert_eq!(answer.fate, Fate::Stored, "{answer:?}");
        self.keeper.nudged(Nudge::Look);
        self.keeper.wake();
    }

    fn see(&mut self, view: ServerView) {
        self.forward_ms(1);
        let began = self.clock.now();
        self.keeper.seen(Seen::Server { view, began });
        self.keeper.wake();
    }

    fn only(&self) -> &Session {
        assert_eq!(self.keeper.sessions.len(), 1);
        self.keeper.sessions.values().next().unwrap()
    }

    fn shown(&self) -> State {
        self.only().shown.state
    }

    /// The last session that is over.
    fn over(&self) -> Session {
        self.stage
            .store()
            .all()
            .unwrap()
            .into_iter()
            .find(|session| session.gone.is_some())
            .unwrap()
    }
}

fn viewed(mut view: ServerView, pane: u32, focused: bool) -> ServerView {
    view.clients = vec![ClientFact {
        client: ClientId("/dev/pts/1".into()),
        pane: PaneId(pane),
        focused,
    }];
    view
}

#[test]
fn a_signal_is_taken_over_from_the_store_and_drawn() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    scene.see(server(vec![place(7, 10)]));
    let picture = scene.keeper.picture();
    assert_eq!(
        (picture.sessions[0].state, picture.seq),
        (State::Working, 1)
    );
    assert_eq!(
        picture.servers[0].windows[&WindowId(1)].state,
        State::Working
    );
    assert_eq!(picture.sessions[0].corroboration, Corroboration::Agent);
    scene.signal("Stop");
    assert_eq!(scene.keeper.picture().sessions[0].state, State::Done);
}

#[test]
fn case_b7_a_pane_that_moves_takes_its_state_along() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    scene.signal("PermissionRequest");
    scene.see(server(vec![place(7, 10), place(8, 11)]));
    let before = scene.only().clone();
    let mut moved = place(7, 10);
    moved.window = WindowId(2);
    moved.mux_sessions[0].1 = "other".to_owned();
    scene.see(server(vec![moved, place(8, 11)]));
    let picture = scene.keeper.picture();
    assert_eq!(
        picture.servers[0].windows.keys().collect::<Vec<_>>(),
        [&WindowId(2)]
    );
    assert_eq!(
        (scene.shown(), &scene.only().shown),
        (State::Blocked, &before.shown)
    );
}

#[test]
fn case_h2_a_pane_that_has_vanished_is_gone_at_the_next_look() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    scene.see(server(vec![place(7, 10)]));
    let mut silent = server(Vec::new());
    silent.stale_since = Some(NOW);
    scene.see(silent);
    assert_eq!(
        scene.shown(),
        State::Working,
        "a query that failed proves nothing"
    );
    assert_eq!(
        scene.keeper.picture().sessions[0].stale_since_ms,
        Some(NOW.ms())
    );
    scene.see(server(vec![place(8, 11)]));
    assert!(scene.keeper.sessions.is_empty());
    assert_eq!(scene.over().gone.unwrap().why, GoneWhy::PaneClosed);
}

#[test]
fn a_look_that_began_before_the_signal_may_have_missed_its_pane() {
    let mut scene = Scene::new();
    let began = scene.clock.now();
    scene.signal("UserPromptSubmit");
    let view = server(vec![place(8, 11)]);
    scene.keeper.seen(Seen::Server {
        view: view.clone(),
        began,
    });
    assert_eq!(scene.shown(), State::Working);
    assert!(scene.keeper.doubtful, "another look is asked for");
    scene.see(view);
    assert!(scene.keeper.sessions.is_empty());
    assert_eq!(scene.over().gone.unwrap().why, GoneWhy::PaneClosed);
}

#[test]
fn a_session_in_a_pane_that_was_not_seen_has_the_server_looked_at_again() {
    let mut scene = Scene::new();
    scene.see(server(vec![place(8, 11)]));
    assert!(!scene.keeper.doubtful);
    scene.signal("UserPromptSubmit");
    assert!(scene.keeper.doubtful);
}

#[test]
fn a_session_that_begins_before_the_persons_eyes_has_the_server_looked_at_again() {
    let mut scene = Scene::new();
    let view = viewed(server(vec![place(7, 10), place(8, 11)]), 7, true);
    // The look that shows the agent is over when its session begins.
    scene.see(view.clone());
    assert!(!scene.keeper.picture().sessions[0].viewed);
    assert!(
        scene.keeper.doubtful,
        "nobody has told it that it is viewed"
    );
    scene.see(view);
    assert!(scene.keeper.picture().sessions[0].viewed);
}

#[test]
fn a_server_that_ends_takes_its_sessions_with_it() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    scene.see(server(vec![place(7, 10)]));
    scene.keeper.seen(Seen::Gone(server(Vec::new()).server));
    assert!(scene.keeper.sessions.is_empty() && scene.keeper.servers.is_empty());
    assert_eq!(scene.over().gone.unwrap().why, GoneWhy::ServerGone);
    scene.keeper.save_servers();
    assert!(scene.stage.store().servers().unwrap().is_empty());
}

#[test]
fn case_c7_rows_of_a_dead_server_are_ended_when_the_daemon_starts() {
    let mut stage = Stage::default();
    stage.signal(claude("UserPromptSubmit"));
    stage.processes = FakeProcesses::default().with(1, 0, "init");
    let scene = Scene::on(stage);
    assert!(scene.keeper.sessions.is_empty());
    assert_eq!(scene.over().gone.unwrap().why, GoneWhy::ServerGone);
}

#[test]
fn case_c3_an_agent_that_never_signalled_is_running() {
    let mut scene = Scene::new();
    scene.see(server(vec![place(7, 10)]));
    let session = scene.only();
    assert_eq!(
        (session.shown.state, session.shown.source),
        (State::Running, EvidenceSource::Process)
    );
    assert_eq!(
        (
            session.agent.as_ref().unwrap().as_str(),
            session.process.unwrap().pid
        ),
        ("claude", 20)
    );
    let id = session.id;
    scene.signal("SessionStart.startup");
    assert_eq!(
        (scene.only().id, scene.shown()),
        (id, State::Idle),
        "its first signal makes it the same session"
    );
    scene.processes(|processes| processes.foreground(34_816, 10));
    scene.keeper.look_at_panes(true);
    assert_eq!(
        (scene.shown(), scene.only().corroboration),
        (State::Idle, Corroboration::Shell)
    );
}

#[test]
fn case_c7_a_restored_pane_with_a_shell_is_no_agent() {
    let mut scene = Scene::new();
    scene.processes(|processes| processes.without(20).foreground(34_816, 10));
    let mut restored = place(7, 10);
    restored.window_name = "claude".to_owned();
    restored.command = Some("claude".to_owned());
    scene.see(server(vec![restored]));
    assert!(scene.keeper.sessions.is_empty());
}

#[test]
fn case_c4_a_killed_agent_is_missed_though_its_shell_lives_on() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    scene.see(server(vec![place(7, 10)]));
    let (id, process) = (scene.only().id, scene.only().process.unwrap());
    scene.keeper.exited(id, process);
    assert_eq!(
        scene.shown(),
        State::Working,
        "it lives: the word of its end was about another"
    );
    scene.processes(|processes| processes.without(20).foreground(34_816, 10));
    scene.keeper.exited(id, process);
    assert!(scene.keeper.sessions.is_empty());
    assert_eq!(scene.over().gone.unwrap().why, GoneWhy::AgentExited);
}

#[test]
fn case_c4_an_agent_whose_process_was_never_known_is_missed_when_nothing_runs_any_more() {
    let mut stage = Stage::default();
    stage.var("CLAUDE_PID", None);
    stage.processes = stage.processes.clone().with(20, 10, "renamed-agent");
    let mut scene = Scene::on(stage);
    scene.signal("UserPromptSubmit");
    assert_eq!(scene.only().process, None);
    scene.see(server(vec![place(7, 10)]));
    assert_eq!(scene.shown(), State::Working);
    scene.processes(|processes| {
        processes
            .without(99)
            .without(30)
            .without(20)
            .foreground(34_816, 10)
    });
    scene.keeper.look_at_panes(true);
    assert!(scene.keeper.sessions.is_empty());
}

#[test]
fn case_c5_a_dead_pane_that_is_kept_tells_how_it_ended_also_after_the_agent_was_missed() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    scene.see(server(vec![place(7, 10)]));
    let (id, process) = (scene.only().id, scene.only().process.unwrap());
    scene.processes(|processes| processes.without(20).without(10));
    scene.keeper.exited(id, process);
    assert!(scene.keeper.sessions.is_empty());
    let mut kept = place(7, 10);
    kept.dead = Some(Exit::Status(127));
    scene.see(server(vec![kept.clone()]));
    assert_eq!(
        (scene.shown(), scene.only().exit, scene.only().id),
        (State::Error, Some(Exit::Status(127)), id)
    );
    // It stays as long as the pane does.
    scene.keeper.check_all();
    scene.keeper.look_at_panes(true);
    assert_eq!(scene.shown(), State::Error);
    // And a new process in the pane ends it (case C4).
    scene.see(server(vec![place(7, 12)]));
    assert!(scene.keeper.sessions.is_empty());
}

#[test]
fn the_process_of_a_session_that_said_goodbye_is_no_new_agent() {
    let mut scene = Scene::new();
    scene.signal("SessionStart.startup");
    scene.signal("SessionEnd.other");
    assert!(scene.keeper.sessions.is_empty());
    scene.see(server(vec![place(7, 10)]));
    assert!(scene.keeper.sessions.is_empty());
    scene.processes(|processes| {
        processes
            .without(20)
            .with(21, 10, "claude")
            .foreground(34_816, 21)
    });
    scene.keeper.look_at_panes(true);
    assert_eq!(scene.shown(), State::Running);
}

#[test]
fn case_j4_done_is_acknowledged_by_looking_long_enough_and_leaving() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    scene.signal("Stop");
    let panes = || server(vec![place(7, 10), place(8, 11)]);
    scene.see(viewed(panes(), 7, true));
    scene.forward_ms(300);
    scene.see(viewed(panes(), 8, true));
    assert_eq!(
        scene.shown(),
        State::Done,
        "passing through does not clear it"
    );
    scene.see(viewed(panes(), 7, true));
    scene.forward_ms(3_000);
    scene.see(viewed(panes(), 7, true));
    assert_eq!(scene.shown(), State::Done);
    assert!(scene.keeper.picture().sessions[0].viewed);
    scene.see(viewed(panes(), 7, false));
    assert_eq!(scene.shown(), State::Idle);
}

#[test]
fn case_a1_a_turn_without_a_sign_of_life_is_quiet_and_a_tool_in_flight_is_not() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    let wake = scene.keeper.next_wake().unwrap();
    assert_eq!(wake, scene.only().turn.heard.plus_ms(10_000));
    scene.forward_ms(9_000);
    scene.keeper.wake();
    assert_eq!(scene.shown(), State::Working);
    scene.forward_ms(2_000);
    scene.keeper.wake();
    assert_eq!(scene.shown(), State::Idle);
    assert_eq!(scene.keeper.next_wake(), None);
    let journal = scene.stage.store().journal_since(0, 10).unwrap();
    assert_eq!(journal.last().unwrap().transition.reason, "quiet");
    scene.signal("UserPromptSubmit");
    scene.signal("PreToolUse");
    scene.forward_ms(1_800_000);
    scene.keeper.wake();
    assert_eq!(scene.shown(), State::Working, "case A2");
}

#[test]
fn an_interrupt_that_fires_no_hook_shows_by_the_agent_s_own_registry() {
    let mut stage = Stage::default();
    let home = stage.folder.path().join("claude");
    std::fs::create_dir_all(home.join("sessions")).unwrap();
    stage.var("CLAUDE_CONFIG_DIR", home.to_str());
    let mut scene = Scene::on(stage);
    scene.signal("UserPromptSubmit");
    let id = scene.only().id;
    let write = |status: &str, at: Time| {
        let text = format!(r#"{{"status":"{status}","statusUpdatedAt":{}}}"#, at.ms());
        #[expect(
            clippy::disallowed_methods,
            reason = "the test stands in for the agent"
        )]
        std::fs::write(home.join("sessions/20.json"), text).unwrap();
    };
    write("busy", scene.clock.now());
    scene.keeper.read_registry(id);
    scene.forward_ms(60_000);
    scene.keeper.wake();
    assert_eq!(
        scene.shown(),
        State::Working,
        "the registry says busy: no quiet rule"
    );
    scene.signal("PostToolBatch");
    write("idle", scene.clock.now());
    scene.keeper.read_registry(id);
    assert_eq!(
        scene.shown(),
        State::Working,
        "it contradicts the signals, but not for long enough"
    );
    let wake = scene.keeper.next_wake().unwrap();
    assert_eq!(wake.ms_since(scene.clock.now()), 500);
    scene.forward_ms(500);
    scene.keeper.wake();
    assert_eq!(
        (scene.shown(), scene.only().shown.source),
        (State::Idle, EvidenceSource::Registry)
    );
}

#[test]
fn a_session_whose_server_s_start_was_unknown_is_adopted() {
    let mut stage = Stage::default();
    stage.probe.answer = None;
    let mut scene = Scene::on(stage);
    scene.signal("UserPromptSubmit");
    assert_eq!(scene.only().pane.as_ref().unwrap().server.started, 0);
    scene.see(server(vec![place(7, 10)]));
    assert_eq!(
        scene.only().pane.as_ref().unwrap().server,
        server(Vec::new()).server
    );
    assert_eq!(scene.stage.only().pane, scene.only().pane);
}

#[test]
fn a_session_knows_its_repository() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    let folder = scene.stage.folder.path().join("repo");
    std::fs::create_dir_all(folder.join(".git")).unwrap();
    let id = scene.only().id;
    let cwd = folder.join("src").display().to_string();
    scene
        .keeper
        .amend(id, |session| session.cwd = Some(cwd.clone()));
    scene.keeper.find_repos();
    assert_eq!(scene.only().repo.as_deref(), folder.to_str());
    assert!(
        scene
            .keeper
            .picture()
            .repos
            .contains_key(folder.to_str().unwrap())
    );
}

#[test]
fn a_store_that_is_removed_or_damaged_while_the_daemon_runs_costs_no_session() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    let id = scene.only().id;
    for part in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(scene.stage.paths.state.join(format!("sessions.db{part}")));
    }
    scene.keeper.take_over();
    assert_eq!((scene.only().id, scene.stage.only().id), (id, id));
    scene.signal("Stop");
    assert_eq!((scene.only().id, scene.shown()), (id, State::Done));

    scene.stage.store().checkpoint(0).unwrap();
    #[expect(clippy::disallowed_methods, reason = "the test damages the store")]
    std::fs::write(scene.stage.paths.store(), vec![0xa5; 20_000]).unwrap();
    scene.forward_ms(2_000);
    scene.stage.signal(claude("UserPromptSubmit"));
    scene.keeper.nudged(Nudge::Look);
    let live = scene.stage.store().live().unwrap();
    assert_eq!(live.len(), 1);
    assert_eq!(scene.stage.store().set_aside().unwrap().len(), 1);
    assert_eq!(scene.shown(), State::Working);
}

#[test]
fn a_store_that_cannot_be_written_is_made_up_for_later() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    scene.see(server(vec![place(7, 10)]));
    let id = scene.only().id;
    // The signal's own process finds the store held and nudges; the daemon finds it held as well.
    let holder = Holder::new(&scene.stage);
    scene.stage.deadline = Duration::from_millis(30);
    scene.forward_ms(10);
    let socket = bind(&scene.stage);
    assert_eq!(scene.stage.signal(claude("Stop")).fate, Fate::Spooled);
    let nudge = receive(&socket);
    assert!(matches!(nudge, Nudge::Delivery(_)));
    scene.keeper.nudged(nudge);
    assert_eq!(
        scene.shown(),
        State::Done,
        "it is drawn although it is not written"
    );
    scene.see(viewed(server(vec![place(7, 10)]), 7, true));
    assert!(scene.keeper.picture().sessions[0].viewed);
    scene.keeper.settle_up();
    assert_eq!(
        scene
            .stage
            .store()
            .session(id)
            .unwrap()
            .unwrap()
            .shown
            .state,
        State::Working
    );
    drop(holder);
    scene.keeper.settle_up();
    scene.keeper.take_spooled();
    let stored = scene.stage.only();
    assert_eq!(
        (stored.id, stored.shown.state, stored.viewed_since.is_some()),
        (id, State::Done, true)
    );
    assert_eq!(scene.keeper.sessions[&id], stored);
    let states: Vec<_> = scene
        .stage
        .store()
        .journal_since(0, 10)
        .unwrap()
        .iter()
        .map(|row| row.transition.to)
        .collect();
    assert_eq!(
        states,
        [State::Working, State::Done],
        "it is journaled once, though it came twice"
    );
}

#[test]
fn spooled_signals_are_taken_in_when_the_daemon_starts() {
    let mut stage = Stage::default();
    let holder = Holder::new(&stage);
    stage.deadline = Duration::from_millis(25);
    assert_eq!(stage.signal(claude("UserPromptSubmit")).fate, Fate::Spooled);
    drop(holder);
    assert_eq!(Scene::on(stage).shown(), State::Working);
}

#[test]
fn case_l2_nothing_is_written_while_nothing_changes() {
    let mut scene = Scene::new();
    scene.signal("SessionStart.startup");
    scene.see(server(vec![place(7, 10)]));
    scene.keeper.find_repos();
    scene.keeper.save_servers();
    let reader = Store::open_reading(&scene.stage.paths, PATIENCE).unwrap();
    let version = reader.data_version().unwrap();
    for _ in 0..10 {
        scene.forward_ms(2_000);
        scene.see(server(vec![place(7, 10)]));
        scene.keeper.check_all();
        scene.keeper.look_at_panes(true);
        scene.keeper.find_repos();
        scene.keeper.save_servers();
        scene.keeper.take_spooled();
    }
    assert_eq!(reader.data_version().unwrap(), version);
    assert!(!scene.keeper.written_by_others());
}

/// What a look costs does not grow with what it looks for: no list of all processes, and each pane's process once.
#[test]
fn case_l2_a_look_at_fifty_panes_is_one_walk_over_the_processes_and_writes_nothing() {
    const PANES: u32 = 50;
    let mut scene = Scene::new();
    scene.signal("SessionStart.startup");
    scene.processes(|processes| {
        (0..PANES).fold(processes, |processes, pane| {
            let (shell, job) = (1_000 + pane, 2_000 + pane);
            processes
                .with(shell, 5, "-zsh")
                .terminal(shell, 40_000 + pane, job)
                .with(job, shell, "vim")
        })
    });
    let panes = (0..PANES).map(|pane| place(100 + pane, 1_000 + pane));
    let view = server(panes.chain([place(7, 10)]).collect());
    scene.see(view.clone());
    scene.keeper.find_repos();
    scene.keeper.save_servers();
    let reader = Store::open_reading(&scene.stage.paths, PATIENCE).unwrap();
    let version = reader.data_version().unwrap();
    for round in 0..20 {
        scene.forward_ms(2_000);
        scene.processes.looks();
        scene.see(view.clone());
        scene.keeper.check_all();
        scene.keeper.look_at_panes(true);
        let looks = scene.processes.looks();
        assert_eq!(looks.scans, 0, "round {round}");
        let of_panes = looks.each.iter().filter(|(pid, _)| **pid >= 1_000);
        for (pid, count) in of_panes {
            assert!(
                *count <= 2,
                "round {round}: {pid} was looked at {count} times"
            );
        }
    }
    assert_eq!(reader.data_version().unwrap(), version);
}

/// Holds the store's write lock until it is dropped.
struct Holder(
    Option<std::sync::mpsc::Sender<()>>,
    Option<std::thread::JoinHandle<()>>,
);

impl Holder {
    fn new(stage: &Stage) -> Self {
        let (held, wait) = std::sync::mpsc::channel();
        let (release, released) = std::sync::mpsc::channel::<()>();
        let mut store = stage.store();
        let thread = std::thread::spawn(move || {
            let hold = store.write(NOW, |_| {
                held.send(()).unwrap();
                let _ = released.recv();
                Ok(())
            });
            hold.unwrap();
        });
        wait.recv().unwrap();
        Self(Some(release), Some(thread))
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        self.0.take();
        self.1.take().map(std::thread::JoinHandle::join);
    }
}

fn bind(stage: &Stage) -> std::os::unix::net::UnixDatagram {
    crate::runtime_dir::ensure(&stage.paths.runtime).unwrap();
    let kind = rustix::net::SocketType::DGRAM;
    crate::runtime_dir::bind_socket(&stage.paths.nudge_socket(), kind)
        .unwrap()
        .into()
}

fn receive(socket: &std::os::unix::net::UnixDatagram) -> Nudge {
    let mut bytes = vec![0; crate::nudge::MAX_BYTES];
    let length = socket.recv(&mut bytes).unwrap();
    serde_json::from_slice(&bytes[..length]).unwrap()
}

/// A bridge that says what a test tells it to, and counts how often it was started.
struct Puppet {
    starts: Arc<AtomicUsize>,
    port: std::sync::mpsc::Sender<BridgePort>,
    ends: usize,
}

impl Bridge for Puppet {
    fn run(
        self: Box<Self>,
        mut port: BridgePort,
    ) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            let start = self.starts.fetch_add(1, Ordering::SeqCst);
            if start < self.ends {
                assert!(start > 0, "the first start fails, the second ends");
                return;
            }
            self.port.send(port.clone()).unwrap();
            let _ = port.stop.wait_for(|stop| *stop).await;
        })
    }
}

struct Daemon {
    stage: Stage,
    thread: std::thread::JoinHandle<Result<(), ServiceError>>,
    port: BridgePort,
    starts: Arc<AtomicUsize>,
}

impl Daemon {
    /// Starts a daemon whose bridge ends `ends` times before it stays.
    fn start(stage: Stage, ends: usize) -> Self {
        let (sender, ports) = std::sync::mpsc::channel();
        let starts = Arc::new(AtomicUsize::new(0));
        let service = service(&stage, Some((Arc::clone(&starts), sender, ends)));
        let thread = std::thread::spawn(move || run(service));
        let port = ports.recv_timeout(PATIENCE).unwrap();
        Self {
            stage,
            thread,
            port,
            starts,
        }
    }

    /// Waits for a picture that fits.
    fn picture(&mut self, fits: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        let wait = async {
            let found = self
                .port
                .pictures
                .wait_for(|picture| fits(picture))
                .await
                .unwrap();
            Arc::clone(&found)
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime
            .block_on(async { tokio::time::timeout(PATIENCE, wait).await })
            .unwrap()
    }

    fn stop(self) -> Stage {
        assert_eq!(
            ask(&self.stage.paths, Request::Stop, PATIENCE).unwrap(),
            Reply::Stopping
        );
        self.thread.join().unwrap().unwrap();
        self.stage
    }
}

type Strings = (Arc<AtomicUsize>, std::sync::mpsc::Sender<BridgePort>, usize);

fn service(stage: &Stage, strings: Option<Strings>) -> Service {
    let mut bridges: Vec<super::BridgeMaker> = Vec::new();
    if let Some((starts, port, ends)) = strings {
        bridges.push(Box::new(move || {
            Box::new(Puppet {
                starts: Arc::clone(&starts),
                port: port.clone(),
                ends,
            })
        }));
    }
    Service {
        paths: stage.paths.clone(),
        machine: host::machine(),
        policy: Policy::default(),
        agents: Arc::new(EmbeddedAgents),
        processes: Arc::new(LiveProcesses::new(stage.processes.clone())),
        clock: Arc::new(StoppedClock::default()),
        bridges,
        version: "1.2.3".to_owned(),
        hook_runner: Vec::new(),
    }
}

#[test]
fn the_daemon_draws_what_it_is_told_and_ends_cleanly() {
    let mut daemon = Daemon::start(Stage::default(), 0);
    daemon.stage.signal(claude("UserPromptSubmit"));
    let picture = daemon.picture(|picture| !picture.sessions.is_empty());
    assert_eq!(picture.sessions[0].state, State::Working);
    daemon
        .port
        .seen
        .blocking_send(Seen::Server {
            view: server(vec![place(7, 10)]),
            began: NOW,
        })
        .unwrap();
    daemon.picture(|picture| {
        picture.sessions[0].pane.as_ref().unwrap().window_id == Some(WindowId(1))
    });

    let Ok(Reply::Status(status)) = ask(&daemon.stage.paths, Request::Status, PATIENCE) else {
        panic!("no status")
    };
    assert_eq!(
        (status.pid, status.sessions, status.servers),
        (std::process::id(), 1, 1)
    );
    assert_eq!((status.version.as_str(), status.seq), ("1.2.3", 1));

    let second = run(service(&daemon.stage, None));
    assert!(
        matches!(second, Err(ServiceError::AlreadyRunning { pid: Some(pid) }) if pid == std::process::id())
    );

    let stage = daemon.stop();
    let left: Vec<_> = std::fs::read_dir(&stage.paths.runtime)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["daemon.lock"]);
    assert!(matches!(
        ask(&stage.paths, Request::Status, PATIENCE),
        Err(ControlError::NotRunning)
    ));
    assert_eq!(
        stage.store().servers().unwrap(),
        [server(vec![place(7, 10)])]
    );
}

#[test]
fn a_daemon_ends_when_a_newer_one_has_taken_the_store_over() {
    let daemon = Daemon::start(Stage::default(), 0);
    crate::store::pretend_newer(&daemon.stage.paths);
    let _ = crate::nudge::nudge(&daemon.stage.paths, &Nudge::Look);
    daemon.thread.join().unwrap().unwrap();
}

#[test]
fn who_looked_at_what_is_forgotten_while_no_daemon_runs() {
    let mut scene = Scene::new();
    scene.signal("UserPromptSubmit");
    scene.signal("Stop");
    scene.see(viewed(server(vec![place(7, 10)]), 7, true));
    assert!(scene.only().viewed_since.is_some());
    // The daemon is killed; the next one is started an hour later, and the person is elsewhere.
    let mut scene = Scene::on(scene.stage);
    scene.forward_ms(3_600_000);
    scene.see(viewed(server(vec![place(7, 10), place(8, 11)]), 8, true));
    assert_eq!(scene.shown(), State::Done);
}

#[test]
fn a_bridge_that_fails_or_ends_is_started_again() {
    let daemon = Daemon::start(Stage::default(), 2);
    assert_eq!(daemon.starts.load(Ordering::SeqCst), 3);
    daemon.stop();
}

#[test]
fn case_k5_the_daemon_refuses_a_runtime_folder_that_is_open_to_others() {
    let stage = Stage::default();
    std::fs::create_dir(&stage.paths.runtime).unwrap();
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&stage.paths.runtime, open).unwrap();
    assert!(matches!(
        run(service(&stage, None)),
        Err(ServiceError::RuntimeDir(_))
    ));
    assert!(matches!(
        ask(&stage.paths, Request::Status, PATIENCE),
        Err(ControlError::RuntimeDir(_))
    ));
    assert!(!stage.paths.state.exists());
}

#[test]
fn a_caller_that_asks_nonsense_is_told_so() {
    use std::io::{Read as _, Write as _};
    let daemon = Daemon::start(Stage::default(), 0);
    let mut stream =
        std::os::unix::net::UnixStream::connect(daemon.stage.paths.runtime.join("control.sock"))
            .unwrap();
    stream.write_all(b"hello?\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("\"is\":\"refused\""), "{answer}");
    daemon.stop();
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_end_of_a_process_is_heard_of_at_once() {
    use crate::process::ProcessTable as _;
    let mut child = std::process::Command::new("sleep")
        .arg("60")
        .spawn()
        .unwrap();
    let process = SystemProcesses.stat(child.id()).unwrap().reference();
    let now = SystemClock.now();
    let mut session = Session::new(crate::intake::new_id(now), host::machine(), None, now);
    session.process = Some(process);
    let mut exits = super::exits::Exits::new();
    exits.follow([&session].into_iter());
    child.kill().unwrap();
    let heard = tokio::time::timeout(PATIENCE, exits.next()).await.unwrap();
    assert_eq!(heard, Some((session.id, process)));
    child.wait().unwrap();
    // One that has ended before is heard of as well.
    let mut late = super::exits::Exits::new();
    late.follow([&session].into_iter());
    assert_eq!(
        tokio::time::timeout(PATIENCE, late.next()).await.unwrap(),
        Some((session.id, process))
    );
}

#[tokio::test]
async fn a_registry_that_is_written_is_heard_of_and_not_missed_without_the_watch() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("20.json");
    let now = SystemClock.now();
    let mut session = Session::new(crate::intake::new_id(now), host::machine(), None, now);
    session.registry_path = path.to_str().map(str::to_owned);
    let mut registries = super::registries::Registries::new();
    registries.follow([&session].into_iter());
    assert!(registries.not_seen().is_empty());
    #[expect(
        clippy::disallowed_methods,
        reason = "the test stands in for the agent"
    )]
    std::fs::write(&path, "{}").unwrap();
    let changed = tokio::time::timeout(PATIENCE, registries.changed())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(registries.of(&changed), [session.id]);
    assert_eq!(registries.not_seen(), [session.id]);
    assert!(registries.not_seen().is_empty());
    registries.follow(std::iter::empty());
    assert!(registries.of(&path).is_empty());
}

#[test]
fn a_state_given_by_a_script_reaches_the_picture() {
    let mut daemon = Daemon::start(Stage::default(), 0);
    daemon.stage.signal(state("blocked"));
    let picture = daemon.picture(|picture| !picture.sessions.is_empty());
    assert_eq!(picture.rollup.state, State::Blocked);
    daemon.stop();
}
