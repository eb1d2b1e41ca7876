//! `tally dash` and `tally pick` on real tmux servers, driven by keys.

mod common;

use std::process::Stdio;

use common::servers::{Servers, Terminal, blocked, wait};
use rustix::process::{Pid, Signal, kill_process};

/// A pane of the server `a` as the person's terminal there shows it.
struct Pane<'s> {
    servers: &'s Servers,
}

impl Pane<'_> {
    fn press(&self, key: &str) {
        self.servers.tmux("a", &["send-keys", "-t", "%0", key]);
    }

    fn says(&self, format: &str) -> String {
        let said = self
            .servers
            .tmux("a", &["display-message", "-p", "-t", "%0", format]);
        said.stdout.trim().to_owned()
    }

    fn screen(&self) -> String {
        self.servers
            .tmux("a", &["capture-pane", "-p", "-t", "%0"])
            .stdout
    }

    #[track_caller]
    fn wait_for(&self, text: &str) {
        wait(text, || self.screen().contains(text));
    }

    /// Starts a command in the shell.
    fn start(&self, command: &str) {
        self.servers
            .tmux("a", &["send-keys", "-t", "%0", command, "Enter"]);
    }

    /// Whether the terminal is as a program found it: its screen, its cursor, its mouse and its modes.
    fn is_given_back(&self) -> bool {
        self.says("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0"
    }

    /// The modes of the terminal, as the shell finds them.
    fn modes(&self) -> String {
        let file = self.servers.home.path("modes");
        self.servers
            .type_in("a", "%0", &format!("stty -a >{}", file.display()));
        std::fs::read_to_string(&file).unwrap_or_default()
    }
}

#[test]
fn enter_goes_to_the_agent_that_waits_and_n_to_the_next_one() {
    let servers = Servers::start(&["a", "outer"]);
    for window in ["b", "c"] {
        blocked(&servers, "a", window);
    }
    let terminal = Terminal::attach(&servers, "outer", "a");
    let pane = Pane { servers: &servers };
    pane.start("exec tally dash");
    terminal.wait_for("2 blocked");
    terminal.wait_for("waits for you");
    // The mark is at the one that has waited longest.
    terminal.press("Enter");
    wait("window b", || terminal.shows() == "b");
    servers.tmux("a", &["select-window", "-t", ":0"]);
    terminal.press("n");
    terminal.press("n");
    terminal.press("Enter");
    wait("window c", || terminal.shows() == "c");
    // The dashboard is still there, and a filter leads on.
    servers.tmux("a", &["select-window", "-t", ":0"]);
    for key in ["/", ":", "b", "Enter"] {
        terminal.press(key);
    }
    terminal.wait_for("1 of 2");
    terminal.press("Enter");
    wait("window b", || terminal.shows() == "b");
    pane.press("q");
    wait("the end", || pane.says("#{pane_id}").is_empty());
}

#[test]
fn the_picker_in_a_popup_jumps_and_is_gone_also_to_another_server() {
    let servers = Servers::start(&["a", "b", "outer", "outer2"]);
    blocked(&servers, "a", "here");
    blocked(&servers, "b", "there");
    let terminal = Terminal::attach(&servers, "outer", "a");
    let popup = || {
        let mut command = servers.home.command("tmux");
        command.args(["-u", "-L", "a", "display-popup", "-c", &terminal.name]);
        command.args(["-w", "90%", "-h", "80%", "-E", "tally pick"]);
        let quiet = || Stdio::null();
        let popup = command.stdin(quiet()).stdout(quiet()).stderr(quiet());
        popup.spawn()
    };
    let Ok(mut first) = popup() else {
        panic!("tmux is there")
    };
    terminal.wait_for("2 blocked");
    terminal.press("Enter");
    wait("the pane on this server", || terminal.shows() == "here");
    let ended = first.wait().ok().and_then(|status| status.code());
    assert_eq!(ended, Some(0), "the popup ends with the picker");

    // Nobody is attached to the other server: the popup stays and says how it can be seen.
    let Ok(mut second) = popup() else {
        panic!("tmux is there")
    };
    terminal.wait_for("2 blocked");
    terminal.press("Down");
    terminal.press("Enter");
    terminal.wait_for("attach-session");
    // Somebody comes: then it is their terminal that shows it.
    let other = Terminal::attach(&servers, "outer2", "b");
    servers.tmux("b", &["select-window", "-t", ":0"]);
    terminal.press("Enter");
    wait("the pane on the other server", || other.shows() == "there");
    assert!(second.wait().is_ok());
    assert_eq!(terminal.shows(), "here");
}

#[test]
fn the_terminal_is_given_back_however_it_ends() {
    let servers = Servers::start(&["a"]);
    blocked(&servers, "a", "b");
    let pane = Pane { servers: &servers };
    let modes = pane.modes();
    assert!(modes.contains("icanon"), "{modes}");
    let ends: [(&str, &dyn Fn(Pid)); 4] = [
        ("q", &|_| pane.press("q")),
        ("ctrl-c", &|_| pane.press("C-c")),
        ("panic", &|_| pane.press("F12")),
        ("kill", &|pid| {
            assert!(kill_process(pid, Signal::TERM).is_ok());
        }),
    ];
    for (how, end) in ends {
        let file = servers.home.path("pid");
        drop(std::fs::remove_file(&file));
        pane.start("sh -c 'echo $$ >$HOME/pid; exec tally dash'");
        wait(how, || pane.says("#{alternate_on}") == "1");
        pane.wait_for("1 blocked");
        let pid = std::fs::read_to_string(&file).unwrap_or_default();
        let Some(pid) = pid.trim().parse().ok().and_then(Pid::from_raw) else {
            panic!("the dashboard has a process")
        };
        end(pid);
        wait(how, || rustix::process::test_kill_process(pid).is_err());
        wait(how, || pane.is_given_back());
        assert_eq!(pane.modes(), modes, "{how}");
    }
}

#[test]
fn ctrl_z_gives_the_terminal_back_and_fg_takes_it_again() {
    let servers = Servers::start(&["a"]);
    blocked(&servers, "a", "b");
    let pane = Pane { servers: &servers };
    pane.start("exec env PS1='ready ' bash --norc -i");
    pane.wait_for("ready");
    let modes = pane.modes();
    pane.start("tally dash");
    pane.wait_for("1 blocked");
    pane.press("C-z");
    pane.wait_for("Stopped");
    assert!(pane.is_given_back());
    assert_eq!(pane.modes(), modes);
    pane.start("fg");
    wait("the dashboard", || pane.says("#{alternate_on}") == "1");
    pane.wait_for("1 blocked");
    pane.press("q");
    let at_prompt = || pane.screen().trim_end().ends_with("\nready");
    wait("the shell", || pane.is_given_back() && at_prompt());
    assert_eq!(pane.modes(), modes);
}

#[test]
fn it_ends_with_its_pane() {
    let servers = Servers::start(&["a"]);
    blocked(&servers, "a", "b");
    let pane = Pane { servers: &servers };
    pane.start("exec tally dash");
    pane.wait_for("1 blocked");
    let pid = pane
        .says("#{pane_pid}")
        .parse()
        .ok()
        .and_then(Pid::from_raw);
    let Some(pid) = pid else {
        panic!("the dashboard has a process")
    };
    servers.tmux("a", &["kill-pane", "-t", "%0"]);
    wait("its end", || {
        rustix::process::test_kill_process(pid).is_err()
    });
}

#[test]
fn without_a_terminal_it_says_what_to_use() {
    let home = common::Home::new();
    let ended = home.run(&["dash"]);
    assert_eq!(ended.status, Some(1));
    assert!(ended.stderr.contains("tally list --json"), "{ended:?}");
}

#[test]
fn a_key_opens_the_picker_where_it_is_pressed_and_the_file_comes_back_to_the_byte() {
    let servers = Servers::start(&["a", "outer"]);
    let home = &servers.home;
    blocked(&servers, "a", "here");
    let text = "set -g status-left 'x'";
    let conf = home.write(".tmux.conf", text);
    let read = || std::fs::read_to_string(&conf).unwrap_or_default();
    let installed = home.run(&["tmux", "install", "--keys"]);
    assert_eq!(installed.status, Some(0), "{installed:?}");
    assert!(read().contains("bind-key a run-shell -C"), "{}", read());
    let terminal = Terminal::attach(&servers, "outer", "a");
    let path = conf.to_str().unwrap_or_default().to_owned();
    let sourced = servers.tmux("a", &["source-file", &path]);
    assert_eq!(sourced.status, Some(0), "{sourced:?}");
    terminal.press("C-b");
    terminal.press("a");
    terminal.wait_for("waits for you");
    terminal.press("Enter");
    wait("the pane", || terminal.shows() == "here");
    assert_eq!(home.run(&["tmux", "uninstall"]).status, Some(0));
    assert_eq!(read(), text);
    // A key that is taken, and one that is none.
    home.write(".tmux.conf", "bind a display-panes\n");
    let refused = home.run(&["tmux", "install", "--keys"]);
    assert_eq!(refused.status, Some(1));
    assert!(refused.stderr.contains("--keys=KEY"), "{refused:?}");
    assert_eq!(home.run(&["tmux", "install", "--keys=;"]).status, Some(2));
    assert_eq!(read(), "bind a display-panes\n");
}
