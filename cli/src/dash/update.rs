//! What an event does to the model.

use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use session_core::State;

use super::event::{Effect, Event, PutAway};
use super::fleet::is_blocked;
use super::key::{Action, action};
use super::model::{Face, Line, Model};

/// How many rows a turn of the wheel is.
const WHEEL: isize = 3;
/// For how long a key snoozes a session.
const SNOOZE_MS: i64 = 3_600_000;

impl Model {
    /// Takes an event in, at a time in milliseconds since the Unix epoch, and tells what is to be done.
    pub(crate) fn update(&mut self, event: Event, now_ms: i64) -> Vec<Effect> {
        self.now_ms = now_ms;
        let mut effects = Vec::new();
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                effects.extend(self.key(key));
            }
            Event::Mouse(mouse) => effects.extend(self.mouse(mouse)),
            Event::Key(_) | Event::Tick => self.arrange(false),
            Event::Resize(columns, rows) => {
                self.size = (columns, rows);
                self.arrange(false);
            }
            Event::Fleet(fleet) => {
                self.fleet = *fleet;
                self.arrange(false);
            }
            Event::Detail(detail) => self.detail = Some(*detail),
            Event::Note(text) => self.tell(text),
        }
        let wanted = self.at().map(|view| view.id);
        let wanted = wanted.filter(|_| self.areas().detail.height > 0);
        if wanted != self.watched {
            self.watched = wanted;
            effects.push(Effect::Watch(wanted));
        }
        effects
    }

    fn key(&mut self, key: KeyEvent) -> Option<Effect> {
        if self.filter.editing {
            return self.edit(key);
        }
        let action = action(key)?;
        if self.help {
            // Whatever is pressed, the keys have been read.
            self.help = false;
            if !matches!(action, Action::Quit | Action::Suspend) {
                return None;
            }
        }
        self.act(action)
    }

    fn act(&mut self, action: Action) -> Option<Effect> {
        match action {
            Action::Move(by) => self.step(by),
            Action::Page(by) => {
                let rows = self.areas().table.height.saturating_sub(1).max(1);
                self.step(by * isize::try_from(rows).unwrap_or(1));
            }
            Action::First => self.choose(0),
            Action::Last => self.choose(usize::MAX),
            Action::Go => return self.at().map(|view| Effect::Go(view.id)),
            Action::NextBlocked => self.next_blocked(),
            Action::Acknowledge => return self.acknowledge(),
            Action::Settle => return self.settle(),
            Action::Snooze => {
                let id = self.at()?.id;
                return Some(Effect::PutAway(id, PutAway::Snooze(SNOOZE_MS)));
            }
            Action::Copy => {
                let id = self.at()?.id.to_string();
                self.tell(format!("Copied {id}"));
                return Some(Effect::Copy(id));
            }
            Action::Filter => self.filter.editing = true,
            Action::Group => {
                self.grouping = self.grouping.other();
                self.arrange(true);
            }
            Action::Detail => {
                let shown = self.areas().detail.height > 0;
                self.wants_detail = Some(!shown);
            }
            Action::Help => self.help = true,
            Action::Back => return self.back(),
            Action::Suspend => return Some(Effect::Suspend),
            Action::Quit => return Some(Effect::Quit),
        }
        self.arrange(false);
        None
    }

    /// Keys that go into the filter.
    fn edit(&mut self, key: KeyEvent) -> Option<Effect> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => {
                self.filter.text.clear();
                self.filter.editing = false;
            }
            KeyCode::Enter => {
                self.filter.editing = false;
                if self.face == Face::Pick {
                    return self.act(Action::Go);
                }
            }
            KeyCode::Down | KeyCode::Up => {
                return self.act(Action::Move(if key.code == KeyCode::Up { -1 } else { 1 }));
            }
            KeyCode::Backspace if self.filter.text.pop().is_none() => self.filter.editing = false,
            KeyCode::Char('u') if control => self.filter.text.clear(),
            KeyCode::Char('c') if control => return Some(Effect::Quit),
            KeyCode::Char('z') if control => return Some(Effect::Suspend),
            KeyCode::Char(letter) if !control => self.filter.push(letter),
            _ => {}
        }
        self.release();
        self.arrange(true);
        None
    }

    fn next_blocked(&mut self) {
        let rows = self.placed().len();
        let chosen = self.at().is_some_and(|view| self.has_chosen(view.id));
        let first = self.row() + usize::from(chosen);
        let next = (0..rows)
            .map(|step| (first + step) % rows.max(1))
            .find(|row| {
                let one = self.placed().get(*row);
                one.and_then(|one| self.fleet.session(one.session))
                    .is_some_and(|view| is_blocked(view) && view.away_at(self.now_ms).is_none())
            });
        match next {
            Some(row) => self.choose(row),
            None => self.tell("No agent is blocked."),
        }
    }

    fn acknowledge(&mut self) -> Option<Effect> {
        let view = self.at()?;
        if view.state != State::Done {
            let state = view.state;
            self.tell(format!("Nothing to acknowledge: the agent is {state}."));
            return None;
        }
        Some(Effect::Acknowledge(view.id, view.turn))
    }

    fn settle(&mut self) -> Option<Effect> {
        let view = self.at()?;
        let what = match view.away_at(self.now_ms) {
            Some(_) => PutAway::Back,
            None => PutAway::Settle,
        };
        Some(Effect::PutAway(view.id, what))
    }

    fn back(&mut self) -> Option<Effect> {
        if !self.filter.text.is_empty() {
            self.filter.text.clear();
            self.arrange(true);
            return None;
        }
        self.release();
        self.arrange(true);
        (self.face == Face::Pick).then_some(Effect::Quit)
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Option<Effect> {
        match mouse.kind {
            MouseEventKind::ScrollDown => self.step(WHEEL),
            MouseEventKind::ScrollUp => self.step(-WHEEL),
            MouseEventKind::Down(MouseButton::Left) if self.help => self.help = false,
            MouseEventKind::Down(MouseButton::Left) => return self.click(mouse),
            _ => return None,
        }
        self.arrange(false);
        None
    }

    /// A click chooses, and goes where the cursor is already; in the picker the first one goes.
    fn click(&mut self, mouse: MouseEvent) -> Option<Effect> {
        let table = self.areas().table;
        if !table.contains((mouse.column, mouse.row).into()) {
            return None;
        }
        let line = self.top + usize::from(mouse.row - table.y);
        let lines = self.lines();
        let Some(Line::Row(id)) = lines.get(line) else {
            return None;
        };
        let again = self.has_chosen(*id);
        let row = self.placed().iter().position(|one| one.session == *id)?;
        self.choose(row);
        self.arrange(false);
        (again || self.face == Face::Pick).then_some(Effect::Go(*id))
    }
}
