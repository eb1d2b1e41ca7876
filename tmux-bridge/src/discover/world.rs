//! Which servers are ours to follow.

use std::path::PathBuf;

use session_host::env::Env;
use session_host::paths::Paths;

use crate::processes::env_of;

/// The store that this environment leads to.
///
/// What runs in a server's panes inherits the server's environment, and with it the place where it reports. A server
/// whose environment leads to another store has another daemon, and two daemons must not publish on one server. So
/// a Tallylight under test leaves the user's servers alone, and the other way round.
#[derive(Clone, Debug)]
pub(crate) struct World(Option<PathBuf>);

impl World {
    pub(crate) fn of(env: &Env) -> Self {
        Self(Paths::from_env(env).ok().map(|paths| paths.state))
    }

    /// Whether an environment leads to the same store; one that leads nowhere does not contradict.
    pub(crate) fn has(&self, env: &Env) -> bool {
        match (&self.0, Paths::from_env(env)) {
            (Some(ours), Ok(theirs)) => *ours == theirs.state,
            _ => true,
        }
    }

    /// Whether a process belongs here, as far as the system tells.
    pub(crate) fn holds(&self, pid: u32) -> bool {
        env_of(pid).is_none_or(|env| self.has(&env))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_with_another_store_is_not_ours() {
        let env = |pairs: &[(&str, &str)]| pairs.iter().copied().collect::<Env>();
        let world = World::of(&env(&[("HOME", "/home/a")]));
        assert!(world.has(&env(&[("HOME", "/home/a"), ("XDG_CONFIG_HOME", "/elsewhere")])));
        assert!(world.has(&env(&[("HOME", "/x"), ("XDG_STATE_HOME", "/home/a/.local/state"), ("XDG_CONFIG_HOME", "/c")])));
        assert!(world.has(&env(&[])));
        assert!(!world.has(&env(&[("HOME", "/home/b")])));
        assert!(!world.has(&env(&[("HOME", "/home/a"), ("XDG_STATE_HOME", "/tmp/state")])));
        assert!(World::of(&env(&[])).has(&env(&[("HOME", "/home/b")])));
    }
}
