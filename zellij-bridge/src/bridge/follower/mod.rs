//! The task of one session.
//!
//! What the session looks like comes from the plugin while there is one that tells, else from the metadata file, else
//! from one list of its panes. The picture goes to the plugin while there is one, and to a file for the next.

mod pace;
mod pipes;
mod sight;
mod view;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use session_core::wire::Layout;
use session_core::{PaneId, ServerView, Time};
use session_host::bridge::{BridgePort, Seen};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until};

use super::death::death;
use super::picture::{Drawer, Extras};
use super::watch::Folders;
use super::{Context, stopped};
use crate::discover::Found;
use crate::facts::Facts;
use crate::feed::{Heard, PictureFile, Told};
use crate::version::Version;
use crate::zellij::Address;
use pace::Pace;
use pipes::Pipes;

/// Between two looks that nothing has asked for.
const SLOW_POLL: Duration = Duration::from_secs(10);

/// How long the plugin may take to answer a question.
const ANSWER: Duration = Duration::from_millis(1_500);

/// What the task is told from outside.
#[derive(Clone, Debug)]
pub(super) enum Order {
    /// The session is called differently, or cannot be reached any more.
    Found(Found),
    /// Look again now.
    Look,
    /// This metadata file was written.
    Metadata(PathBuf),
}

/// Something the task itself waited for.
enum Came {
    Order(Order),
    Heard(Heard),
    Listed(Option<Layout>),
    Picture,
    Due,
    Stop,
    Dead,
}

pub(super) struct Follower {
    context: Arc<Context>,
    port: BridgePort,
    file: PictureFile,
    found: Found,
    folders: Folders,
    version: Option<Version>,
    told: Told,
    /// Whether a plugin holds the up pipe.
    present: bool,
    /// What is known without a plugin.
    outside: Option<Facts>,
    /// The plugins that have a pane, as the metadata file says.
    plugins: Option<Vec<String>>,
    connected: Option<usize>,
    metadata: Option<PathBuf>,
    pids: BTreeMap<PaneId, u32>,
    /// The last view that was told.
    view: Option<ServerView>,
    /// When all panes that live were known last: of what began later nothing is proven.
    covered: Time,
    /// The looks that the service asks for.
    pace: Pace,
    drawer: Drawer,
    /// The question that is open, and when the answers are due.
    open: Option<(u64, Instant)>,
    /// When panes that are told of no more, but whose processes live, are looked at again.
    recheck: Option<Instant>,
    listing: bool,
    pipes: Option<Pipes>,
}

impl Follower {
    pub(super) fn new(
        context: Arc<Context>,
        port: BridgePort,
        found: Found,
        folders: Folders,
    ) -> Self {
        let drawer = Drawer::new(
            found.server.clone(),
            context.config.theme.clone(),
            context.run,
        );
        let file = Self::picture_file(&context, found.server.pid, None);
        Self {
            context,
            port,
            file,
            found,
            folders,
            version: None,
            told: Told::default(),
            present: false,
            outside: None,
            plugins: None,
            connected: None,
            metadata: None,
            pids: BTreeMap::new(),
            view: None,
            covered: Time::default(),
            pace: Pace::default(),
            drawer,
            open: None,
            recheck: None,
            listing: false,
            pipes: None,
        }
    }

    /// Follows the session until its server has ended or the daemon ends.
    pub(super) async fn run(mut self, mut orders: mpsc::UnboundedReceiver<Order>) {
        let (heard_sender, mut heard) = mpsc::channel(64);
        let (listed_sender, mut listed) = mpsc::channel(1);
        let processes = Arc::clone(&self.context.config.processes);
        let dead = death(self.found.process, move |process| processes.alive(process));
        tokio::pin!(dead);
        let mut poll_at = Instant::now() + SLOW_POLL;
        let mut stop = self.port.stop.clone();
        let mut pictures = self.port.pictures.clone();

        self.version = self.ask_version().await;
        self.reach(&heard_sender);
        self.read_metadata().await;
        self.draw(false).await;
        loop {
            let due = self.open.map_or(poll_at, |(_, due)| due.min(poll_at));
            let due = self.recheck.map_or(due, |at| at.min(due));
            let due = self.pace.due().map_or(due, |at| at.min(due));
            let came = tokio::select! {
                biased;
                () = stopped(&mut stop) => Came::Stop,
                () = &mut dead => Came::Dead,
                Some(order) = orders.recv() => Came::Order(order),
                Some(heard) = heard.recv() => Came::Heard(heard),
                Some(layout) = listed.recv() => Came::Listed(layout),
                Ok(()) = pictures.changed() => Came::Picture,
                () = sleep_until(due) => Came::Due,
            };
            match came {
                Came::Stop => {
                    self.leave().await;
                    break;
                }
                Came::Dead => {
                    self.gone().await;
                    break;
                }
                Came::Order(Order::Found(found)) => self.found_again(found, &heard_sender).await,
                Came::Order(Order::Look) => self.pace.ask(Instant::now()),
                Came::Order(Order::Metadata(path)) => {
                    if self.metadata.as_ref() == Some(&path) {
                        self.read_metadata().await;
                    }
                }
                Came::Heard(heard) => {
                    let silent = matches!(heard, Heard::Nobody | Heard::Hung);
                    self.heard(heard).await;
                    if silent && self.facts().is_none() {
                        self.list(&listed_sender);
                    }
                }
                Came::Listed(layout) => {
                    self.listing = false;
                    if let Some(layout) = layout.filter(|_| self.outside.is_none()) {
                        self.outside = Some(Facts {
                            layout,
                            ..Facts::default()
                        });
                        self.tell(false).await;
                    }
                }
                Came::Picture => self.draw(false).await,
                Came::Due => {
                    self.collect_answers().await;
                    if self.recheck.is_some_and(|at| Instant::now() >= at) {
                        self.tell(false).await;
                    }
                    if self.pace.due().is_some_and(|at| Instant::now() >= at) {
                        self.look().await;
                    }
                    if Instant::now() >= poll_at {
                        poll_at = Instant::now() + SLOW_POLL;
                        let process = self.found.process;
                        if self.context.config.processes.alive(process) == Some(false) {
                            self.gone().await;
                            break;
                        }
                        self.look().await;
                    }
                }
            }
        }
        self.stop_watching();
    }

    /// The version of the program that the server runs.
    async fn ask_version(&self) -> Option<Version> {
        let zellij = self.found.program(&self.context.zellij);
        spawn_blocking(move || zellij.version()).await.ok()?.ok()
    }

    fn address(&self) -> Option<Address> {
        self.found.address(&self.context.zellij)
    }

    async fn found_again(&mut self, found: Found, heard: &mpsc::Sender<Heard>) {
        let renamed = self.found.name != found.name;
        self.found = found;
        self.reach(heard);
        if renamed {
            self.watch_metadata();
            self.read_metadata().await;
        }
        self.tell(false).await;
    }

    async fn heard(&mut self, heard: Heard) {
        match heard {
            Heard::Line(up) => {
                let news = self.told.take(self.found.server.pid, *up);
                let first = news.hello && !self.present;
                self.present |= self.told.hello().is_some();
                if let (Some(go), Some(sender)) = (news.go, &self.context.config.go) {
                    let _ = sender.try_send(go);
                }
                if news.facts || first {
                    self.tell(false).await;
                }
                if news.hello {
                    let tmpdir = self.told.hello().and_then(|hello| hello.tmpdir.as_deref());
                    self.file = Self::picture_file(&self.context, self.found.server.pid, tmpdir);
                    self.draw(true).await;
                }
            }
            Heard::Unreadable(error) => {
                tracing::debug!(%error, server = self.found.server.pid, "a line of a plugin was not read");
            }
            // Most often it is back at once.
            Heard::Lost => {}
            Heard::Nobody => {
                if std::mem::take(&mut self.present) {
                    self.outside = self.outside.take().or_else(|| self.told.facts());
                    self.told = Told::default();
                    self.open = None;
                    if let Some(pipes) = &self.pipes {
                        pipes.lines.send_replace(None);
                    }
                    self.read_metadata().await;
                }
            }
            Heard::Hung => {
                tracing::debug!(
                    server = self.found.server.pid,
                    "a plugin waits for its permission"
                );
            }
        }
    }

    /// Asks where each client is.
    async fn ask(&mut self) {
        if self.open.is_none() {
            self.open = Some((self.told.ask(), Instant::now() + ANSWER));
            self.draw(false).await;
        }
    }

    async fn collect_answers(&mut self) {
        if self.open.is_some_and(|(_, due)| Instant::now() >= due) {
            self.open = None;
            if self.told.forget_the_silent() {
                self.tell(false).await;
            }
        }
    }

    /// Draws the newest picture: for the plugin, for the next one, and for zjstatus.
    async fn draw(&mut self, complete: bool) {
        let snapshot = Arc::clone(&self.port.pictures.borrow());
        let extras = Extras {
            up_pipe: self.told.hello().map(|hello| hello.pipe.clone()),
            ask: self.open.map(|(number, _)| number),
            complete,
        };
        if let Some(drawn) = self.drawer.draw(&snapshot, extras) {
            if let Some(pipes) = self.pipes.as_ref().filter(|_| self.present) {
                pipes.lines.send_replace(Some(drawn.line));
            }
            let file = self.file.clone();
            let written = spawn_blocking(move || file.write(&drawn.file)).await;
            if let Ok(Err(error)) = written {
                tracing::debug!(%error, "the picture for new plugins was not written");
            }
        }
        self.feed_zjstatus(false);
    }

    /// Where the picture lies for new instances; a server that is dead cannot be asked any more.
    fn picture_file(context: &Context, server_pid: u32, tmpdir: Option<&str>) -> PictureFile {
        let config = &context.config;
        PictureFile::of(
            config.processes.as_ref(),
            server_pid,
            tmpdir,
            config.flavour,
        )
    }

    /// The server has ended, and that is proven.
    async fn gone(&mut self) {
        self.close_pipes();
        let file = self.file.clone();
        let _ = spawn_blocking(move || file.remove()).await;
        let _ = self
            .port
            .seen
            .send(Seen::Gone(self.found.server.clone()))
            .await;
    }
}
