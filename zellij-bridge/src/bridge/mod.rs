//! The running adapter: finds the sessions, and gives each a task of its own, so that one that hangs holds up no
//! other.

mod death;
mod follower;
mod picture;
mod watch;

use std::collections::HashMap;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use session_core::ProcessRef;
use session_core::wire::{Flavour, Go, Theme};
use session_host::bridge::{Bridge, BridgePort};
use session_host::clock::Clock;
use session_host::env::Env;
use session_host::process::ProcessTable;
use tokio::sync::{Notify, mpsc, watch as value};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{Instant, sleep_until, timeout};

use crate::discover::{Finder, Found, bases, folders};
use crate::feed::clear;
use crate::zellij::Zellij;
use crate::zjstatus::Widget;
use follower::{Follower, Order};
use watch::{Change, Watch};

/// Between two scans for sessions, whose comings and goings are also notified.
const SCAN: Duration = Duration::from_secs(10);

/// How long a new session may take to be ready, before it is looked at again.
const SETTLE: Duration = Duration::from_millis(150);

/// How long the plugins may take to be told good-bye.
const FAREWELL: Duration = Duration::from_secs(2);

/// What the bridge is told when it starts.
pub struct BridgeConfig {
    /// The daemon's environment.
    pub env: Env,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The processes.
    pub processes: Arc<dyn ProcessTable>,
    /// Which pipes are used.
    pub flavour: Flavour,
    /// The look of the lamps.
    pub theme: Theme,
    /// The widget of zjstatus that is fed, if one is wanted.
    pub zjstatus: Option<Widget>,
    /// Where to tell that the person chose, in a plugin, a pane that zellij cannot go to.
    pub go: Option<mpsc::Sender<Go>>,
}

/// The adapter to all zellij sessions of the user.
pub struct ZellijBridge {
    config: BridgeConfig,
}

impl ZellijBridge {
    /// An adapter.
    #[must_use]
    pub const fn new(config: BridgeConfig) -> Self {
        Self { config }
    }
}

impl Bridge for ZellijBridge {
    fn run(self: Box<Self>, port: BridgePort) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        // No other daemon of this person has had this number.
        let run = u64::try_from(self.config.clock.now().0).unwrap_or(0);
        let context = Context {
            zellij: Zellij::on_path(&self.config.env),
            config: self.config,
            run,
        };
        let running = Running {
            context: Arc::new(context),
            port,
            finder: Finder::default(),
            sessions: HashMap::new(),
            tasks: JoinSet::new(),
        };
        Box::pin(running.run())
    }
}

/// What all tasks share.
struct Context {
    config: BridgeConfig,
    zellij: Zellij,
    /// The number of the daemon's life.
    run: u64,
}

/// A session's task, seen from outside.
struct Handle {
    orders: mpsc::UnboundedSender<Order>,
    /// What it was told last.
    found: Found,
}

struct Running {
    context: Arc<Context>,
    port: BridgePort,
    finder: Finder,
    sessions: HashMap<ProcessRef, Handle>,
    tasks: JoinSet<ProcessRef>,
}

impl Running {
    async fn run(mut self) {
        let (changes, mut changed) = mpsc::unbounded_channel();
        let mut watch = Watch::new(changes);
        let context = Arc::clone(&self.context);
        let cleared = spawn_blocking(move || {
            let config = &context.config;
            clear(config.flavour, &config.env, &*config.processes);
        });
        // Only a panic would be told, and then the pipes stay.
        let _ = cleared.await;
        let mut scan_at = Instant::now();
        let ring = Arc::clone(&self.port.look);
        let mut rung = pin!(ring.notified());
        let mut stop = self.port.stop.clone();
        loop {
            // From here on a ring is heard even while something else is done.
            rung.as_mut().enable();
            tokio::select! {
                () = stopped(&mut stop) => break,
                () = rung.as_mut() => {
                    rung.set(ring.notified());
                    self.tell_all(&Order::Look);
                }
                Some(ended) = self.tasks.join_next() => {
                    if let Ok(process) = ended {
                        self.sessions.remove(&process);
                    }
                    scan_at = scan_at.min(Instant::now() + SETTLE);
                }
                Some(change) = changed.recv() => match change {
                    Change::Sockets => scan_at = scan_at.min(Instant::now() + SETTLE),
                    Change::Metadata(path) => self.tell_all(&Order::Metadata(path)),
                },
                () = sleep_until(scan_at) => {
                    scan_at = Instant::now() + if self.scan(&mut watch).await { SCAN } else { SETTLE };
                }
            }
        }
        let farewell = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(FAREWELL, farewell).await.is_err() {
            tracing::warn!(
                "a zellij session did not take the good-bye; its plugin shows the last picture"
            );
        }
    }

    /// Looks for sessions, and tells the tasks of those it knows. Returns whether all were ready.
    async fn scan(&mut self, watch: &mut Watch) -> bool {
        let context = Arc::clone(&self.context);
        let mut finder = std::mem::take(&mut self.finder);
        let scan = spawn_blocking(move || {
            let config = &context.config;
            let found = finder.find(&config.env, config.processes.as_ref(), config.clock.now());
            let of_servers = found.iter().filter_map(|found| found.folder.as_deref());
            let folders = folders(&config.env, of_servers);
            (finder, found, folders)
        });
        let Ok((finder, found, folders)) = scan.await else {
            return true;
        };
        self.finder = finder;
        watch.follow_sockets(&folders, &bases(&self.context.config.env));
        let mut all_ready = true;
        for found in found {
            if let Some(handle) = self.sessions.get_mut(&found.process) {
                if handle.found != found {
                    handle.found = found.clone();
                    let _ = handle.orders.send(Order::Found(found));
                }
            } else if found.ready {
                self.follow(found, watch);
            } else {
                all_ready = false;
            }
        }
        all_ready
    }

    fn follow(&mut self, found: Found, watch: &Watch) {
        let process = found.process;
        let (orders, taken) = mpsc::unbounded_channel();
        self.sessions.insert(
            process,
            Handle {
                orders,
                found: found.clone(),
            },
        );
        let follower = Follower::new(
            Arc::clone(&self.context),
            self.port.clone(),
            found,
            watch.folders(),
        );
        self.tasks.spawn(async move {
            follower.run(taken).await;
            process
        });
    }

    fn tell_all(&self, order: &Order) {
        for handle in self.sessions.values() {
            let _ = handle.orders.send(order.clone());
        }
    }
}

/// Rings when an up pipe is worth another attempt.
type Again = Arc<Notify>;

/// Returns when the daemon ends.
async fn stopped(stop: &mut value::Receiver<bool>) {
    // A service that is gone wants nothing any more.
    let _ = stop.wait_for(|stop| *stop).await;
}
