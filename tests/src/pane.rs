//! A pane of a tmux server: typing into it and reading its screen, as a person does.

use crate::tmux::Tmux;
use crate::wait::{LIMIT, wait_until};

/// A pane, named by its id, which tmux never uses twice.
#[derive(Clone, Debug)]
pub struct Pane {
    tmux: Tmux,
    id: String,
}

impl Pane {
    /// The pane of that id.
    #[must_use]
    pub fn new(tmux: Tmux, id: String) -> Self {
        Self { tmux, id }
    }

    /// The id, such as `%5`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The server it belongs to.
    #[must_use]
    pub fn tmux(&self) -> &Tmux {
        &self.tmux
    }

    /// The visible screen as text, one line a row.
    #[must_use]
    pub fn capture(&self) -> String {
        self.tmux.run(["capture-pane", "-p", "-t", &self.id])
    }

    /// The visible screen with its colours.
    #[must_use]
    pub fn capture_styled(&self) -> String {
        self.tmux.run(["capture-pane", "-p", "-e", "-t", &self.id])
    }

    /// What a format says about the pane, such as `#{pane_pid}`.
    #[must_use]
    pub fn format(&self, format: &str) -> String {
        self.tmux.format(&self.id, format)
    }

    /// Presses keys by name, such as `Enter` or `C-c`.
    pub fn press<const N: usize>(&self, keys: [&str; N]) {
        for key in keys {
            self.tmux.run(["send-keys", "-t", &self.id, key]);
        }
    }

    /// Types text as it is, without waiting.
    pub fn send_text(&self, text: &str) {
        self.tmux
            .run(["send-keys", "-t", &self.id, "-l", "--", text]);
    }

    /// Types text and waits until the screen shows it.
    pub fn type_text(&self, text: &str) {
        self.send_text(text);
        let end = end_of(text);
        self.wait_for(&format!("{text:?} to be shown"), |screen| {
            squeeze(screen).contains(&end)
        });
    }

    /// Whether the text stands right before the cursor: so it was typed where the next key goes.
    #[must_use]
    pub fn has_before_cursor(&self, text: &str) -> bool {
        let cursor = self.format("#{cursor_x} #{cursor_y}");
        let mut cursor = cursor.split(' ').filter_map(|number| number.parse().ok());
        let (Some(column), Some(row)) = (cursor.next(), cursor.next()) else {
            return false;
        };
        let screen = self.capture();
        let mut rows = screen.lines().skip(usize::saturating_sub(row, 1));
        let above = if row > 0 { rows.next() } else { None };
        let left: String = rows
            .next()
            .unwrap_or_default()
            .chars()
            .take(column)
            .collect();
        squeeze(&[above.unwrap_or_default(), &left].concat()).ends_with(&end_of(text))
    }

    /// Types text and presses Enter.
    pub fn submit(&self, text: &str) {
        self.type_text(text);
        self.press(["Enter"]);
    }

    /// Waits until the screen is as wanted, and returns it.
    pub fn wait_for(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        wait_until(
            &format!("{what} in pane {}", self.id),
            LIMIT,
            || {
                let screen = self.capture();
                wanted(&screen).then_some(screen)
            },
            || self.capture(),
        )
    }

    /// Waits until the screen contains `text`.
    pub fn wait_for_text(&self, text: &str) -> String {
        self.wait_for(&format!("{text:?}"), |screen| screen.contains(text))
    }

    /// Waits for the shell's prompt on an otherwise empty line.
    pub fn wait_for_shell(&self) {
        self.wait_for("the shell's prompt", |screen| {
            screen
                .trim_end()
                .lines()
                .last()
                .is_some_and(|line| line.trim_end() == "ready$")
        });
    }
}

/// A text without blanks.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The end of a text without blanks: a long one is wrapped, and only so much is sure to be in one piece.
fn end_of(text: &str) -> String {
    let squeezed: Vec<char> = squeeze(text).chars().collect();
    squeezed[squeezed.len().saturating_sub(12)..]
        .iter()
        .collect()
}
