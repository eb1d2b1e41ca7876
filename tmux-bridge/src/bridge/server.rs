//! The task that follows one server.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use session_core::{ServerView, Snapshot};
use session_host::bridge::{BridgePort, Seen};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::farewell::take_back;
use super::pace::Pace;
use super::work::blocking;
use super::{Context, stopped};
use crate::command::{Batch, Line, Tmux};
use crate::discover::is_served;
use crate::error::TmuxError;
use crate::follow::{Follower, Form, Woken, end_leftovers};
use crate::hooks::WakeHooks;
use crate::look::{Depth, Look, Ours, look};
use crate::processes::{is_alive, is_zombie};
use crate::publish::{Published, changes, leftovers, wanted};
use crate::run::DEADLINE;
use crate::style::ensure_formats;

/// Between two steps of publishing, each of which makes every client redraw.
const STEP: Duration = Duration::from_millis(50);
/// How long a server that has said good-bye may take to end.
const DYING: Duration = Duration::from_millis(500);
/// Between two looks at whether it has.
const DYING_STEP: Duration = Duration::from_millis(25);
/// Between two looks at whether a server that is not ours is still there.
const FOREIGN: Duration = Duration::from_secs(10);

/// The task of one socket.
pub(super) struct Server {
    context: Arc<Context>,
    tmux: Tmux,
    seen: mpsc::Sender<Seen>,
    pictures: watch::Receiver<Arc<Snapshot>>,
    stop: watch::Receiver<bool>,
    look: Arc<Notify>,
    /// Whether a signal has named the socket: then its server is ours, whatever its environment says.
    named: Arc<AtomicBool>,
}

/// A server that is followed.
struct Followed {
    view: ServerView,
    /// What is published; `None` when it has to be read.
    published: Option<Published>,
    hooks: Option<WakeHooks>,
    follower: Follower,
    pace: Pace,
    /// The earliest time of the next step of publishing, and whether one is due then.
    step_at: Instant,
    step_due: bool,
    /// Whether the service was told that only polling is left.
    told_blind: bool,
}

/// Whether the server was still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Still {
    There,
    Gone,
}

/// Why a server was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// It said that something has changed.
    Woken,
    /// The service wants to know.
    Asked,
    /// It was time for a full look.
    Due,
}

/// Why a server is not followed any more.
enum End {
    Gone,
    Stopped,
}

impl Server {
    pub(super) fn new(
        context: &Arc<Context>,
        socket: &Path,
        port: &BridgePort,
        look: &Arc<Notify>,
        named: &Arc<AtomicBool>,
    ) -> Self {
        Self {
            tmux: Tmux::at(socket, &context.config.env),
            context: Arc::clone(context),
            seen: port.seen.clone(),
            pictures: port.pictures.clone(),
            stop: port.stop.clone(),
            look: Arc::clone(look),
            named: Arc::clone(named),
        }
    }

    /// Follows the server until it is gone or the daemon ends.
    pub(super) async fn run(mut self) {
        let mut stop = self.stop.clone();
        let look = tokio::select! {
            () = stopped(&mut stop) => return,
            look = self.first_look() => look,
        };
        let Some(look) = look else { return };
        let mut followed = self.begin(look).await;
        let end = self.follow(&mut followed, &mut stop).await;
        followed.follower.stop().await;
        match end {
            End::Gone => self.tell(Seen::Gone(followed.view.server)).await,
            End::Stopped => self.take_back(followed).await,
        }
    }

    /// The first look at the server; `None` when there is none, or none of ours.
    async fn first_look(&mut self) -> Option<Look> {
        let mut pace = Pace::new(Instant::now());
        loop {
            match self.look_once(Depth::Full).await {
                Ok(look) if self.is_ours(look.view.server.pid).await => return Some(look),
                Ok(look) => {
                    let pid = look.view.server.pid;
                    self.leave_alone(pid).await;
                    if !is_alive(pid) {
                        return None;
                    }
                }
                Err(err) if err.is_unreachable() || !is_served(self.tmux.socket()) => return None,
                Err(err) => {
                    tracing::warn!(%err, "a tmux server does not answer");
                    pace.failed(Instant::now());
                    sleep_until(pace.next()).await;
                }
            }
        }
    }

    async fn is_ours(&self, pid: u32) -> bool {
        let context = Arc::clone(&self.context);
        self.named.load(Ordering::Relaxed)
            || blocking(move || context.world.holds(pid))
                .await
                .unwrap_or(false)
    }

    /// Waits until a server of another world is gone, or turns out to be ours.
    async fn leave_alone(&self, pid: u32) {
        while is_alive(pid) && !self.named.load(Ordering::Relaxed) {
            tokio::select! {
                () = sleep(FOREIGN) => {}
                () = self.look.notified() => {}
            }
        }
    }

    async fn begin(&mut self, look: Look) -> Followed {
        let (view, began) = (look.view, look.began);
        let config = &self.context.config;
        let pid = view.server.pid;
        let hooks = config
            .wake_hooks
            .then(|| WakeHooks::new(pid, &view.version));
        let form = Form::of(config.wake_hooks, &view.version, &config.hold);
        let tmux = self.tmux.clone();
        blocking(move || end_leftovers(&tmux, pid)).await;
        self.assert_formats().await;
        let now = Instant::now();
        let mut followed = Followed {
            published: None,
            hooks,
            follower: Follower::new(&self.tmux, pid, form),
            pace: Pace::new(now),
            step_at: now,
            step_due: true,
            told_blind: false,
            view,
        };
        self.assert_hooks(&mut followed).await;
        self.show(&followed, began).await;
        followed
    }

    async fn follow(&mut self, followed: &mut Followed, stop: &mut watch::Receiver<bool>) -> End {
        loop {
            let (next, step_at) = (followed.pace.next(), followed.step_at);
            let still = tokio::select! {
                // Never in the middle of a step: what it writes would come after what is taken back.
                () = stopped(stop) => return End::Stopped,
                woken = followed.follower.woken() => match woken {
                    Woken::Looked(look) => self.take(followed, look, Why::Woken).await,
                    Woken::Changed => self.look_again(followed, Why::Woken).await,
                    Woken::Failed(err) => self.failed(followed, &err).await,
                },
                () = self.look.notified() => self.look_again(followed, Why::Asked).await,
                () = sleep_until(next) => self.poll(followed).await,
                Ok(()) = self.pictures.changed() => {
                    followed.step_due = true;
                    Still::There
                }
                () = sleep_until(step_at), if followed.step_due => self.publish(followed).await,
            };
            if still == Still::Gone {
                return End::Gone;
            }
            self.tell_blind(followed).await;
        }
    }

    async fn look_once(&self, depth: Depth) -> Result<Look, TmuxError> {
        let tmux = self.tmux.clone();
        let looked = blocking(move || look(&tmux, depth, DEADLINE)).await;
        looked.unwrap_or_else(|| Err(TmuxError::Answer("the look was cut short".to_owned())))
    }

    async fn look_again(&mut self, followed: &mut Followed, why: Why) -> Still {
        match self.look_once(Depth::Quick).await {
            Ok(look) => self.take(followed, look, why).await,
            Err(err) => self.failed(followed, &err).await,
        }
    }

    /// The slow poll: what no hook tells of, the hooks themselves, and whether the options are still there.
    async fn poll(&mut self, followed: &mut Followed) -> Still {
        let mut look = match self.look_once(Depth::Full).await {
            Ok(look) => look,
            Err(err) => return self.failed(followed, &err).await,
        };
        let (seen, ours) = (std::mem::take(&mut look.hooks), look.ours.take());
        let still = self.take(followed, look, Why::Due).await;
        if still == Still::There {
            if followed
                .hooks
                .as_ref()
                .is_some_and(|hooks| !hooks.missing_in(&seen).is_empty())
            {
                self.assert_hooks(followed).await;
            }
            if let Some(ours) = ours {
                self.heal(followed, &ours).await;
            }
            followed
                .pace
                .looked(Instant::now(), followed.follower.is_blind());
        }
        still
    }

    /// Takes in what was seen.
    async fn take(&mut self, followed: &mut Followed, look: Look, why: Why) -> Still {
        let mut view = look.view;
        if view.server != followed.view.server {
            return Still::Gone;
        }
        self.rouse(look.untold).await;
        if why != Why::Due {
            keep_hints(&mut view, &followed.view);
        }
        let changed = view != followed.view;
        if changed {
            if followed.view.stale_since.is_some() {
                followed.published = None;
            }
            followed.view = view;
            followed.pace.changed(Instant::now());
            followed.step_due = true;
        }
        if changed || why == Why::Asked {
            self.show(followed, look.began).await;
        }
        Still::There
    }

    /// The server did not answer: it is gone, or it hangs.
    async fn failed(&mut self, followed: &mut Followed, err: &TmuxError) -> Still {
        let pid = followed.view.server.pid;
        let until = Instant::now() + DYING;
        while err.is_unreachable() && Instant::now() < until {
            let socket = self.tmux.socket();
            if !is_alive(pid) || (socket.exists() && !is_served(socket)) {
                return Still::Gone;
            }
            sleep(DYING_STEP).await;
        }
        if !is_alive(pid) {
            return Still::Gone;
        }
        followed.pace.failed(Instant::now());
        if followed.view.stale_since.is_none() {
            tracing::warn!(%err, "a tmux server does not answer");
            followed.view.stale_since = Some(self.context.config.clock.now());
            self.show(followed, std::time::Instant::now()).await;
        }
        Still::There
    }

    /// Makes tmux look after its children. It can miss that a pane's process has ended (seen with 3.3a: dead, without a
    /// status, the process a zombie) and then tells how it ended only when the next child ends, maybe hours later.
    async fn rouse(&self, mut untold: Vec<u32>) {
        untold.retain(|pid| is_zombie(*pid));
        if untold.is_empty() {
            return;
        }
        let tmux = self.tmux.clone();
        let child: Batch = [Line::new("run-shell").flag("-b").value(":")]
            .into_iter()
            .collect();
        if let Some(Err(err)) = blocking(move || tmux.run(&child, DEADLINE)).await {
            tracing::debug!(%err, "cannot rouse a tmux server");
        }
    }

    /// Tells the service what was seen.
    async fn show(&self, followed: &Followed, began: std::time::Instant) {
        let ago = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
        let seen = Seen::Server {
            view: followed.view.clone(),
            began: self.context.config.clock.now().plus_ms(-ago - 1),
        };
        self.tell(seen).await;
    }

    /// Tells the service when the server begins or ceases to send followers away (case H4).
    async fn tell_blind(&self, followed: &mut Followed) {
        let polled = followed.follower.is_blind();
        if polled != followed.told_blind {
            followed.told_blind = polled;
            let server = followed.view.server.clone();
            self.tell(Seen::Polled { server, polled }).await;
        }
    }

    /// Tells the service, unless it has ceased to listen because the daemon ends.
    async fn tell(&self, seen: Seen) {
        let mut stop = self.stop.clone();
        tokio::select! {
            biased;
            _ = self.seen.send(seen) => {}
            () = stopped(&mut stop) => {}
        }
    }

    /// Sets again what somebody has unset.
    async fn heal(&self, followed: &mut Followed, ours: &Ours) {
        if !ours.formats {
            self.assert_formats().await;
        }
        let lost = |published: &Published| published.scopes().any(|scope| ours.lacks(scope));
        if followed.published.as_ref().is_some_and(lost) {
            // What else is missing is read from the server.
            followed.published = None;
            followed.step_due = true;
        }
    }

    async fn assert_formats(&self) {
        let (tmux, theme) = (self.tmux.clone(), self.context.config.theme.clone());
        if let Some(Err(err)) = blocking(move || ensure_formats(&tmux, &theme)).await {
            tracing::warn!(%err, "cannot set the formats of the lamps");
        }
    }

    async fn assert_hooks(&self, followed: &mut Followed) {
        let Some(mut hooks) = followed.hooks.clone() else {
            return;
        };
        let tmux = self.tmux.clone();
        let asserted = blocking(move || {
            let asserted = hooks.assert(&tmux, DEADLINE);
            (hooks, asserted)
        });
        match asserted.await {
            Some((hooks, Ok(_))) => followed.hooks = Some(hooks),
            Some((_, Err(err))) => tracing::warn!(%err, "cannot set the wake hooks"),
            None => {}
        }
    }

    /// Publishes the newest picture.
    async fn publish(&mut self, followed: &mut Followed) -> Still {
        followed.step_due = false;
        if followed.view.stale_since.is_some() {
            return Still::There;
        }
        let picture = Arc::clone(&self.pictures.borrow_and_update());
        let Some(wanted) = wanted(&picture, &followed.view) else {
            return Still::There;
        };
        let (tmux, view, before) = (
            self.tmux.clone(),
            followed.view.clone(),
            followed.published.take(),
        );
        let published = blocking(move || {
            let before = match before {
                Some(before) => before,
                None => leftovers(&tmux, &view, DEADLINE)?,
            };
            let batch: Batch = changes(&before, &wanted, &view)
                .iter()
                .map(crate::publish::Change::line)
                .collect();
            if batch.is_empty() {
                return Ok((wanted, false));
            }
            tmux.run(&batch, DEADLINE).map(|_| (wanted, true))
        });
        match published.await {
            Some(Ok((published, written))) => {
                followed.published = Some(published);
                if written {
                    followed.step_at = Instant::now() + STEP;
                }
                Still::There
            }
            Some(Err(err)) => {
                followed.step_at = Instant::now() + DEADLINE;
                followed.step_due = true;
                match err {
                    TmuxError::Refused(_) | TmuxError::Answer(_) => {
                        tracing::warn!(%err, "cannot publish");
                        Still::There
                    }
                    err => self.failed(followed, &err).await,
                }
            }
            None => Still::There,
        }
    }

    /// Leaves the server as it was found.
    async fn take_back(&self, followed: Followed) {
        let tmux = self.tmux.clone();
        let taken = blocking(move || {
            take_back(
                &tmux,
                &followed.view,
                followed.published,
                followed.hooks.as_ref(),
            )
        });
        if let Some(Err(err)) = taken.await {
            tracing::warn!(%err, "cannot take back what was set in a tmux server");
        }
    }
}

/// A quick look does not ask for the panes' command and directory: what was seen last stays.
fn keep_hints(view: &mut ServerView, before: &ServerView) {
    for pane in &mut view.panes {
        if let Some(known) = before.pane(pane.pane).filter(|known| known.pid == pane.pid) {
            pane.command.clone_from(&known.command);
            pane.cwd.clone_from(&known.cwd);
        }
    }
}
