//! From one published picture to the next.

use std::collections::BTreeMap;

use session_core::ServerView;

use super::scopes;
use crate::command::Line;
use crate::options::Scope;

/// What is published on a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Published(BTreeMap<(Scope, &'static str), String>);

impl Published {
    pub(super) fn put(&mut self, scope: Scope, name: &'static str, value: &impl ToString) {
        self.0.insert((scope, name), value.to_string());
    }

    /// The value of an option.
    #[must_use]
    pub fn get(&self, scope: Scope, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|((at, known), _)| *at == scope && *known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Where something is published.
    pub(crate) fn scopes(&self) -> impl Iterator<Item = Scope> {
        self.0.keys().map(|(scope, _)| *scope)
    }

    /// Whether nothing is published.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// One option to set or to unset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where.
    pub scope: Scope,
    /// Which.
    pub name: &'static str,
    /// To what; `None` unsets it.
    pub value: Option<String>,
}

impl Change {
    /// The command that makes the change.
    #[must_use]
    pub fn line(&self) -> Line {
        match &self.value {
            Some(value) => self.scope.set(self.name, value),
            None => self.scope.unset(self.name),
        }
    }
}

/// The changes from `before` to `after`; nothing is unset in what the server no longer has.
#[must_use]
pub fn changes(before: &Published, after: &Published, view: &ServerView) -> Vec<Change> {
    let there = scopes(view);
    let unset = before
        .0
        .keys()
        .filter(|key| !after.0.contains_key(key) && there.contains(&key.0))
        .map(|(scope, name)| Change {
            scope: *scope,
            name,
            value: None,
        });
    let set = after
        .0
        .iter()
        .filter(|(key, value)| before.0.get(key) != Some(value))
        .map(|((scope, name), value)| Change {
            scope: *scope,
            name,
            value: Some(value.clone()),
        });
    unset.chain(set).collect()
}
