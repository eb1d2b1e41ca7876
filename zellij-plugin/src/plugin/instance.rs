//! One instance: of a pane, for a client.

use std::collections::BTreeMap;

use super::clock::Alarm;
use super::event::Event;
use super::host::{Command, Host, Ids};
use super::report::Reporter;
use super::stage::{Stage, is_new_enough};
use super::turn::{self, Turn};
use crate::feed::Feed;
use crate::layout::Layout;
use crate::list::Choice;
use crate::mode::Mode;
use crate::paint::Row;
use crate::settings::{Settings, View};

/// One instance of the plugin.
#[derive(Debug, Default)]
pub struct Plugin {
    pub(super) ids: Ids,
    pub(super) version: String,
    pub(super) settings: Settings,
    pub(super) stage: Stage,
    pub(super) turn: Turn,
    /// Whether it asked while it was loaded.
    pub(super) asked_at_once: bool,
    pub(super) feed: Feed,
    pub(super) layout: Layout,
    pub(super) mode: Mode,
    pub(super) choice: Choice,
    pub(super) reporter: Reporter,
    pub(super) alarm: Alarm,
    /// Whether its client shows it. zellij tells an instance in a tab that is not shown nothing at all.
    pub(super) seen: bool,
    /// Whether its client has left.
    pub(super) orphaned: bool,
    /// Whether tabs and panes were of the same time after the last of them.
    pub(super) was_whole: bool,
    pub(super) size: (usize, usize),
    pub(super) painted: Vec<Row>,
}

impl Plugin {
    /// Starts: asks to be let in, and takes what the daemon has kept for new instances.
    pub fn load(
        &mut self,
        configuration: &BTreeMap<String, String>,
        ids: Ids,
        version: &str,
        host: &dyn Host,
    ) {
        self.ids = ids;
        self.version = crate::paint::safe(version, 16);
        self.settings = Settings::read(configuration);
        for fault in &self.settings.faults {
            host.run(Command::Log(format!("tally: {fault}")));
        }
        if !is_new_enough(version) {
            self.stage = Stage::TooOld(self.version.clone());
            return;
        }
        let keys = self.settings.view == View::List;
        host.run(Command::Subscribe { keys });
        self.take_kept(host);
        if keys || turn::may_ask_at_once(ids, host) {
            self.ask(host);
            self.asked_at_once = true;
        } else if let Some(seconds) = self.turn.next(ids) {
            host.run(Command::Wake(seconds));
        }
    }

    /// Takes in an event; whether the pane must be painted anew.
    pub fn update(&mut self, event: Event, host: &dyn Host) -> bool {
        if matches!(self.stage, Stage::TooOld(_)) {
            return false;
        }
        let now = host.now_ms();
        if event.proves_permission() && self.stage != Stage::Granted {
            self.let_in(true, host);
        }
        if self.take(event, host) {
            self.arm(now, host);
            self.draw(now) != self.painted
        } else {
            false
        }
    }

    /// The rows to paint, for a pane of this size.
    pub fn render(&mut self, rows: usize, columns: usize, host: &dyn Host) -> &[Row] {
        self.size = (rows, columns);
        self.painted = self.draw(host.now_ms());
        &self.painted
    }

    /// Takes in an event; whether what is shown may have changed.
    fn take(&mut self, event: Event, host: &dyn Host) -> bool {
        match event {
            Event::Permission(granted) => self.let_in(granted, host),
            Event::Panes(panes) => {
                let back = self.look(host);
                let news = self.layout.take_panes(panes) || back;
                self.tell(news, host);
                news
            }
            Event::Tabs(tabs) => {
                let back = self.look(host);
                let news = self.layout.take_tabs(tabs) || back;
                self.tell(news, host);
                news
            }
            Event::Mode(mode) => {
                let renamed = self.mode.session != mode.session;
                let news = self.mode != *mode;
                self.mode = *mode;
                if renamed {
                    self.report(None, host);
                }
                news
            }
            Event::Closed(pane) => {
                self.report_closed(pane, host);
                false
            }
            Event::Timer if self.stage.is_unasked() => self.take_turn(host),
            Event::Timer => self.tick(host),
            Event::Visible(visible) => {
                if visible {
                    self.ask(host);
                    self.come_into_view();
                    self.catch_up(host);
                    self.report(None, host);
                } else {
                    self.go_out_of_view(host);
                }
                visible
            }
            Event::Click(click) => self.ask(host) || self.click(click, host),
            Event::Scroll(scroll) => self.scroll(scroll, host),
            Event::Key(key) => self.key(key, host),
            Event::Message(message) => self.message(message, host),
        }
    }

    /// Time has passed.
    fn tick(&mut self, host: &dyn Host) -> bool {
        self.alarm.rang(host.now_ms());
        if self.stage == Stage::Granted && self.seen && self.mode == Mode::default() {
            self.begin_anew(host);
        }
        if self.stage == Stage::Granted && self.seen && !self.orphaned {
            match host.focused() {
                Some(focused) => {
                    self.is_at_home(focused);
                }
                None => self.lose_client(host),
            }
        }
        !self.orphaned
    }
}
