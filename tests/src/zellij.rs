//! A person's zellij with Tallylight's bar: a real zellij in a world of its own, seen through a private tmux.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::Value;

use crate::claude::{self, Claude, ClaudeVersion};
use crate::lamp::{ASCII_CONFIG, Lamp};
use crate::pane::Pane;
use crate::provision::cargo_program;
use crate::stub_model::StubModel;
use crate::tally::{target, workspace};
use crate::tmux::TmuxServer;
use crate::wait::{LIMIT, poll, wait_until};
use crate::world::{World, kill};

/// The version that the tests run.
pub const VERSION: &str = "0.45.1";

/// How long a zellij command of a test may take.
const COMMAND: Duration = Duration::from_secs(10);

/// How long zellij may take to bring the person to another tab.
const MOVED: Duration = Duration::from_secs(3);

/// How long a typed line may take to be shown before it is typed again.
const TYPED: Duration = Duration::from_secs(3);

/// What the person's zellij is set to. Frames would stand around what the agents draw.
const ZELLIJ_CONFIG: &str = "show_startup_tips false
show_release_notes false
pane_frames false
serialization_interval 1
";

/// A desk with one zellij session and the person's terminals on it. What is dropped first comes first.
#[derive(Debug)]
pub struct ZellijDesk {
    outer: TmuxServer,
    session: String,
    flavour: Flavour,
    model: Option<StubModel>,
    world: World,
}

/// A person's terminal that shows the session.
#[derive(Clone, Debug)]
pub struct Terminal(Pane);

impl ZellijDesk {
    /// A desk whose session is about to be started, with the plugin installed and granted.
    #[must_use]
    pub fn new() -> Self {
        let desk = Self::without_grant();
        desk.world.expect_tally(&["zellij", "grant", "--yes"]);
        desk
    }

    /// The same, but nobody has granted anything.
    #[must_use]
    pub fn without_grant() -> Self {
        Self::of(World::with_tally(), None)
    }

    /// The same, granted, with Claude Code on the path.
    #[must_use]
    pub fn with_claude(version: ClaudeVersion) -> Self {
        let mut world = World::with_tally();
        let model = StubModel::start(&world.log("model.jsonl"));
        claude::install(&mut world, version, &model);
        world.append("home/.bashrc", "eval \"$(tally init bash)\"");
        let desk = Self::of(world, Some(model));
        desk.world.expect_tally(&["zellij", "grant", "--yes"]);
        desk
    }

    fn of(world: World, model: Option<StubModel>) -> Self {
        install_zellij(&world);
        world.configure(ASCII_CONFIG);
        let _plugin = install_plugin(&world);
        let outer = TmuxServer::at(&world, world.root().join("outer"), Path::new("/dev/null"));
        Self {
            outer,
            session: "work".to_owned(),
            flavour: Flavour::of(&world),
            model,
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
        let terminal = self.begin_in(name);
        terminal.wait_for_bar(&self.session);
        terminal.0.wait_for("the shell in the session", |screen| {
            screen.contains("ready$")
        });
        terminal
    }

    /// Types the command that starts the session, and waits for nothing.
    #[must_use]
    pub fn begin_in(&self, name: &str) -> Terminal {
        self.terminal(
            name,
            &format!("zellij -s {} -n {}", self.session, self.flavour.layout()),
        )
    }

    /// Attaches one more terminal.
    #[must_use]
    pub fn attach(&self, name: &str) -> Terminal {
        let terminal = self.terminal(name, &format!("zellij attach {}", self.session));
        terminal.wait_for_bar(&self.session);
        terminal
    }

    /// Types `claude` into the focused pane, as a person does, and waits for its input box.
    #[must_use]
    pub fn launch(&self, terminal: &Terminal) -> Claude {
        let command = "claude --permission-mode default";
        Claude::launch_below(&self.world, &terminal.0, command, self.server_pid())
    }

    /// A terminal in which that command is typed.
    #[must_use]
    pub fn terminal(&self, name: &str, command: &str) -> Terminal {
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

    /// The private tmux in which the person's terminals are.
    #[must_use]
    pub fn outer(&self) -> &TmuxServer {
        &self.outer
    }

    /// The model that answers; there is one only with Claude Code.
    #[must_use]
    pub fn model(&self) -> Option<&StubModel> {
        self.model.as_ref()
    }

    /// How many descriptors the session's server has open.
    #[must_use]
    pub fn descriptors(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.server_pid()))
            .expect("the server runs")
            .count()
    }

    /// Where the plugin is, as zellij names it.
    #[must_use]
    pub fn plugin_url(&self) -> String {
        format!("file:{}", self.flavour.plugin(&self.world).display())
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

    /// Runs `zellij action` in the session. When it takes the person to another tab, they have come there at the end:
    /// zellij answers before, and what is typed meanwhile goes to the old tab. They may have been there before.
    pub fn action(&self, words: &[&str]) -> String {
        let act = |words: &[&str]| {
            self.zellij(&[&["-s", self.session.as_str(), "action"], words].concat())
        };
        let moves = matches!(words, ["new-tab" | "go-to-tab", ..]);
        let before = moves.then(|| focused(&act(&["list-clients"])));
        let said = act(words);
        if let Some(before) = before.filter(|panes| !panes.is_empty()) {
            poll(MOVED, || {
                (focused(&act(&["list-clients"])) != before).then_some(())
            });
        }
        said
    }

    /// Runs zellij, which must end in time and well. On a busy machine it takes a late answer of the server for none, and
    /// says that there is no session.
    pub fn zellij(&self, words: &[&str]) -> String {
        let ran = poll(LIMIT, || {
            let output = self.run_zellij(words);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            (!said.contains("no active session")).then_some(output)
        });
        let output = ran.unwrap_or_else(|| self.run_zellij(words));
        assert!(output.status.success(), "zellij {words:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn run_zellij(&self, words: &[&str]) -> Output {
        let mut command = self.world.command("timeout");
        let limit = COMMAND.as_secs().to_string();
        let output = command
            .arg(limit)
            .arg(self.world.bin("zellij"))
            .args(words)
            .output();
        output.expect("zellij runs")
    }

    /// Has the plugin loaded anew in every bar, as after an update.
    pub fn reload_plugin(&self) {
        let settings = self.flavour.settings().join(",");
        let mut words = vec!["start-or-reload-plugin"];
        if !settings.is_empty() {
            words.extend(["--configuration", &settings]);
        }
        let url = self.plugin_url();
        words.push(&url);
        self.action(&words);
    }

    /// Opens the list of all agents in a floating pane, as a key of the person's would.
    pub fn open_list(&self) {
        let url = self.plugin_url();
        let settings = [self.flavour.settings(), &["view=list"]].concat().join(",");
        self.action(&[
            "launch-or-focus-plugin",
            "--floating",
            "--configuration",
            &settings,
            &url,
        ]);
    }

    /// Waits until zellij has written down, for its resurrection, a session with so many tabs.
    pub fn wait_for_record(&self, tabs: usize) {
        let folder = "home/.cache/zellij/contract_version_1/session_info";
        let record = self.world.root().join(folder).join(&self.session);
        let record = record.join("session-layout.kdl");
        let read = || fs::read_to_string(&record).unwrap_or_default();
        wait_until(
            &format!("a record with {tabs} tabs"),
            LIMIT,
            || (read().matches("tab name=").count() >= tabs).then_some(()),
            read,
        );
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

    /// Waits until a text is on the screen.
    pub fn wait_for_text(&self, text: &str) {
        self.0.wait_for(text, |screen| screen.contains(text));
    }

    /// Types a command line at the prompt of the focused pane. Zellij hands each key to whoever has the focus when it
    /// comes to it, so Enter is pressed only when all of the line is there.
    pub fn submit(&self, line: &str) {
        wait_until(
            &format!("{line:?} at the prompt"),
            LIMIT,
            || {
                // What an earlier attempt left goes first.
                self.0.press(["C-u"]);
                self.0.send_text(line);
                poll(TYPED, || self.0.has_before_cursor(line).then_some(()))
            },
            || self.0.capture(),
        );
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

/// Puts zellij on the path of a world, with a configuration of the person's.
pub fn install_zellij(world: &World) {
    symlink(cargo_program("zellij", VERSION), world.bin("zellij")).expect("zellij on the path");
    world.write("home/.config/zellij/config.kdl", ZELLIJ_CONFIG);
}

/// Puts plugin, layout and alias where the person's zellij finds them, and returns the plugin's path.
#[must_use]
pub fn install_plugin(world: &World) -> PathBuf {
    let status = world.tally(&["zellij", "status", "--json"]).stdout;
    let status: Value = serde_json::from_str(&status).expect("a document");
    if status["embedded"] == true {
        world.expect_tally(&["zellij", "install"]);
    } else {
        let plugin = plugin();
        let plugin = plugin.to_str().expect("a path");
        world.expect_tally(&["zellij", "install", "--plugin", plugin]);
    }
    Flavour::of(world).plugin(world)
}

/// Which build the binary under test is: each has its own files, layouts and pipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// A release build.
    Release,
    /// A debug build.
    Dev,
}

impl Flavour {
    /// The flavour of a world's binary.
    #[must_use]
    pub fn of(world: &World) -> Self {
        let config = world.expect_tally(&["config", "path"]);
        if config.contains("/tally-dev/") {
            Self::Dev
        } else {
            Self::Release
        }
    }

    /// The layout that `tally zellij install` makes.
    #[must_use]
    pub const fn layout(self) -> &'static str {
        match self {
            Self::Release => "tally",
            Self::Dev => "tally-dev",
        }
    }

    /// Where it puts the plugin.
    fn plugin(self, world: &World) -> PathBuf {
        let folder = world.home().join(".local/share").join(self.layout());
        folder.join("tally.wasm")
    }

    /// What the layout tells the plugin.
    const fn settings(self) -> &'static [&'static str] {
        match self {
            Self::Release => &[],
            Self::Dev => &["flavour=dev"],
        }
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

/// The panes that the clients are at, out of what `list-clients` prints.
fn focused(clients: &str) -> Vec<String> {
    let pane = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
    clients.lines().skip(1).filter_map(pane).collect()
}
