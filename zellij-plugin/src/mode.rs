//! What zellij says about itself: input mode, session name, theme.

use crate::palette::Palette;

/// zellij's input modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputMode {
    /// Keys go to the pane.
    #[default]
    Normal,
    /// All keys go to the pane.
    Locked,
    /// Resizing panes.
    Resize,
    /// Working on panes.
    Pane,
    /// Working on tabs.
    Tab,
    /// Scrolling.
    Scroll,
    /// Typing what to search for.
    EnterSearch,
    /// Searching.
    Search,
    /// Typing a tab's name.
    RenameTab,
    /// Typing a pane's name.
    RenamePane,
    /// Working on sessions.
    Session,
    /// Moving panes.
    Move,
    /// Answering a question of zellij.
    Prompt,
    /// The keys of tmux.
    Tmux,
}

impl InputMode {
    /// All modes.
    pub const ALL: [Self; 14] = [
        Self::Normal,
        Self::Locked,
        Self::Resize,
        Self::Pane,
        Self::Tab,
        Self::Scroll,
        Self::EnterSearch,
        Self::Search,
        Self::RenameTab,
        Self::RenamePane,
        Self::Session,
        Self::Move,
        Self::Prompt,
        Self::Tmux,
    ];

    /// Its name on the bar.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Normal => "NORMAL",
            Self::Locked => "LOCKED",
            Self::Resize => "RESIZE",
            Self::Pane => "PANE",
            Self::Tab => "TAB",
            Self::Scroll => "SCROLL",
            Self::EnterSearch => "FIND",
            Self::Search => "SEARCH",
            Self::RenameTab => "RENAME TAB",
            Self::RenamePane => "RENAME PANE",
            Self::Session => "SESSION",
            Self::Move => "MOVE",
            Self::Prompt => "PROMPT",
            Self::Tmux => "TMUX",
        }
    }

    /// Its name where there is hardly any room.
    #[must_use]
    pub const fn letters(self) -> &'static str {
        match self {
            Self::Normal => "N",
            Self::Locked => "L",
            Self::Resize => "RS",
            Self::Pane => "P",
            Self::Tab => "T",
            Self::Scroll => "SC",
            Self::EnterSearch => "F",
            Self::Search => "SE",
            Self::RenameTab => "RT",
            Self::RenamePane => "RP",
            Self::Session => "SS",
            Self::Move => "M",
            Self::Prompt => "PR",
            Self::Tmux => "TX",
        }
    }
}

/// What zellij says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// The input mode.
    pub input: InputMode,
    /// The mode that it goes back to; `Locked` for those who prefer it.
    pub base: InputMode,
    /// The session's name.
    pub session: String,
    /// The theme's colours.
    pub palette: Palette,
}

impl Mode {
    /// Whether the mode is the one that zellij is in when nothing is going on.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.input == self.base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_modes_are_named_alike() {
        for name in [InputMode::word, InputMode::letters] {
            let mut names: Vec<_> = InputMode::ALL.into_iter().map(name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), InputMode::ALL.len());
        }
    }
}
