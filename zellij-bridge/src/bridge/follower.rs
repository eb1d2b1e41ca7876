//! The task of one session.
//!
//! What the session looks like comes from the plugin while there is one that tells, else from the metadata file, else
//! from one list of its panes. The picture goes to the plugin while there is one, and to a file for the next.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use session_core::wire::{Layout, PaneFact};
use session_core::{PaneId, ServerView};
use session_host::bridge::{BridgePort, Seen};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::death::death;
use super::picture::{Drawer, Extras};
use super::watch::Folders;
use super::{Again, Context, stopped};
use crate::discover::Found;
use crate::facts::{About, Facts};
use crate::feed::{Heard, Line, PictureFile, Told, down, up};
use crate::look::{Metadata, list, metadata_file, pane_processes};
use crate::version::Version;
use crate::zellij::{Address, DEADLINE};
use crate::zjstatus;

/// Between two looks that nothing has asked for.
const SLOW_POLL: Duration = Duration::from_secs(10);

/// How long the plugin may take to answer a question.
const ANSWER: Duration = Duration::from_millis(1_500);

/// When a pane that is told of no more is looked at again.
const RECHECK: Duration = Duration::from_secs(1);

/// How long the good-bye may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// The first version that lists its panes in JSON, with their tabs' ids.
const LISTS_PANES: Version = Version::new(0, 44, 0);

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
    drawer: Drawer,
    /// The question that is open, and when the answers are due.
    open: Option<(u64, Instant)>,
    /// When panes that are told of no more, but whose processes live, are looked at again.
    recheck: Option<Instant>,
    listing: bool,
    pipes: Option<Pipes>,
}

/// The tasks that hold the pipes, while the session can be reached.
struct Pipes {
    session: watch::Sender<Address>,
    lines: watch::Sender<Line>,
    again: Again,
    down: JoinHandle<()>,
    up: JoinHandle<()>,
    zjstatus: Option<(watch::Sender<Line>, JoinHandle<()>)>,
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
                Came::Order(Order::Look) => self.look().await,
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

    /// Opens the pipes, or ends them when the session cannot be reached.
    fn reach(&mut self, heard: &mpsc::Sender<Heard>) {
        let Some(address) = self.address() else {
            self.close_pipes();
            return;
        };
        if let Some(pipes) = &self.pipes {
            pipes.session.send_replace(address);
            return;
        }
        let config = &self.context.config;
        let (session, for_up) = watch::channel(address);
        let (lines, sent) = watch::channel(None);
        let again = Arc::new(Notify::new());
        let feed_zjstatus = || {
            let (lines, sent) = watch::channel(None);
            // Whatever name it has, zjstatus looks at the text; our own plugin looks at the name.
            let name = format!("{}:zjstatus", config.flavour.prefix());
            (lines, tokio::spawn(down(session.subscribe(), name, sent)))
        };
        self.pipes = Some(Pipes {
            down: tokio::spawn(down(
                session.subscribe(),
                config.flavour.down().to_owned(),
                sent,
            )),
            up: tokio::spawn(up(
                for_up,
                config.flavour.up().to_owned(),
                heard.clone(),
                Arc::clone(&again),
            )),
            zjstatus: config.zjstatus.is_some().then(feed_zjstatus),
            session,
            lines,
            again,
        });
        self.watch_metadata();
    }

    fn close_pipes(&mut self) {
        self.present = false;
        if let Some(pipes) = self.pipes.take() {
            pipes.up.abort();
            pipes.down.abort();
            if let Some((_, task)) = pipes.zjstatus {
                task.abort();
            }
        }
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

    fn watch_metadata(&mut self) {
        let name = self.found.name.clone();
        let processes = self.context.config.processes.as_ref();
        let file = name.and_then(|name| metadata_file(processes, self.found.server.pid, &name));
        if self.metadata != file {
            self.stop_watching();
            self.metadata = file;
        }
        // The folder may not be there yet.
        if let Some(folder) = self.metadata.as_deref().and_then(Path::parent) {
            self.folders.add(folder);
        }
    }

    fn stop_watching(&mut self) {
        if let Some(folder) = self.metadata.take().as_deref().and_then(Path::parent) {
            self.folders.remove(folder);
        }
    }

    /// Looks at everything again, as when nothing was heard for a while.
    async fn look(&mut self) {
        self.watch_metadata();
        self.read_metadata().await;
        if self.present && self.told.has_clients() {
            self.ask().await;
        }
        self.tell(true).await;
    }

    async fn read_metadata(&mut self) {
        let Some(path) = self.metadata.clone() else {
            return;
        };
        let Ok(Ok(text)) = spawn_blocking(move || std::fs::read_to_string(path)).await else {
            return;
        };
        let connected = Metadata::connected_clients(&text);
        let clients_changed = connected.is_some() && connected != self.connected;
        self.connected = connected.or(self.connected);
        let wants_all = !self.present || self.context.config.zjstatus.is_some();
        let metadata = if wants_all {
            Metadata::read(&text)
        } else {
            None
        };
        if let Some(metadata) = metadata {
            let new_plugins = self.plugins.as_ref() != Some(&metadata.plugins);
            self.plugins = Some(metadata.plugins);
            self.outside = Some(metadata.facts);
            if new_plugins {
                // One of them may be ours, or a bar that shows nothing yet.
                if let Some(pipes) = &self.pipes {
                    pipes.again.notify_one();
                }
                self.feed_zjstatus(true);
            }
        }
        if clients_changed && self.present {
            self.ask().await;
        }
        if !self.present {
            self.tell(false).await;
        }
    }

    /// Lists the panes, when nobody else tells.
    fn list(&mut self, listed: &mpsc::Sender<Option<Layout>>) {
        let lists = self.version.is_none_or(|version| version >= LISTS_PANES);
        let Some(address) = self.address().filter(|_| lists && !self.listing) else {
            return;
        };
        self.listing = true;
        let listed = listed.clone();
        tokio::spawn(async move {
            let layout = spawn_blocking(move || list(&address, DEADLINE)).await;
            let layout = layout.ok().and_then(|layout| {
                layout
                    .inspect_err(|error| tracing::debug!(%error, "the panes were not listed"))
                    .ok()
            });
            if layout.is_none() {
                sleep(SLOW_POLL).await;
            }
            let _ = listed.send(layout).await;
        });
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

    /// What is known: from the plugin while there is one, else from outside, else what there was last.
    fn facts(&self) -> Option<Facts> {
        let (told, outside) = (self.told.facts(), self.outside.clone());
        if self.present {
            told.or(outside)
        } else {
            outside.or(told)
        }
    }

    /// Tells the service what the session looks like, if it is news or `again`.
    async fn tell(&mut self, again: bool) {
        let Some(facts) = self.facts() else { return };
        self.find_processes(&facts, again).await;
        let name = self
            .found
            .name
            .as_ref()
            .unwrap_or(&self.found.server.socket);
        let version = self.told.hello().map(|hello| hello.zellij.clone());
        let version = version
            .or_else(|| Some(self.version?.to_string()))
            .unwrap_or_default();
        let about = About {
            server: &self.found.server,
            name,
            version: &version,
            pids: &self.pids,
        };
        let mut view = facts.view(about);
        self.keep_living(&mut view);
        if self.found.name.is_none() {
            // It lives, and nobody can reach it.
            let since = self.view.as_ref().and_then(|view| view.stale_since);
            view.stale_since = since.or_else(|| Some(self.context.config.clock.now()));
        }
        if again || self.view.as_ref() != Some(&view) {
            self.view = Some(view.clone());
            let _ = self.port.seen.send(Seen::Server(view)).await;
        }
    }

    /// Keeps the panes that are told of no more while their processes live: while tabs are moved, what is told has gaps,
    /// and a session that was ended by mistake does not come back. Who really goes is looked at again soon.
    fn keep_living(&mut self, view: &mut ServerView) {
        self.recheck = None;
        let Some(last) = &self.view else { return };
        let processes = self.context.config.processes.as_ref();
        let lives = |pid: u32| {
            let stat = processes.stat(pid);
            stat.is_ok_and(|stat| !stat.zombie && stat.parent == self.found.server.pid)
        };
        let missing = last
            .panes
            .iter()
            .filter(|place| view.pane(place.pane).is_none());
        let kept: Vec<_> = missing
            .filter(|place| place.pid.is_some_and(lives))
            .cloned()
            .collect();
        if !kept.is_empty() {
            self.recheck = Some(Instant::now() + RECHECK);
            view.panes.extend(kept);
            view.panes.sort_by_key(|place| place.pane);
        }
    }

    /// Looks for the panes' processes when there are panes without one, or `again`.
    async fn find_processes(&mut self, facts: &Facts, again: bool) {
        let known = |pane: &PaneFact| pane.exited || self.pids.contains_key(&pane.id);
        if !again && facts.layout.panes.iter().all(known) {
            return;
        }
        let context = Arc::clone(&self.context);
        let server = self.found.server.pid;
        let look = move || pane_processes(context.config.processes.as_ref(), server);
        if let Ok(pids) = spawn_blocking(look).await {
            self.pids = pids;
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

    fn feed_zjstatus(&self, again: bool) {
        let Some(widget) = &self.context.config.zjstatus else {
            return;
        };
        let Some((lines, _)) = self
            .pipes
            .as_ref()
            .and_then(|pipes| pipes.zjstatus.as_ref())
        else {
            return;
        };
        let there = |plugins: &Vec<String>| plugins.iter().any(|url| zjstatus::is_zjstatus(url));
        if !self.plugins.as_ref().is_none_or(there) {
            lines.send_if_modified(|line| line.take().is_some());
            return;
        }
        let snapshot = self.port.pictures.borrow();
        let theme = &self.context.config.theme;
        let text = zjstatus::line(widget, &snapshot, &self.found.server, theme);
        lines.send_if_modified(|line| {
            let news = again || line.as_deref() != Some(text.as_str());
            if news {
                *line = Some(text.into());
            }
            news
        });
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

    /// The daemon ends: the plugin is told, and its file goes, since nobody keeps it true any more.
    async fn leave(&mut self) {
        let file = self.file.clone();
        let _ = spawn_blocking(move || file.remove()).await;
        let Some(pipes) = self.pipes.take() else {
            return;
        };
        pipes.up.abort();
        if self.present {
            let bye = self.drawer.farewell(self.context.config.clock.now().ms());
            pipes.lines.send_replace(bye);
        }
        drop(pipes.lines);
        let mut tasks = vec![pipes.down];
        if let Some((lines, task)) = pipes.zjstatus {
            if let Some(widget) = &self.context.config.zjstatus {
                lines.send_if_modified(|line| {
                    let shown = line.is_some();
                    *line = shown.then(|| zjstatus::nothing(widget).into());
                    shown
                });
            }
            drop(lines);
            tasks.push(task);
        }
        for mut task in tasks {
            if timeout(FAREWELL, &mut task).await.is_err() {
                task.abort();
            }
        }
    }
}
