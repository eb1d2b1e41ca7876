//! The daemon's event loop.

use std::sync::Arc;
use std::time::Duration;

use session_core::Snapshot;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::Service;
use super::bridges::Bridges;
use super::control::{Asked, Reply, Request, Status, serve};
use super::elsewhere::lock_of_store;
use super::error::ServiceError;
use super::exits::Exits;
use super::hooks::Hooks;
use super::keeper::{Keeper, Tools};
use super::lock::Lock;
use super::registries::Registries;
use super::sockets::Sockets;
use crate::beat;
use crate::files::make_private_dir;
use crate::nudge::Nudge;
use crate::runtime_dir;

/// The pause between two slow looks while something goes on, and while nothing does.
const SLOW: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(5));
/// The least pause between two looks at panes without a session.
const WIDE_LOOK: Duration = Duration::from_secs(3);
/// The pause between two prunings of the store.
const PRUNE: Duration = Duration::from_secs(3600);
/// For how long a pane whose own process has ended may tell how, before the agent counts as gone.
const LAST_LOOK: Duration = Duration::from_millis(300);
/// How long a thread waits for more to do: longer than the slowest look, which would begin one each time.
const KEEP_ALIVE: Duration = Duration::from_secs(60);
/// The longest sleep: a clock that was set must not make it longer.
const LONGEST: Duration = Duration::from_secs(60);
/// How many who ask may wait for the event loop.
const QUEUE: usize = 16;

/// Runs the daemon until it is told to stop.
///
/// # Errors
/// When another one runs already, or when the runtime folder, the sockets or the store cannot be used at all.
pub fn run(service: Service) -> Result<(), ServiceError> {
    runtime_dir::ensure(&service.paths.runtime)?;
    let serves = || super::control::socket(&service.paths).exists();
    let _lock = Lock::take_over(&service.paths.runtime.join("daemon.lock"), serves)?;
    // The same store may be reached with another runtime folder (ssh, su, cron): two daemons would take each other's
    // lamps off.
    make_private_dir(&service.paths.state).map_err(|source| ServiceError::Io {
        path: service.paths.state.clone(),
        source,
    })?;
    let _one_a_store = Lock::take(&lock_of_store(&service.paths))?;
    beat::start();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .thread_keep_alive(KEEP_ALIVE)
        .build()
        .map_err(ServiceError::Loop)?;
    runtime.block_on(async { Daemon::start(service)?.run().await })
}

struct Daemon {
    keeper: Keeper,
    sockets: Sockets,
    bridges: Bridges,
    exits: Exits,
    registries: Registries,
    hooks: Hooks,
    asked: (mpsc::Sender<Asked>, mpsc::Receiver<Asked>),
    signals: [Signal; 3],
    version: String,
    since_ms: i64,
    slow_at: Instant,
    wide_at: Instant,
    prune_at: Instant,
    /// Agents whose end is to be told, unless their pane tells more before.
    ending: Vec<(Instant, super::exits::Exit)>,
}

impl Daemon {
    fn start(service: Service) -> Result<Self, ServiceError> {
        let sockets = Sockets::bind(&service.paths)?;
        let hooks = Hooks::new(service.paths.config_file(), service.hook_runner);
        let keeper = Keeper::new(Tools {
            paths: service.paths,
            machine: service.machine,
            policy: service.policy,
            agents: service.agents,
            processes: service.processes,
            clock: service.clock,
        })?;
        let kinds = [
            SignalKind::terminate(),
            SignalKind::interrupt(),
            SignalKind::hangup(),
        ];
        let [terminate, interrupt, hangup] = kinds.map(signal);
        let signals = [
            terminate.map_err(ServiceError::Loop)?,
            interrupt.map_err(ServiceError::Loop)?,
            hangup.map_err(ServiceError::Loop)?,
        ];
        let now = Instant::now();
        tracing::info!(
            version = service.version,
            pid = std::process::id(),
            "the daemon runs"
        );
        Ok(Self {
            since_ms: keeper.now().ms(),
            bridges: Bridges::start(service.bridges, keeper.picture()),
            keeper,
            sockets,
            exits: Exits::new(),
            registries: Registries::new(),
            hooks,
            asked: mpsc::channel(QUEUE),
            signals,
            version: service.version,
            slow_at: now,
            wide_at: now,
            prune_at: now,
            ending: Vec::new(),
        })
    }

    async fn run(mut self) -> Result<(), ServiceError> {
        self.after();
        while !self.turn().await? {
            if self.keeper.outdated {
                tracing::warn!("a newer Tallylight has taken the store over");
                break;
            }
            self.after();
        }
        tracing::info!("the daemon ends");
        self.keeper.settle_up();
        self.keeper.forget_views();
        self.keeper.save_servers();
        self.bridges.end().await;
        self.keeper.leave();
        Ok(())
    }

    /// Waits for something and takes it in. Returns whether that was the order to end.
    async fn turn(&mut self) -> Result<bool, ServiceError> {
        let wake = self.wake_at();
        let [terminate, interrupt, hangup] = &mut self.signals;
        tokio::select! {
            nudge = self.sockets.nudges.next() => self.nudged(nudge.map_err(ServiceError::Loop)?),
            Some(seen) = self.bridges.seen.recv() => self.keeper.seen(seen),
            Some(exit) = self.exits.next() => self.ended(exit),
            Some(seq) = self.hooks.ended() => self.hooks.take_end(seq, &mut self.keeper),
            Some(path) = self.registries.changed() => self.registry_changed(&path),
            Ok((stream, _)) = self.sockets.control.accept() => {
                tokio::spawn(serve(stream, self.asked.0.clone()));
            }
            Some((request, reply)) = self.asked.1.recv() => {
                // Who asked may have given up waiting.
                let _ = reply.send(self.answer(request));
                return Ok(request == Request::Stop);
            }
            () = sleep_until(wake) => self.slow(),
            _ = terminate.recv() => return Ok(true),
            _ = interrupt.recv() => return Ok(true),
            _ = hangup.recv() => return Ok(true),
        }
        // What has come in the meantime is drawn in the same picture.
        while let Ok(seen) = self.bridges.seen.try_recv() {
            self.keeper.seen(seen);
        }
        Ok(false)
    }

    fn nudged(&mut self, first: Nudge) {
        let mut look = false;
        let mut next = Some(first);
        while let Some(nudge) = next {
            match nudge {
                Nudge::Delivery(_) => {
                    self.keeper.take_spooled();
                    self.keeper.nudged(nudge);
                }
                Nudge::Changed(_) | Nudge::Look => look = true,
            }
            next = self.sockets.nudges.also();
        }
        if look {
            self.keeper.nudged(Nudge::Look);
        }
    }

    fn registry_changed(&mut self, first: &std::path::Path) {
        let mut sessions = self.registries.of(first);
        while let Some(path) = self.registries.also_changed() {
            sessions.extend(self.registries.of(&path));
        }
        sessions.sort_unstable();
        sessions.dedup();
        for id in sessions {
            self.keeper.read_registry(id);
        }
    }

    /// An agent's process has ended. Where it was the pane's own process, the pane may say how.
    fn ended(&mut self, exit: super::exits::Exit) {
        let (id, process) = exit;
        let pane = self
            .keeper
            .sessions
            .get(&id)
            .and_then(|session| session.pane_pid);
        self.bridges.look();
        if pane == Some(process.pid) {
            self.ending.push((Instant::now() + LAST_LOOK, exit));
        } else {
            self.keeper.exited(id, process);
        }
    }

    fn answer(&self, request: Request) -> Reply {
        match request {
            Request::Stop => Reply::Stopping,
            Request::Status => Reply::Status(Status {
                pid: std::process::id(),
                version: self.version.clone(),
                since_ms: self.since_ms,
                sessions: self.keeper.sessions.len(),
                servers: self.keeper.servers.len(),
                polled: self.keeper.polled().collect(),
                seq: self.keeper.seq(),
            }),
        }
    }

    /// What is due by the time, and the safety nets.
    fn slow(&mut self) {
        let now = Instant::now();
        let (due, later): (Vec<_>, Vec<_>) = std::mem::take(&mut self.ending)
            .into_iter()
            .partition(|(at, _)| *at <= now);
        self.ending = later;
        for (_, (id, process)) in due {
            self.keeper.exited(id, process);
        }
        if now < self.slow_at {
            return;
        }
        self.keeper.settle_up();
        self.keeper.take_spooled();
        if self.keeper.written_by_others() {
            self.keeper.take_over();
        }
        self.keeper.check_all();
        let wide = now >= self.wide_at;
        self.keeper.look_at_panes(wide);
        for id in self.registries.not_seen() {
            self.keeper.read_registry(id);
        }
        self.keeper.find_repos();
        self.keeper.save_servers();
        self.keeper.tidy();
        if wide {
            self.wide_at = now + WIDE_LOOK;
        }
        if now >= self.prune_at {
            self.keeper.prune();
            self.keeper.cap_log();
            self.prune_at = now + PRUNE;
        }
        let rest = if self.keeper.is_busy() {
            SLOW.0
        } else {
            SLOW.1
        };
        self.slow_at = beat::after(now, rest);
    }

    /// After anything that may have changed something: what is due, who is followed, what is drawn.
    fn after(&mut self) {
        self.keeper.wake();
        if std::mem::take(&mut self.keeper.doubtful) {
            self.bridges.look();
        }
        self.hooks.pump(&mut self.keeper);
        self.exits.follow(self.keeper.sessions.values());
        self.registries.follow(self.keeper.sessions.values());
        let mut picture = self.keeper.picture();
        let news = self.bridges.pictures.send_if_modified(|drawn| {
            let news = differs(&mut picture, drawn);
            if news {
                *drawn = Arc::new(picture);
            }
            news
        });
        if news || self.keeper.is_busy() {
            self.slow_at = self.slow_at.min(Instant::now() + SLOW.0);
        }
    }

    fn wake_at(&self) -> Instant {
        let now = Instant::now();
        let due = self.keeper.next_wake().map(|wake| {
            let micros = wake.0.saturating_sub(self.keeper.now().0).max(0);
            now + Duration::from_micros(micros.unsigned_abs()).min(LONGEST)
        });
        let ending = self.ending.iter().map(|(at, _)| *at).min();
        let errand = self.hooks.next_wake().map(|wake| {
            let micros = wake.0.saturating_sub(self.keeper.now().0).max(0);
            now + Duration::from_micros(micros.unsigned_abs()).min(LONGEST)
        });
        [due, ending, errand]
            .into_iter()
            .flatten()
            .fold(self.slow_at, Instant::min)
    }
}

/// Whether a picture differs from the one that was drawn last in more than the time it was taken at.
fn differs(picture: &mut Snapshot, drawn: &Snapshot) -> bool {
    let at_ms = std::mem::replace(&mut picture.at_ms, drawn.at_ms);
    let ages: Vec<i64> = picture
        .sessions
        .iter()
        .map(|session| session.state_age_ms)
        .collect();
    for (session, drawn) in picture.sessions.iter_mut().zip(&drawn.sessions) {
        session.state_age_ms = drawn.state_age_ms;
    }
    let differs = picture != drawn;
    picture.at_ms = at_ms;
    for (session, age) in picture.sessions.iter_mut().zip(ages) {
        session.state_age_ms = age;
    }
    differs
}
