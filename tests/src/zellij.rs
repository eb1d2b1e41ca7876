//! A person's zellij with Tallylight's bar: a real zellij in a world of its own, seen through a private tmux.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::lamp::{ASCII_CONFIG, Lamp};
use crate::pane::Pane;
use crate::provision::cargo_program;
use crate::tally::{target, workspace};
use crate::tmux::TmuxServer;
use crate::wait::{LIMIT, poll, wait_until};
use crate::world::{World, kill};

/// The version that the tests run.
pub const VERSION: &str = "0.45.1";

/// The layout that `tally zellij install` of a debug build makes.
const LAYOUT: &str = "tally-dev";

/// How long a zellij command of a test may take.
const COMMAND: Duration = Duration::from_secs(10);

/// A desk with one zellij session and the person's terminals on it. What is dropped first comes first.
#[derive(Debug)]
pub struct ZellijDesk {
    outer: TmuxServer,
    session: String,
    world: World,
}

/// A person's terminal that shows the session.
#[derive(Clone, Debug)]
pub struct Terminal(Pane);

impl ZellijDesk {
    /// A desk whose session is about to be started, with the plugin installed and granted.
    #[must_use]
    pub fn new() -> Self {
        let world = World::with_tally();
        symlink(cargo_program("zellij", VERSION), world.bin("zellij")).expect("zellij on the path");
        world.write(
            "home/.config/zellij/config.kdl",
            "show_startup_tips false\nshow_release_notes false\nserialization_interval 1\n",
        );
        world.configure(ASCII_CONFIG);
        let plugin = plugin();
        let plugin = plugin.to_str().expect("a path");
        world.expect_tally(&["zellij", "install", "--plugin", plugin]);
        world.expect_tally(&["zellij", "grant", "--yes"]);
        let outer = TmuxServer::at(&world, world.root().join("outer"), Path::new("/dev/null"));
        Self {
            outer,
            session: "work".to_owned(),
            world,
        }
    }

    /// Starts the session and returns the person's terminal on it.
    #[must_use]
    pub fn start(&self) -> Terminal {
        self.start_in("first")
    }

    /// Starts the session in a terminal of that name.
    #[must_use]
    pub fn start_in(&self, name: &str) -> Terminal {
        let terminal = self.terminal(name, &format!("zellij -s {} -n {LAYOUT}", self.session));
        terminal.wait_for_bar(&self.session);
        terminal.0.wait_for("the shell in the session", |screen| {
            screen.contains("ready$")
        });
        terminal
    }

    /// Attaches one more terminal.
    #[must_use]
    pub fn attach(&self, name: &str) -> Terminal {
        let terminal = self.terminal(name, &format!("zellij attach {}", self.session));
        terminal.wait_for_bar(&self.session);
        terminal
    }

    fn terminal(&self, name: &str, command: &str) -> Terminal {
        let pane = self.outer.new_session(name, name);
        self.outer.run(["set-option", "-g", "status", "off"]);
        pane.wait_for_shell();
        pane.send_text(command);
        pane.press(["Enter"]);
        Terminal(pane)
    }

    /// The world of the desk.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What the session is called.
    #[must_use]
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Renames the session, as a person does.
    pub fn rename(&mut self, name: &str) {
        self.action(&["rename-session", name]);
        name.clone_into(&mut self.session);
    }

    /// Runs `zellij action` in the session.
    pub fn action(&self, words: &[&str]) -> String {
        self.zellij(&[&["-s", self.session.as_str(), "action"], words].concat())
    }

    /// Runs zellij, which must end in time and well.
    pub fn zellij(&self, words: &[&str]) -> String {
        let mut command = self.world.command("timeout");
        let limit = COMMAND.as_secs().to_string();
        let output = command
            .arg(limit)
            .arg(self.world.bin("zellij"))
            .args(words)
            .output();
        let output = output.expect("zellij runs");
        assert!(output.status.success(), "zellij {words:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The process of the session's server.
    #[must_use]
    pub fn server_pid(&self) -> u32 {
        let status = self.world.tally(&["zellij", "status", "--json"]).stdout;
        let status: Value = serde_json::from_str(&status).expect("a document");
        let pid = status["servers"][0]["pid"].as_u64().expect("a server");
        u32::try_from(pid).expect("a process id")
    }

    /// Ends the server as a crash does.
    pub fn crash(&self) {
        kill(self.server_pid());
    }

    /// The zellij processes of this world that hold a pipe.
    #[must_use]
    pub fn pipes(&self) -> Vec<u32> {
        let mark = self.world.root().as_os_str().as_encoded_bytes();
        let holds = |pid: &u32| {
            let read = |what: &str| fs::read(format!("/proc/{pid}/{what}")).unwrap_or_default();
            let has =
                |text: &[u8], part: &[u8]| text.windows(part.len()).any(|piece| piece == part);
            has(&read("cmdline"), b"\0pipe\0") && has(&read("environ"), mark)
        };
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter(holds).collect()
    }

    /// The state of each session by its pane, as `tally list` tells.
    #[must_use]
    pub fn listed(&self) -> Vec<(String, String)> {
        let list = self.world.tally_json(&["list", "--json"]);
        let sessions = list["sessions"].as_array().cloned().unwrap_or_default();
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut listed: Vec<_> = sessions
            .iter()
            .map(|session| (word(&session["pane"]["pane_id"]), word(&session["state"])))
            .collect();
        listed.sort();
        listed
    }
}

impl Default for ZellijDesk {
    fn default() -> Self {
        Self::new()
    }
}

impl Terminal {
    /// The screen.
    #[must_use]
    pub fn screen(&self) -> &Pane {
        &self.0
    }

    /// The bar: the first row.
    #[must_use]
    pub fn bar(&self) -> String {
        self.0
            .capture()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    }

    /// The lamps of the tabs, from the first on.
    #[must_use]
    pub fn lamps(&self) -> Vec<Lamp> {
        let bar = self.bar();
        // What is at the right is far away.
        let left = bar.trim_start().split("      ").next().unwrap_or_default();
        let mut words = left.split_whitespace().skip(2).peekable();
        let mut lamps = Vec::new();
        while words
            .next_if(|word| word.parse() == Ok(lamps.len() + 1))
            .is_some()
        {
            let glyph = words.next_if(|word| Lamp::ALL.iter().any(|lamp| lamp.glyph() == *word));
            let lamp = Lamp::ALL
                .into_iter()
                .find(|lamp| Some(lamp.glyph()) == glyph);
            lamps.push(lamp.unwrap_or(Lamp::None));
        }
        lamps
    }

    /// Waits until the bar shows these lamps.
    pub fn expect(&self, lamps: &[Lamp]) {
        wait_until(
            &format!("the lamps {lamps:?} in the bar"),
            LIMIT,
            || (self.lamps() == lamps).then_some(()),
            || self.0.capture(),
        );
    }

    /// Waits for the bar of a session, with a picture in it.
    pub fn wait_for_bar(&self, session: &str) {
        self.0.wait_for(&format!("the bar of {session}"), |screen| {
            let bar = screen.lines().next().unwrap_or_default();
            bar.split_whitespace().next() == Some(session) && !bar.contains("unknown")
        });
    }

    /// Types a command line into the focused pane.
    pub fn submit(&self, line: &str) {
        self.0.send_text(line);
        self.0.press(["Enter"]);
    }

    /// Types a signal into the focused pane.
    pub fn signal(&self, words: &str) {
        self.submit(&format!("tally signal {words}"));
    }

    /// Whether its program has ended, and the shell that started it is back.
    #[must_use]
    pub fn has_left(&self) -> bool {
        poll(LIMIT, || {
            self.0
                .capture()
                .trim_end()
                .ends_with("ready$")
                .then_some(())
        })
        .is_some()
    }
}

/// The plugin, built if it is not there.
fn plugin() -> PathBuf {
    let plugin = target().join("wasm/wasm32-wasip1/wasm/tally-zellij.wasm");
    if !plugin.exists() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["xtask", "wasm"])
            .current_dir(workspace())
            .status();
        assert!(
            built.is_ok_and(|status| status.success()),
            "cargo xtask wasm"
        );
    }
    plugin
}
