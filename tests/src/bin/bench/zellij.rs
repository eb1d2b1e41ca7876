//! zellij's bar: how soon it is painted, and what it costs, beside the stock compact bar.
//!
//! Two sessions of one zellij run side by side, one with each bar. What both bars do, the change of the input mode, is
//! measured on both in turn; what only ours does stands beside that.

use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tally_tests::wait::wait_until;
use tally_tests::world::World;
use tally_tests::zellij::{Flavour, install_plugin, install_zellij};

use crate::cpu::{cpu_time, resident_kib};
use crate::stats::{Durations, ms, note, report};
use crate::terminal::Terminal;

const RUNS: usize = 100;
const LIMIT: Duration = Duration::from_secs(30);
/// For how long nothing may come before the next run.
const QUIET: Duration = Duration::from_millis(120);
/// The most bytes the plugin may have.
const LARGEST: u64 = 1_500_000;
/// The numbers of tabs, with what a lamp may take.
const TABS: [(usize, Duration); 2] = [
    (1, Duration::from_millis(15)),
    (10, Duration::from_millis(25)),
];

/// A layout with one bar.
const LAYOUT: &str = "layout {
    default_tab_template {
        children
        pane size=1 borderless=true {
            plugin location=\"BAR\"
        }
    }
}
";
/// The key that begins zellij's pane mode, and ends it again.
const PANE_MODE: &str = "\u{10}";

/// A session with one of the bars.
struct Session {
    terminal: Terminal,
    name: &'static str,
    server: u32,
}

pub(crate) fn run() {
    let world = World::with_tally();
    install_zellij(&world);
    let plugin = install_plugin(&world);
    world.expect_tally(&["zellij", "grant", "--yes"]);
    let size = plugin.metadata().expect("the plugin").len();
    report(
        "size of the plugin",
        &format!("{size} bytes"),
        "<= 1.5 MB",
        size <= LARGEST,
    );
    // As zellij's compact layout, with our bar in the place of its own.
    let layout = LAYOUT.replace("BAR", Flavour::of(&world).layout());
    world.write("home/.config/zellij/layouts/lamps.kdl", &layout);
    let ours = Session::start(&world, "lamps", "lamps");
    let stock = Session::start(&world, "stock", "compact");
    let session = ours.begin_agent(&world);
    let mut tabs_before = 1;
    for (tabs, budget) in TABS {
        let before = [resident_kib(ours.server), resident_kib(stock.server)];
        for session in [&ours, &stock] {
            session.grow(&world, tabs - tabs_before);
        }
        if tabs > tabs_before {
            memory(before, [&ours, &stock], tabs - tabs_before);
        }
        tabs_before = tabs;
        println!("  -- {tabs} {}", if tabs == 1 { "tab" } else { "tabs" });
        lamps(&world, &ours, &session, budget);
        floor(&world, &ours);
        modes(&ours, &stock);
    }
}

/// From the start of `tally signal` to the bytes of the new lamp, and what it costs zellij's server.
fn lamps(world: &World, ours: &Session, session: &str, budget: Duration) {
    let mut durations = Vec::with_capacity(RUNS);
    let cpu = cpu_time(ours.server);
    for run in 0..RUNS {
        let (state, glyph) = [("working", "⟳"), ("blocked", "◉")][run % 2];
        let mut command = world.command(world.bin("tally"));
        command
            .args(["signal", "--state", state, "--session", session])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn().expect("tally runs");
        let (painted, _) = ours.terminal.wait_for(glyph, LIMIT);
        durations.push(painted.saturating_duration_since(start));
        child.wait().expect("tally ends");
        ours.terminal.settle(QUIET);
    }
    let spent = cpu_time(ours.server) - cpu;
    let durations = Durations::new(durations);
    let p50 = durations.median();
    report(
        "signal to painted bar, p50",
        &ms(p50),
        &format!("<= {} ms", budget.as_millis()),
        p50 <= budget,
    );
    note("signal to painted bar, p99", &ms(durations.percentile(99)));
    let runs = u32::try_from(RUNS).expect("a small number");
    note("server's CPU a change of state", &ms(spent / runs));
}

/// From a line that goes into a pipe of ours to the bytes of its lamp: what zellij itself takes. The daemon rests meanwhile.
fn floor(world: &World, ours: &Session) {
    world.expect_tally(&["down"]);
    ours.terminal.settle(Duration::from_secs(1));
    let pipe = format!("{}:down", Flavour::of(world).layout());
    let mut command = world.command(world.bin("zellij"));
    command
        .args(["-s", ours.name, "pipe", "--name", &pipe])
        .stdin(Stdio::piped())
        .stdout(Stdio::null());
    let mut child = command.spawn().expect("zellij runs");
    let mut lines = child.stdin.take().expect("its way in");
    let mut durations = Vec::with_capacity(RUNS);
    for run in 0..RUNS {
        let (state, glyph) = [("working", "⟳"), ("blocked", "◉")][run % 2];
        let line = json!({
            "v": 1, "run": 1, "seq": run + 1, "at_ms": 0, "server_pid": ours.server,
            "sessions": [{"pane": "%0", "state": state, "since_ms": 0}],
            "mux_session": {state: 1}, "machine": {state: 1},
        });
        let start = Instant::now();
        writeln!(lines, "{line}").expect("zellij reads");
        let (painted, _) = ours.terminal.wait_for(glyph, LIMIT);
        durations.push(painted.saturating_duration_since(start));
        ours.terminal.settle(QUIET);
    }
    drop(lines);
    child.wait().expect("zellij ends");
    note(
        "floor: a line in a held pipe to painted, p50",
        &ms(Durations::new(durations).median()),
    );
    world.expect_tally(&["up"]);
    ours.terminal.settle(Duration::from_secs(1));
}

/// From a key to the bar that tells the new input mode, on both bars in turn.
fn modes(ours: &Session, stock: &Session) {
    let mut taken = [Vec::new(), Vec::new()];
    let mut spent = [Duration::ZERO; 2];
    for _ in 0..RUNS / 2 {
        for (index, session) in [ours, stock].into_iter().enumerate() {
            let cpu = cpu_time(session.server);
            for mode in ["PANE", "NORMAL"] {
                let start = Instant::now();
                session.terminal.write(PANE_MODE);
                let (painted, _) = session.terminal.wait_for(mode, LIMIT);
                taken[index].push(painted.saturating_duration_since(start));
                session.terminal.settle(QUIET);
            }
            spent[index] += cpu_time(session.server) - cpu;
        }
    }
    let changes = u32::try_from(RUNS / 2 * 2).expect("a small number");
    for ((taken, spent), bar) in taken.into_iter().zip(spent).zip(["tally", "compact-bar"]) {
        note(
            &format!("key to painted mode, p50: {bar}"),
            &ms(Durations::new(taken).median()),
        );
        note(
            &format!("server's CPU a change of mode: {bar}"),
            &ms(spent / changes),
        );
    }
}

/// What a tab more takes, with a shell in it.
fn memory(before: [u64; 2], sessions: [&Session; 2], tabs: usize) {
    for ((before, session), bar) in before
        .into_iter()
        .zip(sessions)
        .zip(["tally", "compact-bar"])
    {
        let more = resident_kib(session.server).saturating_sub(before);
        let each = more / u64::try_from(tabs).expect("a small number");
        note(
            &format!("server's memory a tab more: {bar}"),
            &format!("{each} KiB"),
        );
    }
}

impl Session {
    fn start(world: &World, name: &'static str, layout: &str) -> Self {
        let mut command = world.command(world.bin("zellij"));
        command.args(["-s", name, "-n", layout]);
        let terminal = Terminal::run(&command);
        terminal.wait_for("ready$", LIMIT);
        terminal.settle(Duration::from_secs(1));
        let status = world.tally(&["zellij", "status", "--json"]).stdout;
        let status: Value = serde_json::from_str(&status).expect("a document");
        let servers = status["servers"].as_array().expect("servers");
        let server = servers
            .iter()
            .find(|server| server["socket"] == name)
            .and_then(|server| server["pid"].as_u64())
            .expect("the session's server");
        Self {
            terminal,
            name,
            server: u32::try_from(server).expect("a pid"),
        }
    }

    /// Opens more tabs.
    fn grow(&self, world: &World, tabs: usize) {
        for _ in 0..tabs {
            let mut command = world.command(world.bin("zellij"));
            command.args(["-s", self.name, "action", "new-tab"]);
            command.stdin(Stdio::null()).stdout(Stdio::null());
            assert!(command.status().expect("zellij runs").success());
            self.terminal.wait_for("ready$", LIMIT);
            self.terminal.settle(Duration::from_millis(500));
        }
    }

    /// Signals from within the pane, and returns the id of the session that it began.
    fn begin_agent(&self, world: &World) -> String {
        self.terminal.write("tally signal --state idle; clear\r");
        let id = wait_until(
            "the session to be listed",
            LIMIT,
            || {
                let list = world.tally_json(&["list", "--json"]);
                list["sessions"][0]["id"].as_str().map(str::to_owned)
            },
            String::new,
        );
        self.terminal.settle(Duration::from_secs(1));
        id
    }
}
