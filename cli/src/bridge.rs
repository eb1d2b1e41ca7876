//! The tmux adapter as the daemon runs it: with the servers that signals name.
//!
//! The adapter finds the sockets in tmux's own folder at once, and others when it next looks at the process table. A
//! signal from a pane of such a server says so sooner: its session is in the picture.

use std::collections::HashSet;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use session_core::{Mux, Snapshot};
use session_host::bridge::{Bridge, BridgePort};
use tmux_bridge::{BridgeConfig, TmuxBridge};
use tokio::sync::{mpsc, watch};

/// How many sockets may wait to be looked at.
const WAITING: usize = 16;

/// The adapter.
pub(crate) struct NamedServers {
    /// What the adapter is told when it starts.
    pub(crate) config: BridgeConfig,
}

impl Bridge for NamedServers {
    fn run(self: Box<Self>, port: BridgePort) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let (sockets, extra) = mpsc::channel(WAITING);
        let pictures = port.pictures.clone();
        let adapter = Box::new(TmuxBridge::new(self.config, extra)).run(port);
        Box::pin(async move {
            tokio::select! {
                () = adapter => {}
                () = tell(pictures, sockets) => {}
            }
        })
    }
}

/// Tells each server's socket once, for as long as the adapter runs.
async fn tell(mut pictures: watch::Receiver<Arc<Snapshot>>, sockets: mpsc::Sender<PathBuf>) {
    let mut told = HashSet::new();
    loop {
        let named = servers(&pictures.borrow_and_update());
        for server in named {
            if told.insert(server.clone()) {
                // An adapter that listens no more is about to end.
                let _ = sockets.send(server.0).await;
            }
        }
        if pictures.changed().await.is_err() {
            return std::future::pending().await;
        }
    }
}

/// The socket and the process id of each tmux server that has a session.
fn servers(picture: &Snapshot) -> Vec<(PathBuf, u32)> {
    let panes = picture
        .sessions
        .iter()
        .filter_map(|view| view.pane.as_ref());
    panes
        .filter(|pane| pane.mux == Mux::Tmux)
        .map(|pane| (PathBuf::from(&pane.server), pane.server_pid))
        .collect()
}
