//! The other side of the port: keeps what the bridge sees, and hands it pictures.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use session_core::{ServerId, ServerView, Snapshot};
use session_host::bridge::{Bridge, BridgePort, Seen};
use session_host::clock::SystemClock;
use session_host::env::Env;
use tmux_bridge::style::Theme;
use tmux_bridge::{BridgeConfig, TmuxBridge};
use tokio::sync::{Notify, mpsc, watch};

use super::picture::{Lit, picture};
use super::{Server, wait_for};

#[derive(Default)]
struct Known {
    views: BTreeMap<ServerId, ServerView>,
    gone: Vec<ServerId>,
    polled: Vec<ServerId>,
    told: usize,
}

/// A running bridge.
pub(crate) struct Service {
    known: Arc<Mutex<Known>>,
    pictures: watch::Sender<Arc<Snapshot>>,
    pub(crate) look: Arc<Notify>,
    stop: watch::Sender<bool>,
    extra: mpsc::Sender<PathBuf>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    pub(crate) fn start(env: Env) -> Self {
        Self::start_with(env, true, Vec::new())
    }

    pub(crate) fn start_with(env: Env, wake_hooks: bool, hold: Vec<OsString>) -> Self {
        let (seen, mut seen_by_us) = mpsc::channel(16);
        let (pictures, pictures_for_it) = watch::channel(Arc::new(picture(&[], &[])));
        let (stop, stop_for_it) = watch::channel(false);
        let (extra, extra_for_it) = mpsc::channel(16);
        let look = Arc::new(Notify::new());
        let known = Arc::new(Mutex::new(Known::default()));
        let config = BridgeConfig {
            env,
            clock: Arc::new(SystemClock),
            wake_hooks,
            hold,
            theme: Theme::default(),
        };
        let port = BridgePort {
            seen,
            pictures: pictures_for_it,
            look: Arc::clone(&look),
            stop: stop_for_it,
        };
        let told = Arc::clone(&known);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let keep = tokio::spawn(async move {
                    while let Some(seen) = seen_by_us.recv().await {
                        let mut known = told.lock().unwrap();
                        known.told += 1;
                        match seen {
                            Seen::Server { view, .. } => {
                                known.views.insert(view.server.clone(), view);
                            }
                            Seen::Polled { server, polled } => {
                                known.polled.retain(|other| *other != server);
                                if polled {
                                    known.polled.push(server);
                                }
                            }
                            Seen::Gone(server) => {
                                known.views.remove(&server);
                                known.gone.push(server);
                            }
                        }
                    }
                });
                Box::new(TmuxBridge::new(config, extra_for_it))
                    .run(port)
                    .await;
                keep.await.unwrap();
            });
        });
        Self {
            known,
            pictures,
            look,
            stop,
            extra,
            thread: Some(thread),
        }
    }

    /// Tells the bridge of a socket that a signal named.
    pub(crate) fn name_socket(&self, socket: PathBuf) {
        self.extra.try_send(socket).unwrap();
    }

    pub(crate) fn views(&self) -> Vec<ServerView> {
        self.known.lock().unwrap().views.values().cloned().collect()
    }

    /// How often the bridge has told anything.
    pub(crate) fn told(&self) -> usize {
        self.known.lock().unwrap().told
    }

    pub(crate) fn is_gone(&self, pid: u32) -> bool {
        self.known
            .lock()
            .unwrap()
            .gone
            .iter()
            .any(|server| server.pid == pid)
    }

    /// Whether the server of this process can only be polled.
    pub(crate) fn is_polled(&self, pid: u32) -> bool {
        let known = self.known.lock().unwrap();
        known.polled.iter().any(|server| server.pid == pid)
    }

    pub(crate) fn view(&self, pid: u32) -> Option<ServerView> {
        self.views().into_iter().find(|view| view.server.pid == pid)
    }

    /// Waits until the server is followed, its hooks included.
    #[track_caller]
    pub(crate) fn wait_for_server(&self, server: &Server) -> ServerView {
        let pid = server.pid();
        wait_for("the server to be followed", || self.view(pid).is_some());
        self.view(pid).unwrap()
    }

    /// Waits until the server's view is as wanted.
    #[track_caller]
    pub(crate) fn wait_for_view(
        &self,
        server: &Server,
        what: &str,
        wanted: impl Fn(&ServerView) -> bool,
    ) -> ServerView {
        let pid = server.pid();
        wait_for(what, || self.view(pid).is_some_and(|view| wanted(&view)));
        self.view(pid).unwrap()
    }

    /// Publishes states of the panes of these servers, in their order.
    pub(crate) fn show(&self, servers: &[&Server], panes: &[Lit]) {
        let views: Vec<ServerView> = servers
            .iter()
            .map(|server| self.wait_for_server(server))
            .collect();
        self.pictures
            .send(Arc::new(picture(&views, panes)))
            .unwrap();
    }

    pub(crate) fn send(&self, picture: Snapshot) {
        self.pictures.send(Arc::new(picture)).unwrap();
    }

    /// Ends the bridge and waits for it.
    pub(crate) fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let _ = self.stop.send(true);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            if !std::thread::panicking() {
                ended.expect("the bridge ends well");
            }
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.end();
    }
}
