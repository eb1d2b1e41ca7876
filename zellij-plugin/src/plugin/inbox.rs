//! What comes by pipes and files.

use session_core::wire::{Show, file};

use super::event::Message;
use super::host::{Command, Host};
use super::instance::Plugin;
use super::stage::Stage;
use crate::settings::View;

impl Plugin {
    pub(super) fn take_kept(&mut self, host: &dyn Host) {
        if self.feed.last().is_none() {
            let path = file::in_plugin(self.settings.flavour, self.ids.server_pid);
            if let Some(line) = host.read(&path) {
                self.feed.take_kept(&line, self.ids.server_pid);
            }
        }
    }

    pub(super) fn message(&mut self, message: Message, host: &dyn Host) -> bool {
        let flavour = self.settings.flavour;
        if message.name == flavour.down() {
            match message.payload {
                None => {
                    let pipe = message.pipe.as_deref();
                    self.feed.end(pipe, self.ids.server_pid, host.now_ms());
                    true
                }
                Some(line) => self.picture(line, message.pipe, host),
            }
        } else if message.name == flavour.show() {
            if let Some(line) = message.payload {
                self.show(&line, host);
            }
            false
        } else {
            let holds = message.name == flavour.up() && message.payload.is_some();
            if let (true, Some(pipe), Stage::Granted) = (holds, message.pipe, &self.stage) {
                host.run(Command::Block(pipe.clone()));
                self.reporter.follow(&pipe);
                self.report(None, host);
            }
            false
        }
    }

    pub(super) fn picture(&mut self, line: String, pipe: Option<String>, host: &dyn Host) -> bool {
        self.feed.put_off(line, pipe);
        if self.settings.view == View::Bar && !self.seen {
            return false;
        }
        self.catch_up(host)
    }

    /// Takes its own client to a pane. Of a client's instances only the bar that it looks at does.
    fn show(&self, line: &str, host: &dyn Host) {
        let speaks = self.stage == Stage::Granted && self.settings.view == View::Bar;
        if !speaks || !self.seen || self.orphaned {
            return;
        }
        if let Ok(show) = Show::read(line)
            && show.client == self.ids.client
        {
            host.run(Command::GoToPane(show.pane));
        }
    }

    /// Reads the picture that came last; whether there is anything new in it.
    pub(super) fn catch_up(&mut self, host: &dyn Host) -> bool {
        let news = self.feed.catch_up(self.ids.server_pid);
        if news {
            self.follow_up_pipe(host);
        }
        news
    }

    /// Learns the up pipe from the picture, and answers the daemon's question.
    pub(super) fn follow_up_pipe(&mut self, host: &dyn Host) {
        let Some(down) = self.feed.last() else {
            return;
        };
        let ask = down.ask;
        if let Some(pipe) = down.up_pipe.clone() {
            self.reporter.follow(&pipe);
        }
        self.report(ask, host);
    }
}
