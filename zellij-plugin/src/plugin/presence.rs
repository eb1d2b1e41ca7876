//! Whether anybody looks at the instance, and what it tells the daemon of that.

use session_core::PaneId;

use super::host::{Focused, Host};
use super::instance::Plugin;
use super::stage::Stage;
use crate::settings::View;

impl Plugin {
    /// Tabs and panes are told to the instance that its client looks at; whether it had not been that.
    pub(super) fn look(&mut self, host: &dyn Host) -> bool {
        let back = !self.seen || self.orphaned;
        if back {
            self.come_into_view();
            self.catch_up(host);
        }
        back
    }

    /// Passes tabs and panes on, if there is anything to tell.
    pub(super) fn tell(&mut self, news: bool, host: &dyn Host) {
        let whole = self.layout.is_whole() && !self.was_whole;
        self.was_whole = self.layout.is_whole();
        if news || whole || self.reporter.lacks_pids(&self.layout) {
            self.report(None, host);
        }
    }

    /// While it was out of view, its client was elsewhere and other instances spoke.
    pub(super) fn come_into_view(&mut self) {
        self.seen = true;
        self.orphaned = false;
        self.layout.expect_both();
        self.was_whole = false;
        self.reporter.forget();
    }

    /// Its client went to another tab, or left.
    pub(super) fn go_out_of_view(&mut self, host: &dyn Host) {
        let speaks = self.stage == Stage::Granted && self.settings.view == View::Bar;
        if self.seen && speaks && host.focused().is_none() {
            self.lose_client(host);
        }
        self.seen = false;
    }

    /// An instance whose client has left says so once, and then keeps quiet.
    pub(super) fn lose_client(&mut self, host: &dyn Host) {
        self.orphaned = true;
        self.reporter.send(|up| up.absent = true, self.ids, host);
    }

    /// Tells the daemon what it has not been told: who this is, and, if the person sees it, where its client is and what
    /// is where.
    pub(super) fn report(&mut self, ask: Option<u64>, host: &dyn Host) {
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
    pub(super) fn is_at_home(&mut self, focused: Focused) -> bool {
        let home = self.layout.home();
        self.seen = home.is_none_or(|home| home == focused.tab);
        self.seen
    }

    /// Told to all instances, so only those that are looked at pass it on, and those that were when their client left:
    /// with nobody attached there is no other word of it.
    pub(super) fn report_closed(&mut self, pane: PaneId, host: &dyn Host) {
        let speaks = self.stage == Stage::Granted && self.settings.view == View::Bar;
        if speaks && (self.seen || self.orphaned) {
            self.reporter
                .send(|up| up.closed = vec![pane], self.ids, host);
        }
    }
}
