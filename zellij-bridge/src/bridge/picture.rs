//! The lines for one session, drawn from the picture of everything.

use std::sync::Arc;

use session_core::wire::{Down, Elsewhere, Theme};
use session_core::{ServerId, Snapshot};

/// Draws lines, and knows what the plugin has been told.
#[derive(Debug)]
pub(super) struct Drawer {
    server: ServerId,
    theme: Theme,
    run: u64,
    seq: u64,
    /// The last line, without what differs each time.
    last: Option<Down>,
    /// The other servers' sessions that were in the last line that had them.
    elsewhere: Option<Vec<Elsewhere>>,
}

/// A line to be sent, and the same in the form for the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Drawn {
    pub(super) line: Arc<str>,
    pub(super) file: String,
}

/// What goes into a line besides the picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Extras {
    pub(super) up_pipe: Option<String>,
    pub(super) ask: Option<u64>,
    /// Draw it even if nothing has changed, and completely: somebody has come who knows nothing.
    pub(super) complete: bool,
}

impl Drawer {
    pub(super) const fn new(server: ServerId, theme: Theme, run: u64) -> Self {
        Self {
            server,
            theme,
            run,
            seq: 0,
            last: None,
            elsewhere: None,
        }
    }

    /// Draws the picture; `None` when the plugin has been told all of it.
    pub(super) fn draw(&mut self, snapshot: &Snapshot, extras: Extras) -> Option<Drawn> {
        let mut down = Down::of(snapshot, &self.server, self.theme.clone());
        down.up_pipe = extras.up_pipe;
        down.ask = extras.ask;
        let comparable = Down {
            at_ms: 0,
            ..down.clone()
        };
        if !extras.complete && self.last.as_ref() == Some(&comparable) {
            return None;
        }
        self.last = Some(comparable);
        self.seq += 1;
        (down.run, down.seq) = (self.run, self.seq);
        let file = Down {
            ask: None,
            ..down.clone()
        }
        .line()
        .ok()?;
        if extras.complete || self.elsewhere != down.elsewhere {
            self.elsewhere.clone_from(&down.elsewhere);
        } else {
            down.elsewhere = None;
        }
        Some(Drawn {
            line: down.line().ok()?.into(),
            file,
        })
    }

    /// The last line of all.
    pub(super) fn farewell(&mut self, at_ms: i64) -> Option<Arc<str>> {
        self.seq += 1;
        let bye = Down {
            run: self.run,
            seq: self.seq,
            ..Down::farewell(self.server.pid, at_ms)
        };
        bye.line().ok().map(Arc::from)
    }
}

#[cfg(test)]
mod tests {
    use session_core::{MachineId, Policy, Time};

    use super::*;
    use crate::facts::tests::server;

    fn snapshot(at: i64) -> Snapshot {
        let none: [&session_core::Session; 0] = [];
        let coverage = |_: &session_core::AgentName| session_core::manifest::Coverage::default();
        let machine = MachineId("here".into());
        session_core::snapshot(
            &machine,
            0,
            none,
            &[],
            coverage,
            &Policy::default(),
            Time::from_ms(at),
        )
    }

    fn read(drawn: Option<Drawn>) -> (Down, Down) {
        let drawn = drawn.unwrap();
        (
            Down::read(&drawn.line).unwrap(),
            Down::read(&drawn.file).unwrap(),
        )
    }

    #[test]
    fn a_line_is_drawn_only_when_it_says_something_new() {
        let mut drawer = Drawer::new(server(), Theme::default(), 42);
        let (first, file) = read(drawer.draw(&snapshot(1), Extras::default()));
        assert_eq!((first.run, first.seq, first.server_pid), (42, 1, 7));
        assert_eq!(
            (first.elsewhere, file.elsewhere),
            (Some(vec![]), Some(vec![]))
        );
        // The time alone is nothing new.
        assert_eq!(drawer.draw(&snapshot(2), Extras::default()), None);

        let asking = Extras {
            ask: Some(3),
            ..Extras::default()
        };
        let (second, file) = read(drawer.draw(&snapshot(3), asking));
        assert_eq!(
            (second.seq, second.ask, second.elsewhere),
            (2, Some(3), None)
        );
        // The file is complete, and puts no question to whoever reads it later.
        assert_eq!(
            (file.seq, file.ask, file.elsewhere),
            (2, None, Some(vec![]))
        );
    }

    #[test]
    fn whoever_comes_late_is_told_everything() {
        let mut drawer = Drawer::new(server(), Theme::default(), 42);
        drawer.draw(&snapshot(1), Extras::default());
        let complete = Extras {
            complete: true,
            ..Extras::default()
        };
        let (line, _) = read(drawer.draw(&snapshot(1), complete));
        assert_eq!((line.seq, line.elsewhere), (2, Some(vec![])));
    }

    #[test]
    fn the_last_line_says_good_bye() {
        let mut drawer = Drawer::new(server(), Theme::default(), 42);
        let bye = Down::read(&drawer.farewell(9).unwrap()).unwrap();
        assert_eq!(
            (bye.bye, bye.run, bye.seq, bye.server_pid),
            (true, 42, 1, 7)
        );
    }
}
