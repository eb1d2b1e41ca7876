//! What commands share: the environment, read once, and the world behind it.

use std::path::PathBuf;
use std::time::Duration;

use session_core::{MachineId, Mux, PaneId};
use session_host::agents::EmbeddedAgents;
use session_host::clock::SystemClock;
use session_host::config::{self, Config};
use session_host::env::Env;
use session_host::identity::{Reporter, origin};
use session_host::paths::{NoHome, Paths};
use session_host::process::{Recogniser, SystemProcesses};
use session_host::query::{self, Fresh, Picture, Viewer};
use session_host::wiring::stable_path;

use crate::failure::{Failure, of_store};
use crate::output::Output;

/// How long a command waits for a store that another process holds.
pub(crate) const STORE_WAIT: Duration = Duration::from_secs(2);

/// What commands share.
pub(crate) struct Context {
    /// The environment.
    pub env: Env,
    /// The folders.
    pub paths: Paths,
    /// The way out.
    pub out: Output,
    /// This machine.
    pub machine: MachineId,
    /// The clock.
    pub clock: SystemClock,
    /// The processes.
    pub processes: SystemProcesses,
    /// The manifests.
    pub agents: EmbeddedAgents,
}

/// Where this command was given, when that is inside tmux.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inside {
    /// The server's socket.
    pub socket: PathBuf,
    /// The pane; absent in a popup, a key binding and a hook of tmux.
    pub pane: Option<PaneId>,
}

impl Inside {
    /// What `TMUX` and `TMUX_PANE` say.
    pub(crate) fn of(env: &Env) -> Option<Self> {
        let (socket, _) = env.get("TMUX")?.split_once(',')?;
        (!socket.is_empty()).then(|| Self {
            socket: socket.into(),
            pane: env.get("TMUX_PANE").and_then(|pane| pane.parse().ok()),
        })
    }
}

impl Context {
    /// The world of this process.
    ///
    /// # Errors
    /// When the environment names no home.
    pub(crate) fn new(env: Env, out: Output) -> Result<Self, NoHome> {
        let paths = Paths::from_env(&env)?;
        Ok(Self::with(paths, env, out))
    }

    /// The world of a command that needs none of the folders.
    pub(crate) fn without_home(env: Env, out: Output) -> Self {
        let nowhere = Paths {
            config: PathBuf::new(),
            state: PathBuf::new(),
            runtime: PathBuf::new(),
        };
        Self::with(nowhere, env, out)
    }

    fn with(paths: Paths, env: Env, out: Output) -> Self {
        Self {
            paths,
            env,
            out,
            machine: session_host::host::machine(),
            clock: SystemClock,
            processes: Default::default(),
            agents: EmbeddedAgents,
        }
    }

    /// The settings; mistakes in the file are told once, in one line.
    pub(crate) fn config(&self) -> Config {
        let loaded = config::load(&self.paths.config_file());
        match &loaded.notes[..] {
            [] => {}
            [_] => loaded.lines().for_each(|line| self.out.note(&line)),
            notes => {
                let (file, count) = (loaded.file.display(), notes.len());
                self.out.note(&format!(
                    "{file}: {count} mistakes; `tally config check` lists them"
                ));
            }
        }
        loaded.config
    }

    /// The picture as it is now.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) fn picture(
        &self,
        config: &Config,
        servers: Option<Fresh<'_>>,
        over: bool,
    ) -> Result<Picture, Failure> {
        query::picture(&self.viewer(config), servers, over)
            .map_err(|error| of_store(&error, &self.paths))
    }

    /// The picture as the daemon left it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) fn recorded(&self, config: &Config, over: bool) -> Result<Picture, Failure> {
        query::recorded(&self.viewer(config), over).map_err(|error| of_store(&error, &self.paths))
    }

    fn viewer<'v>(&'v self, config: &'v Config) -> Viewer<'v> {
        Viewer {
            paths: &self.paths,
            machine: &self.machine,
            policy: &config.policy,
            agents: &self.agents,
            processes: &self.processes,
            clock: &self.clock,
            wait: STORE_WAIT,
        }
    }

    /// Where this command was given, when that is inside tmux.
    pub(crate) fn inside(&self) -> Option<Inside> {
        Inside::of(&self.env)
    }

    /// The server and the pane of zellij that this command was given in. Its process tells: no variable does.
    pub(crate) fn zellij_pane(&self) -> Option<(u32, PaneId)> {
        let nobody = Recogniser::new(Vec::new());
        let origin = origin(&self.env, &self.processes, &nobody, Reporter::default());
        let place = origin.place.filter(|place| place.mux == Mux::Zellij)?;
        Some((place.server_pid, place.pane))
    }

    /// This program's own path.
    pub(crate) fn own(&self) -> PathBuf {
        let exe = std::env::current_exe();
        exe.unwrap_or_else(|_| {
            std::env::args_os()
                .next()
                .map(PathBuf::from)
                .unwrap_or_default()
        })
    }

    /// The path by which others should call this program.
    pub(crate) fn program(&self) -> PathBuf {
        let started_as = std::env::args_os().next().map(PathBuf::from);
        stable_path(&self.env, &self.own(), started_as.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_tells_where_the_command_was_given() {
        let inside = |vars: &[(&str, &str)]| Inside::of(&vars.iter().copied().collect());
        let socket = PathBuf::from("/tmp/tmux-1000/default");
        let tmux = ("TMUX", "/tmp/tmux-1000/default,1185,0");
        assert_eq!(
            inside(&[tmux, ("TMUX_PANE", "%5")]),
            Some(Inside {
                socket: socket.clone(),
                pane: Some(PaneId(5))
            })
        );
        assert_eq!(
            inside(&[tmux, ("TMUX_PANE", "5")]),
            Some(Inside { socket, pane: None })
        );
        assert_eq!(inside(&[("TMUX", "")]), None);
        assert_eq!(inside(&[("TMUX_PANE", "%5")]), None);
    }
}
