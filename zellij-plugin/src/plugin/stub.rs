//! A zellij for tests.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use session_core::wire::Up;
use session_core::{PaneId, WindowId};

use super::host::{Command, Focused, Host};
use crate::samples::NOW;

/// Remembers what it was told and answers what the test wants.
#[derive(Debug)]
pub(super) struct Stub {
    pub(super) now: Cell<i64>,
    pub(super) focused: Cell<Option<Focused>>,
    pub(super) files: RefCell<BTreeMap<String, String>>,
    pub(super) questions: Cell<usize>,
    pub(super) rested: Cell<u64>,
    commands: RefCell<Vec<Command>>,
}

impl Default for Stub {
    fn default() -> Self {
        Self {
            now: Cell::new(NOW),
            focused: Cell::new(Some(Focused {
                tab: WindowId(10),
                pane: Some(PaneId(1)),
            })),
            files: RefCell::default(),
            questions: Cell::default(),
            rested: Cell::default(),
            commands: RefCell::default(),
        }
    }
}

impl Stub {
    /// What it was told since the last time this was asked.
    pub(super) fn told(&self) -> Vec<Command> {
        self.commands.take()
    }

    /// The lines that were printed to the up pipe since the last time, among whatever it was told.
    pub(super) fn lines(&self) -> Vec<Up> {
        let told = self.told().into_iter();
        told.filter_map(|command| match command {
            Command::Print { line, .. } => Some(Up::read(&line).unwrap()),
            _ => None,
        })
        .collect()
    }

    pub(super) fn pass(&self, ms: i64) {
        self.now.set(self.now.get() + ms);
    }
}

impl Host for Stub {
    fn now_ms(&self) -> i64 {
        self.now.get()
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "TMPDIR").then(|| "/var/tmp".to_owned())
    }

    fn read(&self, path: &str) -> Option<String> {
        self.files.borrow().get(path).cloned()
    }

    fn exists(&self, path: &str) -> bool {
        self.files.borrow().contains_key(path)
    }

    fn claim(&self, path: &str) -> bool {
        let empty = String::new();
        let mut files = self.files.borrow_mut();
        files.insert(path.to_owned(), empty).is_none()
    }

    fn write(&self, path: &str, text: &str) {
        self.files
            .borrow_mut()
            .insert(path.to_owned(), text.to_owned());
    }

    fn rest(&self, ms: u64) {
        self.rested.set(self.rested.get() + ms);
    }

    fn remove(&self, path: &str) {
        self.files.borrow_mut().remove(path);
    }

    fn focused(&self) -> Option<Focused> {
        self.questions.set(self.questions.get() + 1);
        self.focused.get()
    }

    fn pane_pid(&self, pane: PaneId) -> Option<u32> {
        Some(1_000 + pane.0)
    }

    fn run(&self, command: Command) {
        self.commands.borrow_mut().push(command);
    }
}
