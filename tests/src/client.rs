//! A client attached to a tmux server, and the status line it shows.

use crate::pane::Pane;
use crate::tmux::{HEIGHT, Tmux, TmuxServer, WIDTH};
use crate::wait::{LIMIT, wait_until};
use crate::world::World;

/// A person's terminal. It is a pane of an outer, equally private server that runs
/// `tmux attach`: what that pane shows is what the person sees, status line and all.
#[derive(Debug)]
pub struct Client {
    screen: Pane,
    /// Held for its drop, which ends the client.
    _outer: TmuxServer,
}

impl Client {
    /// Attaches a client to a session of `server` and waits until it shows.
    #[must_use]
    pub fn attach(world: &World, server: &Tmux, session: &str) -> Self {
        world.write(
            "outer.conf",
            "set -g status off\nset -g default-terminal screen-256color\n",
        );
        let number = server.run(["list-clients"]).lines().count();
        let name = server
            .socket()
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or("s");
        // Beside the folder of the person's servers: this one is no part of what is tested.
        let socket = world.root().join(format!("o-{name}{number}"));
        let outer = TmuxServer::at(world, socket, &world.root().join("outer.conf"));
        let attach = format!(
            "exec env -u TMUX -u TMUX_PANE tmux -u -S '{}' attach-session -t '={session}'",
            server.socket().display()
        );
        let (width, height) = (WIDTH.to_string(), HEIGHT.to_string());
        let id = outer.run([
            "new-session",
            "-d",
            "-P",
            "-F",
            "#{pane_id}",
            "-x",
            &width,
            "-y",
            &height,
            &attach,
        ]);
        let screen = Pane::new(outer.clone(), id);
        wait_until(
            "the client to be attached",
            LIMIT,
            || (server.run(["list-clients"]).lines().count() > number).then_some(()),
            || screen.capture(),
        );
        Self {
            screen,
            _outer: outer,
        }
    }

    /// The whole screen of the client.
    #[must_use]
    pub fn screen(&self) -> &Pane {
        &self.screen
    }

    /// The status line as text.
    #[must_use]
    pub fn status_line(&self) -> String {
        self.status_row().read().expect("the client's screen")
    }

    /// The status line with its colours, as escape sequences.
    #[must_use]
    pub fn status_line_styled(&self) -> String {
        let row = StatusRow {
            flags: "-pe",
            ..self.status_row()
        };
        row.read().expect("the client's screen")
    }

    /// A way to read the status line from another thread.
    #[must_use]
    pub fn status_row(&self) -> StatusRow {
        StatusRow {
            screen: self.screen.clone(),
            flags: "-p",
        }
    }

    /// Goes to a window as a person does: the prefix key, then its number.
    pub fn go_to_window(&self, index: u8) {
        self.screen.press(["C-b", &index.to_string()]);
        let entry = format!(" {index}:");
        self.wait_for_status(&format!("window {index} as the current one"), |line| {
            let name = line.split_once(&entry).map(|(_, rest)| rest);
            name.and_then(|rest| rest.split(' ').next())
                .is_some_and(|word| word.contains('*'))
        });
    }

    /// Waits until the status line is as wanted, and returns it.
    pub fn wait_for_status(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        wait_until(
            &format!("{what} in the status line"),
            LIMIT,
            || {
                let line = self.status_line();
                wanted(&line).then_some(line)
            },
            || self.screen.capture(),
        )
    }
}

/// The row of a client's screen that is the status line.
#[derive(Clone, Debug)]
pub struct StatusRow {
    screen: Pane,
    flags: &'static str,
}

impl StatusRow {
    /// What it shows; `None` when the client is gone.
    #[must_use]
    pub fn read(&self) -> Option<String> {
        let row = (HEIGHT - 1).to_string();
        let place = ["-S", &row, "-E", &row, "-t", self.screen.id()];
        let output = self
            .screen
            .tmux()
            .attempt(["capture-pane", self.flags].iter().chain(&place));
        let text = String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned();
        output.status.success().then_some(text)
    }
}
