//! The pipes of one session: opened while it can be reached, fed, and ended.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, mpsc, watch};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;

use super::super::Again;
use super::Follower;
use crate::feed::{Heard, Line, down, up};
use crate::zellij::Address;
use crate::zjstatus;

/// How long the good-bye may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// The tasks that hold the pipes, while the session can be reached.
pub(super) struct Pipes {
    pub(super) session: watch::Sender<Address>,
    pub(super) lines: watch::Sender<Line>,
    pub(super) again: Again,
    pub(super) down: JoinHandle<()>,
    pub(super) up: JoinHandle<()>,
    pub(super) zjstatus: Option<(watch::Sender<Line>, JoinHandle<()>)>,
}

impl Follower {
    /// Opens the pipes, or ends them when the session cannot be reached.
    pub(super) fn reach(&mut self, heard: &mpsc::Sender<Heard>) {
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

    pub(super) fn close_pipes(&mut self) {
        self.present = false;
        if let Some(pipes) = self.pipes.take() {
            pipes.up.abort();
            pipes.down.abort();
            if let Some((_, task)) = pipes.zjstatus {
                task.abort();
            }
        }
    }

    pub(super) fn feed_zjstatus(&self, again: bool) {
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

    /// The daemon ends: the plugin is told, and its file goes, since nobody keeps it true any more.
    pub(super) async fn leave(&mut self) {
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
