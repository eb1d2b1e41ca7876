//! What we have written into a file: what must be known to take it out to the byte.

use serde::{Deserialize, Serialize};

use crate::entry::Entry;

/// Our own record of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The entries.
    #[serde(default)]
    pub entries: Vec<Entry>,
    /// The file was not there.
    #[serde(default)]
    pub file: bool,
    /// Lists and tables that were not there; they go when they are empty again.
    #[serde(default)]
    pub containers: Vec<Vec<String>>,
    /// Empty objects on one line that were broken over several.
    #[serde(default)]
    pub broken: Vec<Vec<String>>,
}

impl Made {
    /// What this and another record say together: which of the two holds may not be known while a file is replaced.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        add(&mut self.entries, &other.entries);
        add(&mut self.containers, &other.containers);
        add(&mut self.broken, &other.broken);
        self.file |= other.file;
        self
    }

    pub(crate) fn note_container(&mut self, path: &[String]) {
        add(&mut self.containers, &[path.to_vec()]);
    }

    pub(crate) fn note_broken(&mut self, path: &[String]) {
        add(&mut self.broken, &[path.to_vec()]);
    }
}

fn add<T: Clone + PartialEq>(list: &mut Vec<T>, more: &[T]) {
    for one in more {
        if !list.contains(one) {
            list.push(one.clone());
        }
    }
}
