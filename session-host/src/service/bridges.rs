//! Starts the bridges, and starts those again that end when they should not.

use std::sync::Arc;
use std::time::Duration;

use session_core::Snapshot;
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::BridgeMaker;
use crate::bridge::{BridgePort, Seen};

/// How many things seen may wait for the event loop.
const QUEUE: usize = 64;
/// The pauses before a bridge is started again: the first and the longest.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// A bridge that ran for so long did well; the next pause is the first again.
const RAN_WELL: Duration = Duration::from_secs(120);
/// How long the bridges may take to end.
const END: Duration = Duration::from_secs(2);

/// The running bridges.
pub(super) struct Bridges {
    tasks: Vec<JoinHandle<()>>,
    looks: Vec<Arc<Notify>>,
    stop: watch::Sender<bool>,
    pub(super) pictures: watch::Sender<Arc<Snapshot>>,
    pub(super) seen: mpsc::Receiver<Seen>,
}

impl Bridges {
    pub(super) fn start(makers: Vec<BridgeMaker>, picture: Snapshot) -> Self {
        let (sender, seen) = mpsc::channel(QUEUE);
        let (stop, stopped) = watch::channel(false);
        let (pictures, newest) = watch::channel(Arc::new(picture));
        let mut looks = Vec::new();
        let mut tasks = Vec::new();
        for maker in makers {
            let look = Arc::new(Notify::new());
            looks.push(Arc::clone(&look));
            let port = BridgePort {
                seen: sender.clone(),
                pictures: newest.clone(),
                look,
                stop: stopped.clone(),
            };
            tasks.push(tokio::spawn(keep_running(maker, port)));
        }
        Self {
            tasks,
            looks,
            stop,
            pictures,
            seen,
        }
    }

    /// Has every server looked at again now.
    pub(super) fn look(&self) {
        self.looks.iter().for_each(|look| look.notify_one());
    }

    /// Tells the bridges to end, and waits until they have taken back what is theirs.
    pub(super) async fn end(mut self) {
        self.stop.send_replace(true);
        // They must not wait for somebody to take what they saw.
        self.seen.close();
        let all = async {
            for task in &mut self.tasks {
                let _ = task.await;
            }
        };
        if timeout(END, all).await.is_err() {
            tracing::warn!("a bridge did not end in time");
        }
    }
}

async fn keep_running(mut maker: BridgeMaker, port: BridgePort) {
    let mut stop = port.stop.clone();
    let mut pause = PAUSE.0;
    while !*stop.borrow() {
        let began = Instant::now();
        let ended = tokio::spawn(maker().run(port.clone())).await;
        if *stop.borrow() {
            return;
        }
        match ended {
            Ok(()) => tracing::warn!("a bridge has ended; starting it again"),
            Err(error) => tracing::error!(%error, "a bridge has failed; starting it again"),
        }
        if began.elapsed() > RAN_WELL {
            pause = PAUSE.0;
        }
        tokio::select! {
            () = sleep(pause) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
        pause = (pause * 2).min(PAUSE.1);
    }
}
