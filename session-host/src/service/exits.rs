//! The ends of agents' processes, heard of at once where the system can tell.

use std::collections::BTreeMap;

use session_core::{ProcessRef, Session, SessionId};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// The end of an agent's process.
pub(super) type Exit = (SessionId, ProcessRef);

/// Waits for the processes of the live sessions.
pub(super) struct Exits {
    sender: mpsc::UnboundedSender<Exit>,
    ended: mpsc::UnboundedReceiver<Exit>,
    waiting: BTreeMap<SessionId, (ProcessRef, Option<JoinHandle<()>>)>,
}

impl Exits {
    pub(super) fn new() -> Self {
        let (sender, ended) = mpsc::unbounded_channel();
        Self {
            sender,
            ended,
            waiting: BTreeMap::new(),
        }
    }

    /// The next process to end.
    pub(super) async fn next(&mut self) -> Option<Exit> {
        self.ended.recv().await
    }

    /// Waits for the processes of these sessions and no others.
    pub(super) fn follow<'s>(&mut self, sessions: impl Iterator<Item = &'s Session>) {
        let mut before = std::mem::take(&mut self.waiting);
        for session in sessions {
            let Some(process) = session.process else {
                continue;
            };
            let waiting = match before.remove(&session.id) {
                Some(known) if known.0 == process => known,
                Some((_, task)) => {
                    stop(task);
                    (process, self.wait_for(session.id, process))
                }
                None => (process, self.wait_for(session.id, process)),
            };
            self.waiting.insert(session.id, waiting);
        }
        before.into_values().for_each(|(_, task)| stop(task));
    }

    #[cfg(target_os = "linux")]
    fn wait_for(&self, id: SessionId, process: ProcessRef) -> Option<JoinHandle<()>> {
        use rustix::io::Errno;
        use rustix::process::{Pid, PidfdFlags, pidfd_open};
        use tokio::io::Interest;
        use tokio::io::unix::AsyncFd;

        let pid = i32::try_from(process.pid).ok().and_then(Pid::from_raw)?;
        let sender = self.sender.clone();
        let descriptor = match pidfd_open(pid, PidfdFlags::NONBLOCK) {
            Ok(descriptor) => descriptor,
            Err(Errno::SRCH) => {
                // It has ended already; whether it was the one is checked by whoever is told.
                let _ = sender.send((id, process));
                return None;
            }
            // The slow look is left.
            Err(_) => return None,
        };
        #[expect(
            deprecated,
            reason = "it is unsound for types that can let go of their descriptor; this one owns it to the end"
        )]
        let descriptor = AsyncFd::with_interest(descriptor, Interest::READABLE).ok()?;
        Some(tokio::spawn(async move {
            if descriptor.readable().await.is_ok() {
                let _ = sender.send((id, process));
            }
        }))
    }

    /// Elsewhere the slow look is all there is.
    #[cfg(not(target_os = "linux"))]
    fn wait_for(&self, _id: SessionId, _process: ProcessRef) -> Option<JoinHandle<()>> {
        let _ = &self.sender;
        None
    }
}

fn stop(task: Option<JoinHandle<()>>) {
    if let Some(task) = task {
        task.abort();
    }
}
