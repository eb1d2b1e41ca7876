//! What is painted, and when it must be looked at again.

use session_core::wire::Theme;

use super::clock::next_change;
use super::host::{Command, Host};
use super::instance::Plugin;
use super::stage::Stage;
use crate::bar::{Doubt, Scene, bar, notice, shown_since};
use crate::list::{Entry, entries, screen};
use crate::look::Look;
use crate::paint::Row;
use crate::settings::View;

impl Plugin {
    /// Sets a timer for the next change of what is shown, if anybody sees it.
    pub(super) fn arm(&mut self, now: i64, host: &dyn Host) {
        if !self.seen || self.orphaned || self.stage != Stage::Granted {
            return;
        }
        let next = |since: i64| next_change(since, now);
        let age = match self.settings.view {
            View::Bar => self.with_scene(now, shown_since).map(next),
            View::List => {
                let entries = self.entries(now);
                entries.iter().map(|entry| next(entry.lamp.since_ms)).min()
            }
        };
        let loss = self.feed.loss_at().filter(|at| *at > now);
        let wanted = age.into_iter().chain(loss).min();
        if let Some(seconds) = wanted.and_then(|wanted| self.alarm.set(wanted, now)) {
            host.run(Command::Wake(seconds));
        }
    }

    /// The rows as they are at a time.
    pub(super) fn draw(&self, now: i64) -> Vec<Row> {
        let (rows, columns) = self.size;
        self.with_scene(now, |scene| {
            match (self.stage.notice(), self.settings.view) {
                (Some(text), _) => vec![notice(&text, &scene.look, columns)],
                (None, View::Bar) => vec![bar(scene, columns)],
                (None, View::List) => {
                    let entries = self.entries(now);
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

    /// The lines of the list.
    pub(super) fn entries(&self, now: i64) -> Vec<Entry> {
        let picture = self.feed.picture(now);
        picture.map_or_else(Vec::new, |picture| {
            entries(picture, self.feed.elsewhere(), &self.layout)
        })
    }
}
