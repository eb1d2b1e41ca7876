//! What of ours is in a file.

use crate::document::{Format, parse, without_mark};
use crate::entry::Entry;
use crate::error::MergeError;
use crate::made::Made;
use crate::node::{Kind, Node};

/// How one wanted entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is there once.
    There,
    /// It is there more than once.
    Doubled,
    /// An older one of ours is in its place.
    Old,
    /// It is not there.
    Missing,
}

/// What of ours is in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Each wanted entry, by the path of its list.
    pub entries: Vec<(String, Standing)>,
    /// Whether something of ours is there that is not wanted any more.
    pub leftover: bool,
}

impl Look {
    /// Whether all is there as it should be.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.leftover && self.all(Standing::There)
    }

    /// Whether nothing of ours is there.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        !self.leftover && self.all(Standing::Missing)
    }

    fn all(&self, standing: Standing) -> bool {
        self.entries.iter().all(|(_, known)| *known == standing)
    }

    /// The lists whose entry stands like this.
    #[must_use]
    pub fn lists(&self, standing: Standing) -> Vec<&str> {
        let like = self.entries.iter().filter(|(_, known)| *known == standing);
        like.map(|(list, _)| list.as_str()).collect()
    }
}

/// Looks for ours in a text.
///
/// # Errors
/// When it cannot be read.
pub fn look(format: Format, text: &str, wanted: &[Entry], made: &Made) -> Result<Look, MergeError> {
    let (_, text) = without_mark(text);
    let document = parse(format, text)?;
    let count = |entry: &Entry| {
        let list = document.root().list(text, &entry.list).ok().flatten();
        let node = Node::from(&entry.value);
        let elements = list.map(Node::elements).unwrap_or_default();
        elements
            .iter()
            .filter(|element| element.same(&node))
            .count()
    };
    let old: Vec<&Entry> = made
        .entries
        .iter()
        .filter(|entry| !wanted.contains(entry) && count(entry) > 0)
        .collect();
    let entries = wanted.iter().map(|entry| {
        let standing = match count(entry) {
            0 if old.iter().any(|old| old.list == entry.list) => Standing::Old,
            0 => Standing::Missing,
            1 => Standing::There,
            _ => Standing::Doubled,
        };
        (entry.list.join("."), standing)
    });
    Ok(Look {
        entries: entries.collect(),
        leftover: !old.is_empty(),
    })
}

/// Whether a file has lists, of whomever, below the first keys of these entries: the person uses this file for them.
///
/// # Errors
/// When it cannot be read.
pub fn holds_lists(format: Format, text: &str, wanted: &[Entry]) -> Result<bool, MergeError> {
    let (_, text) = without_mark(text);
    let document = parse(format, text)?;
    let members = document.root().members().iter();
    Ok(members
        .filter(|member| {
            wanted
                .iter()
                .any(|entry| entry.list.first() == Some(&member.key))
        })
        .any(|member| has_list(&member.value)))
}

fn has_list(node: &Node) -> bool {
    match &node.kind {
        Kind::List(elements) => !elements.is_empty(),
        Kind::Map(members) => members.iter().any(|member| has_list(&member.value)),
        _ => false,
    }
}
