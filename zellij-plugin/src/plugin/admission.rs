//! When the plugin is let in, and what it does to be.

use super::host::{Command, Host};
use super::instance::Plugin;
use super::stage::Stage;
use super::turn::{self, remember};
use crate::settings::View;

/// The seconds after which an instance that was let in late is loaded anew to be told mode and theme.
const PATIENCE: f64 = 0.3;

impl Plugin {
    /// Asks the person to be let in.
    pub(super) fn ask(&mut self, host: &dyn Host) -> bool {
        let unasked = self.stage.is_unasked();
        if unasked {
            self.stage = Stage::Waiting;
            turn::claim(self.ids, host);
            if !turn::was_let_in(host) {
                // A pane that was denied, and then loaded anew, is still passed over.
                host.run(Command::Selectable(true));
            }
            host.run(Command::RequestPermission);
        }
        unasked
    }

    /// The turn to ask has come; whether anything is different afterwards.
    pub(super) fn take_turn(&mut self, host: &dyn Host) -> bool {
        match self.turn.take(self.ids, host) {
            turn::Move::Ask => return self.ask(host),
            turn::Move::Leave => self.stage = Stage::Shy,
        }
        if let Some(seconds) = self.turn.next(self.ids) {
            host.run(Command::Wake(seconds));
        }
        true
    }

    pub(super) fn let_in(&mut self, granted: bool, host: &dyn Host) -> bool {
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
        } else if self.settings.view == View::Bar {
            // zellij moves the focus out of it too: what is typed after the answer is meant for the terminal.
            host.run(Command::Selectable(false));
        }
        news
    }

    /// zellij tells the input mode and the theme when a plugin is loaded, and to those who may know it. An instance that was
    /// let in later would not know them before the person changes the mode, so it is loaded once more.
    pub(super) fn begin_anew(&mut self, host: &dyn Host) {
        if !std::mem::replace(&mut self.asked_at_once, true) {
            host.run(Command::Reload);
        }
    }
}
