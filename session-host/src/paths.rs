//! Where Tallylight keeps its things.

use std::path::PathBuf;

use crate::env::Env;

/// The name of everything that belongs to this build: a debug build keeps its own folders, tmux options and hook
/// index, so that working on Tallylight never disturbs the Tallylight in use.
pub const FLAVOUR: &str = if cfg!(debug_assertions) {
    "tally-dev"
} else {
    "tally"
};

/// The folders of one user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// Configuration: `$XDG_CONFIG_HOME/tally`.
    pub config: PathBuf,
    /// The store, the spool and the log: `$XDG_STATE_HOME/tally`.
    pub state: PathBuf,
    /// Sockets and locks: `$XDG_RUNTIME_DIR/tally`, else a folder of the state folder (never a shared temporary
    /// folder, case K5).
    pub runtime: PathBuf,
}

/// The environment names no home folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("HOME is not set to an absolute path; set it, or set XDG_CONFIG_HOME and XDG_STATE_HOME")]
pub struct NoHome;

impl Paths {
    /// The folders that the environment names.
    ///
    /// # Errors
    /// When neither `HOME` nor the XDG variables say where.
    pub fn from_env(env: &Env) -> Result<Self, NoHome> {
        let home = env.path("HOME");
        let base = |variable: &str, default: &str| {
            env.path(variable)
                .or_else(|| Some(home.as_ref()?.join(default)))
                .map(|base| base.join(FLAVOUR))
                .ok_or(NoHome)
        };
        let state = base("XDG_STATE_HOME", ".local/state")?;
        let runtime = env
            .path("XDG_RUNTIME_DIR")
            .map_or_else(|| state.join("run"), |base| base.join(FLAVOUR));
        Ok(Self {
            config: base("XDG_CONFIG_HOME", ".config")?,
            state,
            runtime,
        })
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> PathBuf {
        self.state.join("sessions.db")
    }

    /// The datagram socket that wakes the daemon.
    #[must_use]
    pub fn nudge_socket(&self) -> PathBuf {
        self.runtime.join("nudge.sock")
    }

    /// The log of the daemon.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.state.join("daemon.log")
    }

    /// The configuration file.
    #[must_use]
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The record of what was wired, and of what is not to be.
    #[must_use]
    pub fn wiring_record(&self) -> PathBuf {
        self.state.join("wiring.json")
    }

    /// The folder for files that Tallylight keeps for agents.
    #[must_use]
    pub fn wiring(&self) -> PathBuf {
        self.config.join("wiring")
    }
}
