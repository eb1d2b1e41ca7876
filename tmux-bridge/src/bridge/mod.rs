//! The running adapter: finds the servers, and gives each a task of its own, so that one that hangs holds up no other.

mod farewell;
mod pace;
mod server;
mod work;

use std::collections::HashMap;
use std::ffi::OsString;
use std::future::Future;
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use session_host::bridge::{Bridge, BridgePort};
use session_host::clock::Clock;
use session_host::env::Env;
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};

use crate::discover::{SocketWatch, World, candidates, is_served, is_trusted, sockets};
use crate::style::Theme;
pub use farewell::clear;
use server::Server;
use work::blocking;

/// Between two scans of the process table, which costs a look at every process.
const PROCESS_SCAN: Duration = Duration::from_secs(30);
/// Between two scans of the folder of sockets while its changes are not notified.
const FOLDER_SCAN: Duration = Duration::from_secs(10);
/// How long a new socket may take to be served.
const SETTLE: Duration = Duration::from_millis(100);
/// How long the servers may take to be left as they were found; the daemon itself waits little longer.
const FAREWELL: Duration = Duration::from_millis(1500);

/// What the bridge is told when it starts.
pub struct BridgeConfig {
    /// The daemon's environment.
    pub env: Env,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Whether hooks may be set in the servers; without them the followers use control mode (facts §4).
    pub wake_hooks: bool,
    /// The command that runs [`crate::hold::run`], to which the command of tmux is added; without one, a server that
    /// needs a guard is polled.
    pub hold: Vec<OsString>,
    /// The look of the lamps.
    pub theme: Theme,
}

/// What all tasks share.
struct Context {
    config: BridgeConfig,
    world: World,
}

/// The adapter to all tmux servers of the user.
pub struct TmuxBridge {
    config: BridgeConfig,
    extra: mpsc::Receiver<PathBuf>,
}

impl TmuxBridge {
    /// An adapter that also follows the servers on the sockets that come in through `extra`: the ones that signals
    /// name in their `TMUX`.
    #[must_use]
    pub fn new(config: BridgeConfig, extra: mpsc::Receiver<PathBuf>) -> Self {
        Self { config, extra }
    }
}

impl Bridge for TmuxBridge {
    fn run(self: Box<Self>, port: BridgePort) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let world = World::of(&self.config.env);
        let context = Arc::new(Context {
            config: self.config,
            world,
        });
        Box::pin(
            Running {
                context,
                port,
                servers: HashMap::new(),
                tasks: JoinSet::new(),
                processes_at: Instant::now(),
            }
            .run(self.extra),
        )
    }
}

/// A server's task, seen from outside.
struct Handle {
    look: Arc<Notify>,
    named: Arc<AtomicBool>,
}

struct Running {
    context: Arc<Context>,
    port: BridgePort,
    servers: HashMap<PathBuf, Handle>,
    tasks: JoinSet<PathBuf>,
    processes_at: Instant,
}

impl Running {
    async fn run(mut self, mut extra: mpsc::Receiver<PathBuf>) {
        let (changes, mut changed) = mpsc::channel(1);
        let mut watch = SocketWatch::new(changes);
        let mut scan_at = Instant::now();
        let ring = Arc::clone(&self.port.look);
        let mut rung = pin!(ring.notified());
        let mut stop = self.port.stop.clone();
        loop {
            // From here on a ring is heard even while something else is done.
            rung.as_mut().enable();
            tokio::select! {
                () = stopped(&mut stop) => break,
                Some(socket) = extra.recv() => self.named(socket),
                Some(ended) = self.tasks.join_next() => {
                    if let Ok(socket) = ended {
                        self.servers.remove(&socket);
                    }
                    scan_at = scan_at.min(Instant::now() + SETTLE);
                }
                () = rung.as_mut() => {
                    rung.set(ring.notified());
                    for handle in self.servers.values() {
                        handle.look.notify_one();
                    }
                }
                Some(()) = changed.recv() => scan_at = scan_at.min(Instant::now() + SETTLE),
                () = sleep_until(scan_at) => {
                    watch.follow(&self.context.config.env);
                    self.scan().await;
                    scan_at = self.processes_at;
                    if !watch.is_watching() {
                        scan_at = scan_at.min(Instant::now() + FOLDER_SCAN);
                    }
                }
            }
        }
        let farewell = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(FAREWELL, farewell).await.is_err() {
            tracing::warn!(
                "a tmux server did not answer at the end; its options and hooks stay until the next start"
            );
        }
    }

    /// Looks for servers that nobody follows yet.
    async fn scan(&mut self) {
        let context = Arc::clone(&self.context);
        let processes_too = Instant::now() >= self.processes_at;
        if processes_too {
            self.processes_at = Instant::now() + PROCESS_SCAN;
        }
        let known: Vec<PathBuf> = self.servers.keys().cloned().collect();
        let found = blocking(move || {
            let env = &context.config.env;
            let all = if processes_too {
                candidates(env, &context.world)
            } else {
                sockets(env)
            };
            all.into_iter()
                .filter(|socket| !known.contains(socket) && is_served(socket))
                .collect::<Vec<_>>()
        });
        for socket in found.await.unwrap_or_default() {
            self.follow(socket, false);
        }
    }

    /// A signal came from a pane of the server on this socket.
    fn named(&mut self, socket: PathBuf) {
        let socket = socket.canonicalize().unwrap_or(socket);
        if let Some(handle) = self.servers.get(&socket) {
            if !handle.named.swap(true, Ordering::Relaxed) {
                handle.look.notify_one();
            }
        } else if is_trusted(&socket) && is_served(&socket) {
            self.follow(socket, true);
        }
    }

    fn follow(&mut self, socket: PathBuf, named: bool) {
        let handle = Handle {
            look: Arc::new(Notify::new()),
            named: Arc::new(AtomicBool::new(named)),
        };
        let server = Server::new(
            &self.context,
            &socket,
            &self.port,
            &handle.look,
            &handle.named,
        );
        self.servers.insert(socket.clone(), handle);
        self.tasks.spawn(async move {
            server.run().await;
            socket
        });
    }
}

/// Waits for the end of the daemon.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    // Whoever could say so may be gone: that is an end as well.
    let _ = stop.wait_for(|stop| *stop).await;
}
