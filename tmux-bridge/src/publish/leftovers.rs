//! What is published on a server, by its own word: what an earlier daemon left, or somebody else changed.

use std::collections::BTreeSet;
use std::time::Duration;

use session_core::ServerView;

use super::{Published, names, scopes};
use crate::command::{Batch, Line, Tmux};
use crate::error::TmuxError;
use crate::mark::Mark;
use crate::options::Scope;

/// Reads what is published on the server; blocking.
///
/// # Errors
/// When the server does not answer.
pub fn leftovers(tmux: &Tmux, view: &ServerView, limit: Duration) -> Result<Published, TmuxError> {
    let scopes = scopes(view);
    let mark = Mark::new();
    let mut batch = Batch::default();
    for scope in &scopes {
        batch.push(Line::new("display-message").flag("-p").value(mark.text()));
        batch.push(scope.show());
    }
    Ok(read_leftovers(
        &scopes,
        &mark.sections(&tmux.run(&batch, limit)?),
    ))
}

/// Reads the printed options of the scopes.
///
/// A value with line breaks may pass for an option of ours: at worst that is unset in vain.
#[must_use]
pub fn read_leftovers(scopes: &BTreeSet<Scope>, sections: &[String]) -> Published {
    let mut published = Published::default();
    for (scope, section) in scopes.iter().zip(sections) {
        for (name, value) in section.lines().filter_map(|line| line.split_once(' ')) {
            if let Some(name) = names().find(|known| *known == name) {
                published.put(*scope, name, &value);
            }
        }
    }
    published
}

#[cfg(test)]
mod tests {
    use session_core::PaneId;

    use super::*;
    use crate::publish::STATE;

    #[test]
    fn what_is_set_is_read_for_each_scope_by_our_names_only() {
        let sections = [
            format!("base-index 0\n@tallyx 5\n{STATE} done\n@theme \"a b\"\n"),
            String::new(),
            format!("{STATE} blocked\n"),
        ];
        let scopes = BTreeSet::from([
            Scope::Global,
            Scope::Pane(PaneId(1)),
            Scope::Pane(PaneId(2)),
        ]);
        let published = read_leftovers(&scopes, &sections);
        assert_eq!(published.get(Scope::Global, STATE), Some("done"));
        assert_eq!(published.get(Scope::Pane(PaneId(1)), STATE), None);
        assert_eq!(
            published.get(Scope::Pane(PaneId(2)), STATE),
            Some("blocked")
        );
    }
}
