//! `tally next` on real tmux servers, with a terminal that shows what it does.

mod common;

use common::Outcome;
use common::servers::{Servers, Terminal, blocked, pid, socket};
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
