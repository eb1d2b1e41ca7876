//! `tally wait` on a real tmux server.

#![expect(
    clippy::expect_used,
    reason = "a test stops at the first thing that is not as it must be"
)]

mod common;

use std::process::{Child, Stdio};

use common::servers::{Servers, blocked};

fn waits(servers: &Servers, args: &[&str]) -> Child {
    let mut command = servers.home.command("tally");
    command.arg("wait").args(args).stderr(Stdio::null());
    command.spawn().expect("tally runs")
}

fn status(mut child: Child) -> Option<i32> {
    child.wait().expect("it ends").code()
}

#[test]
fn a_wait_ends_with_the_state_or_the_session_or_the_time() {
    let servers = Servers::start(&["a"]);
    blocked(&servers, "a", "one");
    blocked(&servers, "a", "two");
    let at_once = servers
        .home
        .run(&["wait", "%1", "%2", "--until", "blocked"]);
    assert_eq!(at_once.status, Some(0), "{at_once:?}");
    let late = servers
        .home
        .run(&["wait", "%1", "--until", "done", "--timeout", "200ms"]);
    assert_eq!(late.status, Some(124), "{late:?}");
    for (until, timeout) in [("finished", "1s"), ("done", "soon")] {
        let wrong = servers
            .home
            .run(&["wait", "%1", "--until", until, "--timeout", timeout]);
        assert_eq!(wrong.status, Some(2), "{wrong:?}");
    }
    for daemon in [false, true] {
        if daemon {
            assert_eq!(servers.home.run(&["up"]).status, Some(0));
        }
        let any = waits(&servers, &["%1", "%2", "--until", "done,error", "--any"]);
        let all = waits(&servers, &["%1", "%2", "--until", "done,error", "--all"]);
        servers.type_in("a", "%1", "tally signal --state done");
        assert_eq!(status(any), Some(0));
        servers.type_in("a", "%2", "tally signal --state error");
        assert_eq!(status(all), Some(0));
        for pane in ["%1", "%2"] {
            servers.type_in("a", pane, "tally signal --state working");
        }
    }
    assert_eq!(servers.home.run(&["down"]).status, Some(0));
    let gone = waits(&servers, &["%1", "--until", "gone"]);
    let lost = waits(&servers, &["%1", "%2", "--until", "done"]);
    servers.tmux("a", &["kill-pane", "-t", "%1"]);
    assert_eq!(status(gone), Some(0));
    assert_eq!(status(lost), Some(1));
}
