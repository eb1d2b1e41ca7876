//! What the person does with mouse and keys.

use session_core::wire::Go;

use super::event::{Click, Key, Scroll};
use super::host::{Command, Host};
use super::instance::Plugin;
use super::stage::Stage;
use crate::list::Move;
use crate::paint::Target;
use crate::settings::View;

impl Plugin {
    pub(super) fn click(&mut self, click: Click, host: &dyn Host) -> bool {
        let row = self.painted.get(click.line);
        if let Some(target) = row.and_then(|row| row.target_at(click.column)).cloned() {
            self.go(target, host);
        }
        false
    }

    pub(super) fn scroll(&mut self, scroll: Scroll, host: &dyn Host) -> bool {
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

    pub(super) fn key(&mut self, key: Key, host: &dyn Host) -> bool {
        let entries = self.entries(host.now_ms());
        match key {
            Key::Step(step) => self.choice.step(step, &entries),
            Key::Close => host.run(Command::Close),
            Key::Go => {
                let chosen = entries.get(self.choice.index(&entries)).cloned();
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
