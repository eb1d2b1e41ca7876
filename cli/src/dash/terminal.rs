//! The terminal: taken for the time that we draw on it, and given back however that ends.

use std::io::{self, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::style::Print;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect};

/// Clicks and the wheel, in the form that has no limit of columns. Not every motion: nothing is done with it, and each
/// would wake us.
const MOUSE_ON: &str = "\u{1b}[?1000h\u{1b}[?1006h";
const MOUSE_OFF: &str = "\u{1b}[?1006l\u{1b}[?1000l";

/// Whether the terminal is ours now.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours.
pub(super) struct Screen {
    /// What is drawn on.
    pub(super) terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes the terminal. From here on a panic gives it back before it is told.
    pub(super) fn take() -> io::Result<Self> {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            tell(panic);
        }));
        enter()?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()));
        // What was taken is given back also when no size can be told.
        terminal
            .map(|terminal| Self { terminal })
            .inspect_err(|_| give_back())
    }

    /// Takes the terminal again, after it was given back or somebody has changed it.
    pub(super) fn take_again(&mut self) -> io::Result<()> {
        give_back();
        enter()?;
        // Not `clear`, which asks the terminal where its cursor is: the answer would go to the thread that reads keys.
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    let entered = enable_raw_mode()
        .and_then(|()| execute!(io::stdout(), EnterAlternateScreen, Hide, Print(MOUSE_ON)));
    entered.inspect_err(|_| give_back())
}

/// Gives the terminal back, if it is ours. One that is gone has nothing to be given back.
pub(super) fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut stdout = io::stdout();
        drop(execute!(
            stdout,
            Print(MOUSE_OFF),
            LeaveAlternateScreen,
            Show
        ));
        drop(stdout.flush());
        drop(disable_raw_mode());
    }
}
