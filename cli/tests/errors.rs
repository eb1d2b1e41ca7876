//! What a person reads when something cannot be done: what it was about, why, once each, and what helps.

mod common;

use std::fs;

use common::servers::Servers;
use common::{FLAVOUR, Home, outcome};
use rstest::rstest;

const LIST: &str = "`tally list` shows what there is.";
const NAME: &str = "Name one: `tally list` shows them.";
const TMUX: (&str, &str) = ("TMUX", "/nonexistent/socket,1,0");

#[rstest]
#[case::no_pane(&["explain", "%5"], &[], "there is no session in the pane %5", LIST)]
#[case::no_server(&["focus", "tmux:a:%5"], &[], "there is no session in the pane tmux:a:%5; no tmux server a can be seen", LIST)]
#[case::half_a_pane(&["ack", "tmux:a"], &[], "\"tmux:a\" is not a pane: give tmux:SERVER:%5 or zellij:SESSION:3; no tmux server a can be seen", LIST)]
#[case::no_zellij(&["explain", "zellij:work:3"], &[], "there is no session in the pane zellij:work:3; no zellij session work can be seen", LIST)]
#[case::no_name(&["clear", "me"], &[], "no session is called \"me\"", LIST)]
#[case::outside(&["explain"], &[], "this is outside of tmux and zellij, so that no session can be meant", NAME)]
#[case::in_a_popup(&["ack"], &[TMUX], "this is in no pane, as in a popup or a key binding", NAME)]
#[case::in_a_pane(&["clear"], &[TMUX, ("TMUX_PANE", "%7")], "there is no session in this pane, %7", NAME)]
#[case::no_tmux_here(&["tmux", "load"], &[], "this is not inside tmux", "Name a server by its socket: --socket PATH.")]
#[case::server_gone(&["tmux", "unload"], &[TMUX], "the tmux server on /nonexistent/socket is not reachable: No such file or directory", "")]
#[case::no_folder(&["tmux", "install", "--file", "/nonexistent/tmux.conf"], &[], "cannot write /nonexistent/tmux.conf: the folder /nonexistent is not there", "")]
#[case::no_pages(&["man", "/dev/null/x"], &[], "cannot write into /dev/null/x: Not a directory (os error 20)", "")]
fn what_cannot_be_done_is_told_with_its_object_and_what_helps(
    #[case] args: &[&str],
    #[case] vars: &[(&str, &str)],
    #[case] why: &str,
    #[case] hint: &str,
) {
    let outcome = Home::new().run_with(args, b"", vars);
    assert_eq!(outcome.status, Some(1), "{outcome:?}");
    let mut expected = format!("tally: {why}\n");
    if !hint.is_empty() {
        expected.push_str(&format!("{hint}\n"));
    }
    assert_eq!((outcome.stdout.as_str(), outcome.stderr), ("", expected));
}

#[test]
fn a_server_that_is_gone_or_was_never_there_is_told_from_one_without_the_session() {
    let servers = Servers::start(&["a", "b"]);
    let explain = |reference: &str| servers.home.run(&["explain", reference]).stderr;
    let no_session =
        |reference: &str| format!("tally: there is no session in the pane {reference}");
    assert!(explain("tmux:a:%0").starts_with(&(no_session("tmux:a:%0") + "\n")));
    assert!(
        explain("tmux:nope:%0")
            .starts_with(&(no_session("tmux:nope:%0") + "; no tmux server nope can be seen\n"))
    );
    servers.tmux("b", &["kill-server"]);
    let socket = servers
        .home
        .path(&format!("tmux-{}/b", rustix::process::getuid().as_raw()));
    drop(fs::remove_file(&socket));
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    assert!(
        explain("tmux:b:%0").contains("; the tmux server b is gone, and only its socket is left\n"),
        "{}",
        explain("tmux:b:%0")
    );
}

#[test]
fn a_store_that_cannot_be_used_is_named_and_so_is_what_helps() {
    let home = Home::new();
    let store = home.path(&format!(".local/state/{FLAVOUR}/sessions.db"));
    let path = store.to_str().unwrap();
    fs::create_dir_all(&store).unwrap();
    for args in [
        &["list"][..],
        &["status"],
        &["explain", "x"],
        &["ack", "x"],
        &["next"],
    ] {
        let outcome = home.run(args);
        assert_eq!(outcome.status, Some(1), "{outcome:?}");
        assert!(
            outcome.stderr.matches(path).count() == 1 && outcome.stderr.contains("tally doctor"),
            "{outcome:?}"
        );
    }
    fs::remove_dir(&store).unwrap();
    home.write(
        &format!(".local/state/{FLAVOUR}/sessions.db"),
        &"no database".repeat(100),
    );
    let outcome = home.run(&["list"]);
    assert!(
        outcome.stderr.contains(path) && outcome.stderr.contains("sets it aside"),
        "{outcome:?}"
    );
}

/// An error whose text ends in that of its cause was told with the cause behind it once more.
#[test]
fn no_reason_is_told_twice() {
    let home = Home::new();
    home.write(&format!(".local/state/{FLAVOUR}"), "a file");
    for args in [&["daemon", "run"][..], &["up"], &["list"]] {
        let outcome = home.run(args);
        assert_eq!(outcome.status, Some(1), "{outcome:?}");
        let first = outcome.stderr.lines().next().unwrap();
        let reasons: Vec<&str> = first.split(": ").collect();
        let mut once = reasons.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), reasons.len(), "{first}");
        assert!(first.contains(FLAVOUR), "{first}");
    }
}

#[test]
fn what_only_prints_needs_no_home() {
    let home = Home::new();
    for args in [
        &["init", "bash"][..],
        &["completions", "zsh"],
        &["tmux", "snippet"],
    ] {
        let mut command = home.command(Home::tally());
        command.args(args).env_remove("HOME");
        let outcome = outcome(command, b"");
        assert_eq!(outcome.status, Some(0), "{args:?}: {outcome:?}");
        assert!(!outcome.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn a_full_standard_output_is_told_as_such() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        eprintln!("skipped: there is no /dev/full");
        return;
    };
    let home = Home::new();
    let mut command = home.command(Home::tally());
    let ended = command.args(["status"]).stdout(full).output().unwrap();
    assert_eq!(ended.status.code(), Some(1));
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(said.contains("cannot write to standard output"), "{said}");
}
