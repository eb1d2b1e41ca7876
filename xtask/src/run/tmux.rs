//! A tmux server, spoken to by short commands.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::program::Program;

/// One server and the environment of its clients.
#[derive(Clone, Debug)]
pub(crate) struct Tmux {
    socket: Option<PathBuf>,
    /// The environment, if not the one we run in.
    env: Option<Vec<(String, String)>>,
}

impl Tmux {
    /// The person's own server.
    pub(crate) fn default_server() -> Self {
        Self {
            socket: None,
            env: None,
        }
    }

    /// A private server without a configuration file.
    pub(crate) fn private(socket: &Path, env: &[(String, String)]) -> Self {
        Self {
            socket: Some(socket.to_path_buf()),
            env: Some(env.to_vec()),
        }
    }

    pub(crate) fn program(&self, args: &[&str]) -> Program {
        let mut tmux = Program::new("tmux").arg("-u");
        if let Some(socket) = &self.socket {
            tmux = tmux.args(["-f", "/dev/null", "-S"]).arg(socket);
        }
        if let Some(env) = &self.env {
            tmux = tmux.clean_env();
            for (name, value) in env {
                tmux = tmux.quiet_env(name, value);
            }
        }
        tmux.args(args)
    }

    /// Runs a command and returns what it printed.
    pub(crate) fn read(&self, args: &[&str]) -> Result<String> {
        self.program(args).read()
    }

    /// The value of `$TMUX` in a pane of this server.
    pub(crate) fn variable(&self) -> Result<String> {
        self.read(&["display-message", "-p", "#{socket_path},#{pid},0"])
    }
}
