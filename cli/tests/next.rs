//! `tally next` on real tmux servers, with a terminal that shows what it does.

mod common;

use common::Outcome;
use common::servers::{Servers, wait};
use rustix::process::{Pid, Signal, kill_process};

/// A terminal, attached to one server from the only pane of another.
struct Terminal<'s> {
    servers: &'s Servers,
    server: &'static str,
    name: String,
}

impl<'s> Terminal<'s> {
    fn attach(servers: &'s Servers, outer: &str, server: &'static str) -> Self {
        let attach = format!("unset TMUX TMUX_PANE; exec tmux -u -L {server} attach-session");
        servers.tmux(outer, &["respawn-pane", "-k", "-t", "%0", &attach]);
        let name = || servers.tmux(server, &["list-clients", "-F", "#{client_name}"]);
        wait("the terminal", || !name().stdout.trim().is_empty());
        Self {
            servers,
            server,
            name: name().stdout.trim().to_owned(),
        }
    }

    /// The name of the window that it shows.
    fn shows(&self) -> String {
        let shown = self
            .servers
            .tmux(self.server, &["list-clients", "-F", "#{window_name}"]);
        shown.stdout.trim().to_owned()
    }

    /// What it shows after each of some presses, one right after the other.
    fn presses(&self, count: usize, press: impl Fn() -> Outcome) -> Vec<String> {
        let pressed = |_| {
            let ended = press();
            assert_eq!(ended.status, Some(0), "{ended:?}");
            self.shows()
        };
        (0..count).map(pressed).collect()
    }
}

/// Opens a window in which a script waits for the person.
fn blocked(servers: &Servers, server: &str, window: &str) -> String {
    let opened = servers.tmux(
        server,
        &[
            "new-window",
            "-d",
            "-P",
            "-F",
            "#{pane_id}",
            "-n",
            window,
            "sh",
        ],
    );
    let pane = opened.stdout.trim().to_owned();
    servers.type_in(server, &pane, "tally signal --state blocked");
    pane
}

fn pid(servers: &Servers, server: &str) -> String {
    let told = servers.tmux(server, &["display-message", "-p", "#{pid}"]);
    told.stdout.trim().to_owned()
}

fn socket(servers: &Servers, server: &str) -> String {
    let told = servers.tmux(server, &["display-message", "-p", "#{socket_path}"]);
    told.stdout.trim().to_owned()
}

#[test]
fn each_press_goes_on_from_what_the_terminal_shows_however_quick() {
    let servers = Servers::start(&["a", "outer"]);
    for window in ["b", "c", "d"] {
        blocked(&servers, "a", window);
    }
    let terminal = Terminal::attach(&servers, "outer", "a");
    let home = &servers.home;
    let all = ["b", "c", "d", "b", "c", "d"];
    // As in a key binding.
    let tmux = format!("{},{},0", socket(&servers, "a"), pid(&servers, "a"));
    let bound = || {
        let args = ["next", "--client", &terminal.name];
        home.run_with(&args, b"", &[("TMUX", &tmux)])
    };
    assert_eq!(terminal.presses(6, bound), all);
    // From outside of tmux, with the terminal's name and without.
    let named = || home.run(&["next", "--client", &terminal.name]);
    assert_eq!(terminal.presses(6, named), all);
    assert_eq!(terminal.presses(6, || home.run(&["next"])), all);
    // What is only told is where a press would go.
    let told = home.run(&["next", "--print"]).stdout;
    assert!(told.contains("%1"), "{told}");
    // While a daemon runs as well.
    assert_eq!(home.run(&["up"]).status, Some(0));
    assert_eq!(terminal.presses(6, bound), all);
}

#[test]
fn a_server_that_hangs_is_skipped_and_told_in_a_line() {
    let servers = Servers::start(&["a", "b", "outer"]);
    let hung = blocked(&servers, "b", "hung");
    blocked(&servers, "a", "lively");
    let terminal = Terminal::attach(&servers, "outer", "a");
    let process = pid(&servers, "b").parse().ok().and_then(Pid::from_raw);
    let Some(process) = process else {
        panic!("the server has a process")
    };
    assert!(kill_process(process, Signal::STOP).is_ok());
    let pressed = servers.home.run(&["next"]);
    let shown = terminal.shows();
    let again = servers.home.run(&["next"]);
    assert!(kill_process(process, Signal::CONT).is_ok());
    assert_eq!((pressed.status, shown.as_str()), (Some(0), "lively"));
    assert!(
        pressed
            .stderr
            .lines()
            .any(|line| line.starts_with(&format!("Skipped {hung}: "))
                && line.contains("did not answer")),
        "{pressed:?}"
    );
    // It is shown, and nothing else can be.
    assert_eq!(again.status, Some(0), "{again:?}");
}
