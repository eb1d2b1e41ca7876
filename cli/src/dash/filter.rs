//! What the person looks for.

use session_core::SessionView;

use super::fleet::{Fleet, repo_name};
use crate::output::{message, place, state_text, who};

/// The longest filter; nobody types more than that.
const LONGEST: usize = 80;

/// What the person looks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// The words, as typed.
    pub text: String,
    /// Whether keys go into it.
    pub editing: bool,
}

impl Filter {
    /// Adds a letter.
    pub(crate) fn push(&mut self, letter: char) {
        if !letter.is_control() && self.text.chars().count() < LONGEST {
            self.text.push(letter);
        }
    }

    /// Whether a session has every word somewhere in what is shown of it.
    pub(crate) fn takes(&self, view: &SessionView, fleet: &Fleet) -> bool {
        let words = self.text.to_lowercase();
        if words.trim().is_empty() {
            return true;
        }
        let repo = view.repo.as_deref().map(repo_name).unwrap_or_default();
        let look = session_host::config::Look::default();
        let known = [
            state_text(view, &look),
            who(view),
            place(view, true),
            message(view),
            fleet.branch(view),
            repo,
            view.id.to_string(),
        ];
        let known = known.join("\n").to_lowercase();
        words.split_whitespace().all(|word| known.contains(word))
    }
}
