//! The running adapter.

use std::ffi::OsString;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use session_host::bridge::{Bridge, BridgePort};
use session_host::clock::Clock;
use session_host::env::Env;
use tokio::sync::mpsc;

use crate::style::Theme;

/// What the bridge is told when it starts.
pub struct BridgeConfig {
    /// The daemon's environment.
    pub env: Env,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Whether hooks may be set in the servers; without them the followers use control mode (facts §4).
    pub wake_hooks: bool,
    /// The command that runs [`crate::hold::run`], to which the arguments of tmux are added.
    pub hold: Vec<OsString>,
    /// The look of the lamps.
    pub theme: Theme,
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
    fn run(self: Box<Self>, mut port: BridgePort) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            let _ = (&self.config, &self.extra);
            let _ = port.stop.wait_for(|stop| *stop).await;
        })
    }
}
