//! `tally next` on real tmux servers, with a terminal that shows what it does.

mod common;

use common::Outcome;
use common::servers::{Servers, Terminal, blocked, pid, socket, wait};
use rustix::process::{Pid, Signal, kill_process};

/// What a terminal shows after each of some presses, one right after the other.
fn presses(terminal: &Terminal<'_>, count: usize, press: impl Fn() -> Outcome) -> Vec<String> {
    let pressed = |_| {
        let ended = press();
        assert_eq!(ended.status, Some(0), "{ended:?}");
        terminal.shows()
    };
    (0..count).map(pressed).collect()
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
    assert_eq!(presses(&terminal, 6, bound), all);
    // From outside of tmux, with the terminal's name and without.
    let named = || home.run(&["next", "--client", &terminal.name]);
    assert_eq!(presses(&terminal, 6, named), all);
    assert_eq!(presses(&terminal, 6, || home.run(&["next"])), all);
    // What is only told is where a press would go.
    let told = home.run(&["next", "--print"]).stdout;
    assert!(told.contains("%1"), "{told}");
    // While a daemon runs as well.
    assert_eq!(home.run(&["up"]).status, Some(0));
    assert_eq!(presses(&terminal, 6, bound), all);
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

#[test]
fn a_terminal_that_is_itself_a_pane_of_another_server_is_shown_with_what_it_shows() {
    let servers = Servers::start(&["inner", "outer"]);
    let waiting = blocked(&servers, "inner", "waiting");
    let home = &servers.home;
    let terminal = Terminal::attach(&servers, "outer", "inner");
    let outer_shows = || {
        let shown = servers.tmux("outer", &["list-clients", "-F", "#{pane_id}"]);
        shown.stdout.trim().to_owned()
    };
    // The person works in another window of the outer server.
    let away = || servers.tmux("outer", &["new-window", "-t", "0:", "sh"]);
    for command in [&["next"][..], &["focus", &waiting]] {
        assert_eq!(away().status, Some(0));
        assert_ne!(outer_shows(), "%0");
        let gone = home.run(command);
        assert_eq!(gone.status, Some(0), "{gone:?}");
        assert_eq!(
            (terminal.shows().as_str(), outer_shows().as_str()),
            ("waiting", "%0"),
            "{command:?}"
        );
    }
    // A second one waits: the next press goes there, since the first is really seen.
    blocked(&servers, "inner", "second");
    assert_eq!(home.run(&["next"]).status, Some(0));
    assert_eq!(terminal.shows(), "second");
    // And back, however far away the person is: of the two the one that is not shown comes first.
    assert_eq!(away().status, Some(0));
    assert_eq!(home.run(&["next"]).status, Some(0));
    assert_eq!(outer_shows(), "%0");
}

#[test]
fn nobody_sees_what_a_terminal_shows_in_a_server_that_nobody_is_attached_to() {
    let servers = Servers::start(&["inner", "outer"]);
    blocked(&servers, "inner", "waiting");
    let terminal = Terminal::attach(&servers, "outer", "inner");
    servers.tmux("outer", &["detach-client", "-a"]);
    servers.tmux("outer", &["detach-client", "-s", "0"]);
    wait("nobody", || {
        servers.tmux("outer", &["list-clients"]).stdout.is_empty()
    });
    let gone = servers.home.run(&["next"]);
    assert_eq!(gone.status, Some(1), "{gone:?}");
    assert!(gone.stderr.contains("No terminal is attached"), "{gone:?}");
    assert!(gone.stdout.contains("outer"), "{gone:?}");
    assert_eq!(terminal.shows(), "waiting");
}
