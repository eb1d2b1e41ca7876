//! The environment, read once.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// A copy of a process's environment; read in `main`, passed on, never changed.
#[derive(Clone, Debug, Default)]
pub struct Env {
    vars: HashMap<OsString, OsString>,
}

impl Env {
    /// The environment of this process.
    #[must_use]
    pub fn of_process() -> Self {
        std::env::vars_os().collect()
    }

    /// A variable's value as text; `None` when it is unset, empty or not UTF-8.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.vars
            .get(std::ffi::OsStr::new(name))?
            .to_str()
            .filter(|value| !value.is_empty())
    }

    /// A variable's value as an absolute path; `None` when it is unset or relative, as the XDG base directory
    /// specification asks.
    #[must_use]
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let path = PathBuf::from(self.vars.get(std::ffi::OsStr::new(name))?);
        path.is_absolute().then_some(path)
    }

    /// The folders of `PATH`, in order.
    pub fn search_path(&self) -> impl Iterator<Item = PathBuf> {
        let path = self
            .vars
            .get(std::ffi::OsStr::new("PATH"))
            .map(OsString::as_os_str)
            .unwrap_or_default();
        std::env::split_paths(path).filter(move |_| !path.is_empty())
    }

    /// All variables.
    pub fn iter(&self) -> impl Iterator<Item = (&OsString, &OsString)> {
        self.vars.iter()
    }
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Env {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(vars: I) -> Self {
        Self {
            vars: vars
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        }
    }
}
