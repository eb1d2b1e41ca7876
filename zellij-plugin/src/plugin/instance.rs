//! One instance: of a pane, for a client.

use std::collections::BTreeMap;

use session_core::PaneId;
use session_core::wire::{Go, Theme, file};

use super::clock::{Alarm, next_change};
use super::event::{Click, Event, Key, Message, Scroll};
use super::host::{Command, Focused, Host, Ids};
use super::report::Reporter;
use super::stage::{Stage, is_new_enough};
use super::turn::{self, Turn, remember};
use crate::bar::{Doubt, Scene, bar, notice, shown_since};
use crate::feed::Feed;
use crate::layout::Layout;
use crate::list::{Choice, Entry, Move, entries, screen};
use crate::look::Look;
use crate::mode::Mode;
use crate::paint::{Row, Target};
use crate::settings::{Settings, View};

/// The seconds after which an instance that was let in late is loaded anew to be told mode and theme.
const PATIENCE: f64 = 0.3;

/// One instance of the plugin.
#[derive(Debug, Default)]
pub struct Plugin {
    ids: Ids,
    version: String,
    settings: Settings,
    stage: Stage,
    turn: Turn,
    /// Whether it asked while it was loaded.
    asked_at_once: bool,
    feed: Feed,
    layout: Layout,
    mode: Mode,
    choice: Choice,
    reporter: Reporter,
    alarm: Alarm,
    /// Whether its client shows it. zellij tells an instance in a tab that is not shown nothing at all.
    seen: bool,
    /// Whether its client has left.
    orphaned: bool,
    /// Whether tabs and panes were of the same time after the last of them.
    was_whole: bool,
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
        self.take_kept(host);
        if keys || turn::may_ask_at_once(ids, host) {
            self.ask(host);
            self.asked_at_once = true;
        } else if let Some(seconds) = self.turn.next(ids) {
            host.run(Command::Wake(seconds));
        }
    }

    /// Asks the person to be let in.
    fn ask(&mut self, host: &dyn Host) -> bool {
        let unasked = self.stage.is_unasked();
        if unasked {
            self.stage = Stage::Waiting;
            turn::claim(self.ids, host);
            host.run(Command::RequestPermission);
        }
        unasked
    }

    /// The turn to ask has come; whether anything is different afterwards.
    fn take_turn(&mut self, host: &dyn Host) -> bool {
        match self.turn.take(self.ids, host) {
            turn::Move::Ask => return self.ask(host),
            turn::Move::Leave => self.stage = Stage::Shy,
        }
        if let Some(seconds) = self.turn.next(self.ids) {
            host.run(Command::Wake(seconds));
        }
        true
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

    /// Tabs and panes are told to the instance that its client looks at; whether it had not been that.
    fn look(&mut self, host: &dyn Host) -> bool {
        let back = !self.seen || self.orphaned;
        if back {
            self.come_into_view();
            self.catch_up(host);
        }
        back
    }

    /// Passes tabs and panes on, if there is anything to tell.
    fn tell(&mut self, news: bool, host: &dyn Host) {
        let whole = self.layout.is_whole() && !self.was_whole;
        self.was_whole = self.layout.is_whole();
        if news || whole || self.reporter.lacks_pids(&self.layout) {
            self.report(None, host);
        }
    }

    /// While it was out of view, its client was elsewhere and other instances spoke.
    fn come_into_view(&mut self) {
        self.seen = true;
        self.orphaned = false;
        self.layout.expect_both();
        self.was_whole = false;
        self.reporter.forget();
    }

    /// Its client went to another tab, or left.
    fn go_out_of_view(&mut self, host: &dyn Host) {
        let speaks = self.stage == Stage::Granted && self.settings.view == View::Bar;
        if self.seen && speaks && host.focused().is_none() {
            self.lose_client(host);
        }
        self.seen = false;
    }

    /// An instance whose client has left says so once, and then keeps quiet.
    fn lose_client(&mut self, host: &dyn Host) {
        self.orphaned = true;
        self.reporter.send(|up| up.absent = true, self.ids, host);
    }

    fn let_in(&mut self, granted: bool, host: &dyn Host) -> bool {
        let stage = if granted {
            Stage::Granted
        } else {
            Stage::Denied
        };
        let news = self.stage != stage;
        if news {
            remember(granted, self.ids, host);
        }
        self.stage = stage;
        if granted {
            // Only now: a pane that cannot be selected could not be answered in.
            let list = self.settings.view == View::List;
            host.run(Command::Selectable(list));
            if list {
                host.run(Command::Title("agents"));
            }
            if news && !self.asked_at_once {
                host.run(Command::Wake(PATIENCE));
            }
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

    fn message(&mut self, message: Message, host: &dyn Host) -> bool {
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

    fn picture(&mut self, line: String, pipe: Option<String>, host: &dyn Host) -> bool {
        self.feed.put_off(line, pipe);
        if self.settings.view == View::Bar && !self.seen {
            return false;
        }
        self.catch_up(host)
    }

    /// Reads the picture that came last; whether there is anything new in it.
    fn catch_up(&mut self, host: &dyn Host) -> bool {
        let news = self.feed.catch_up(self.ids.server_pid);
        if news {
            self.follow_up_pipe(host);
        }
        news
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
        let speaks = self.seen && self.settings.view == View::Bar;
        let focused = if speaks { host.focused() } else { None };
        let lost = speaks && focused.is_none();
        let focused = focused.filter(|focused| self.is_at_home(*focused));
        let absent = lost && (asked || !self.orphaned);
        if speaks {
            self.orphaned = lost;
        }
        let focus = focused.and_then(|focused| self.reporter.focus(focused, asked));
        let layout = focused.and_then(|_| self.reporter.layout(&self.layout, host));
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

    /// Whether its client shows the tab it is in. zellij tells all clients' instances that a tab is shown when one client
    /// shows it, so an instance may take itself for seen while its client is elsewhere.
    fn is_at_home(&mut self, focused: Focused) -> bool {
        let home = self.layout.home();
        self.seen = home.is_none_or(|home| home == focused.tab);
        self.seen
    }

    /// Told to all instances, so only those that are looked at pass it on, and those that were when their client left:
    /// with nobody attached there is no other word of it.
    fn report_closed(&mut self, pane: PaneId, host: &dyn Host) {
        let speaks = self.stage == Stage::Granted && self.settings.view == View::Bar;
        if speaks && (self.seen || self.orphaned) {
            self.reporter
                .send(|up| up.closed = vec![pane], self.ids, host);
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

    /// zellij tells the input mode and the theme when a plugin is loaded, and to those who may know it. An instance that was
    /// let in later would not know them before the person changes the mode, so it is loaded once more.
    fn begin_anew(&mut self, host: &dyn Host) {
        if !std::mem::replace(&mut self.asked_at_once, true) {
            host.run(Command::Reload);
        }
    }

    /// Sets a timer for the next change of what is shown, if anybody sees it.
    fn arm(&mut self, now: i64, host: &dyn Host) {
        if !self.seen || self.orphaned || self.stage != Stage::Granted {
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
