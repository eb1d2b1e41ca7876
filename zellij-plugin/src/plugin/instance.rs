//! One instance: of a pane, for a client.

use std::collections::BTreeMap;

use session_core::PaneId;
use session_core::wire::{Go, Theme, file};

use super::clock::{Alarm, next_change};
use super::event::{Click, Event, Key, Message, Scroll};
use super::host::{Command, Host, Ids};
use super::report::Reporter;
use super::stage::{Stage, is_new_enough};
use crate::bar::{Doubt, Scene, bar, notice, shown_since};
use crate::feed::Feed;
use crate::layout::Layout;
use crate::list::{Choice, Entry, Move, entries, screen};
use crate::look::Look;
use crate::mode::Mode;
use crate::paint::{Row, Target};
use crate::settings::{Settings, View};

/// One instance of the plugin.
#[derive(Debug, Default)]
pub struct Plugin {
    ids: Ids,
    version: String,
    settings: Settings,
    stage: Stage,
    feed: Feed,
    layout: Layout,
    mode: Mode,
    choice: Choice,
    reporter: Reporter,
    alarm: Alarm,
    /// Whether the person can see it; an instance that was told nothing takes itself for visible.
    hidden: bool,
    /// Whether its client has left.
    orphaned: bool,
    size: (usize, usize),
    painted: Vec<Row>,
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
        host.run(Command::RequestPermission);
        self.take_kept(host);
    }

    /// Takes in an event; whether the pane must be painted anew.
    pub fn update(&mut self, event: Event, host: &dyn Host) -> bool {
        if matches!(self.stage, Stage::TooOld(_)) {
            return false;
        }
        let now = host.now_ms();
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
                let news = self.layout.panes != panes;
                self.layout.panes = panes;
                self.seen(news, host)
            }
            Event::Tabs(tabs) => {
                let news = self.layout.tabs != tabs;
                self.layout.tabs = tabs;
                self.seen(news, host)
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
            Event::Timer => self.tick(host),
            Event::Visible(visible) => {
                self.hidden = !visible;
                if visible {
                    self.orphaned = false;
                    self.report(None, host);
                }
                visible
            }
            Event::Click(click) => self.click(click, host),
            Event::Scroll(scroll) => self.scroll(scroll, host),
            Event::Key(key) => self.key(key, host),
            Event::Message(message) => self.message(&message, host),
        }
    }

    /// Tabs and panes are told to the instance that its client looks at, so its client is there.
    fn seen(&mut self, news: bool, host: &dyn Host) -> bool {
        self.hidden = false;
        if news || self.orphaned {
            self.orphaned = false;
            self.report(None, host);
        }
        news
    }

    fn let_in(&mut self, granted: bool, host: &dyn Host) -> bool {
        let stage = if granted {
            Stage::Granted
        } else {
            Stage::Denied
        };
        let news = self.stage != stage;
        self.stage = stage;
        if granted {
            // Only now: a pane that cannot be selected could not be answered in.
            host.run(Command::Selectable(self.settings.view == View::List));
            self.take_kept(host);
            self.follow_up_pipe(host);
        }
        news
    }

    fn take_kept(&mut self, host: &dyn Host) {
        if self.feed.last().is_none() {
            let path = file::in_plugin(self.settings.flavour, self.ids.server_pid);
            if let Some(line) = host.read(&path) {
                self.feed.take_kept(&line, self.ids.server_pid);
            }
        }
    }

    fn message(&mut self, message: &Message, host: &dyn Host) -> bool {
        let pipe = message.pipe.as_deref();
        if message.name == self.settings.flavour.down() {
            let Some(line) = &message.payload else {
                self.feed.end(pipe, host.now_ms());
                return true;
            };
            let changed = self.feed.take(line, pipe, self.ids.server_pid);
            if changed {
                self.follow_up_pipe(host);
            }
            changed
        } else if message.name == self.settings.flavour.up() {
            if let (Some(pipe), Some(_), Stage::Granted) = (pipe, &message.payload, &self.stage) {
                host.run(Command::Block(pipe.to_owned()));
                self.reporter.follow(pipe);
                self.report(None, host);
            }
            false
        } else {
            false
        }
    }

    /// Learns the up pipe from the picture, and answers the daemon's question.
    fn follow_up_pipe(&mut self, host: &dyn Host) {
        let Some(down) = self.feed.last() else {
            return;
        };
        let ask = down.ask;
        if let Some(pipe) = down.up_pipe.clone() {
            self.reporter.follow(&pipe);
        }
        self.report(ask, host);
    }

    /// Tells the daemon what it has not been told: who this is, and, if the person sees it, where its client is and what
    /// is where.
    fn report(&mut self, ask: Option<u64>, host: &dyn Host) {
        if self.stage != Stage::Granted || !self.reporter.is_heard() {
            return;
        }
        let asked = self.reporter.is_asked(ask);
        let hello = self.reporter.hello(&self.mode.session, &self.version, host);
        let focused = if self.hidden || self.settings.view == View::List {
            None
        } else {
            let focused = host.focused();
            self.orphaned = focused.is_none();
            focused
        };
        let focus = focused.and_then(|focused| self.reporter.focus(focused, asked));
        let layout = focused.and_then(|_| self.reporter.layout(&self.layout, host));
        let absent = asked && self.orphaned && !self.hidden;
        let re = ask.filter(|_| focus.is_some() || absent);
        self.reporter.send(
            |up| {
                up.hello = hello;
                up.focus = focus;
                up.layout = layout;
                up.absent = absent;
                up.re = re;
            },
            self.ids,
            host,
        );
    }

    /// Told to all instances, so only one that was looked at last passes it on; also when nobody is attached.
    fn report_closed(&mut self, pane: PaneId, host: &dyn Host) {
        let tells = self.stage == Stage::Granted && !self.hidden && self.settings.view == View::Bar;
        if tells {
            self.reporter
                .send(|up| up.closed = vec![pane], self.ids, host);
        }
    }

    /// Time has passed. An instance whose client has left says so once, and then keeps quiet.
    fn tick(&mut self, host: &dyn Host) -> bool {
        self.alarm.rang(host.now_ms());
        let may_ask = self.stage == Stage::Granted && !self.hidden;
        if may_ask && !self.orphaned && host.focused().is_none() {
            self.orphaned = true;
            self.reporter.send(|up| up.absent = true, self.ids, host);
        }
        !self.orphaned
    }

    /// Sets a timer for the next change of what is shown, if anybody sees it.
    fn arm(&mut self, now: i64, host: &dyn Host) {
        if self.hidden || self.orphaned || self.stage != Stage::Granted {
            return;
        }
        let ages = match self.settings.view {
            View::Bar => self.with_scene(now, shown_since),
            View::List => self.entries().iter().map(|entry| entry.lamp.since_ms).max(),
        };
        let age = ages.map(|since| next_change(since, now));
        let loss = self.feed.loss_at().filter(|at| *at > now);
        let wanted = age.into_iter().chain(loss).min();
        if let Some(seconds) = wanted.and_then(|wanted| self.alarm.set(wanted, now)) {
            host.run(Command::Wake(seconds));
        }
    }

    fn draw(&self, now: i64) -> Vec<Row> {
        let (rows, columns) = self.size;
        self.with_scene(now, |scene| {
            match (self.stage.notice(), self.settings.view) {
                (Some(text), _) => vec![notice(&text, &scene.look, columns)],
                (None, View::Bar) => vec![bar(scene, columns)],
                (None, View::List) => {
                    let entries = self.entries();
                    screen(scene, &entries, self.choice.index(&entries), rows, columns)
                }
            }
        })
    }

    fn with_scene<T>(&self, now: i64, draw: impl FnOnce(&Scene<'_>) -> T) -> T {
        let unset = Theme::default();
        let theme = self.feed.last().map_or(&unset, |down| &down.theme);
        let scene = Scene {
            layout: &self.layout,
            mode: &self.mode,
            picture: self.feed.picture(now).ok_or_else(|| self.doubt(now)),
            look: Look::new(self.mode.palette, theme, &self.settings),
            settings: &self.settings,
            now_ms: now,
        };
        draw(&scene)
    }

    fn doubt(&self, now: i64) -> Doubt {
        if self.feed.is_newer() {
            Doubt::Outdated
        } else if self.feed.is_lost(now) {
            Doubt::Away
        } else {
            Doubt::Unheard
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let picture = self.feed.last();
        picture.map_or_else(Vec::new, |picture| {
            entries(picture, self.feed.elsewhere(), &self.layout)
        })
    }

    fn click(&mut self, click: Click, host: &dyn Host) -> bool {
        let row = self.painted.get(click.line);
        if let Some(target) = row.and_then(|row| row.target_at(click.column)).cloned() {
            self.go(target, host);
        }
        false
    }

    fn scroll(&mut self, scroll: Scroll, host: &dyn Host) -> bool {
        if self.settings.view == View::List {
            let lines = match scroll {
                Scroll::Up => -1,
                Scroll::Down => 1,
            };
            return self.key(Key::Step(Move::By(lines)), host);
        }
        let active = self.layout.tabs.iter().find(|tab| tab.active);
        let next = active.and_then(|tab| match scroll {
            Scroll::Up => tab.position.checked_sub(1),
            Scroll::Down => Some(tab.position + 1),
        });
        if let Some(tab) = next.and_then(|position| self.layout.tab(position)) {
            self.go(Target::Tab(tab.position), host);
        }
        false
    }

    fn key(&mut self, key: Key, host: &dyn Host) -> bool {
        let entries = self.entries();
        match key {
            Key::Step(step) => self.choice.step(step, &entries),
            Key::Close => host.run(Command::Close),
            Key::Go => {
                let chosen = entries.into_iter().nth(self.choice.index(&self.entries()));
                if let Some(target) = chosen.and_then(|entry| entry.target) {
                    self.go(target, host);
                }
            }
        }
        true
    }

    fn go(&mut self, target: Target, host: &dyn Host) {
        if self.stage != Stage::Granted {
            return;
        }
        match target {
            Target::Tab(position) => host.run(Command::GoToTab(position)),
            Target::Pane(pane) => host.run(Command::GoToPane(pane)),
            Target::Away { session, pane } => host.run(Command::GoToSession { session, pane }),
            Target::Beyond { server_pid, pane } => {
                self.reporter.go(Go { server_pid, pane }, self.ids, host);
            }
        }
        if self.settings.view == View::List {
            host.run(Command::Close);
        }
    }
}
