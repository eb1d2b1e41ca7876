//! Jumps on real tmux, and the line in `tmux.conf`, the plugin and the snippets read by it.

mod support;

use session_core::ClientId;
use support::{Client, World, wait_for};
use tmux_bridge::{Asked, Jump, JumpError, jump};

#[test]
fn a_jump_shows_the_pane_to_the_person_who_asked() {
    let world = World::new();
    let server = world.server("default");
    let pane = server.new_window("agent");
    let other = server.run(&[
        "split-window",
        "-P",
        "-F",
        "#{pane_id}",
        "-t",
        &pane,
        "exec sleep 1000",
    ]);
    let client = Client::attach(&world, &server, "one");
    let client_pid = server.run(&["list-clients", "-F", "#{client_pid}"]);
    let client_pid: u32 = client_pid.trim().parse().unwrap();
    let asked = Asked {
        client: None,
        from: Some((server.socket.clone(), Some("%0".parse().unwrap()))),
    };
    let jumped = jump(&server.tmux(), pane.parse().unwrap(), &asked).unwrap();
    assert_eq!(
        jumped,
        Jump::Switched {
            client: ClientId(client.name.clone()),
            client_pid,
            elsewhere: false
        }
    );
    assert_eq!(client.pane_shown(), pane);
    let jumped = jump(&server.tmux(), other.parse().unwrap(), &Asked::default()).unwrap();
    assert_eq!(
        jumped,
        Jump::Switched {
            client: ClientId(client.name.clone()),
            client_pid,
            elsewhere: true
        }
    );
    assert_eq!(client.pane_shown(), other);
    let named = |name: &str| Asked {
        client: Some(ClientId(name.to_owned())),
        from: None,
    };
    jump(&server.tmux(), "%0".parse().unwrap(), &named(&client.name)).unwrap();
    assert_eq!(client.pane_shown(), "%0");
    let refused = jump(&server.tmux(), "%0".parse().unwrap(), &named("/dev/nobody"));
    assert!(matches!(refused, Err(JumpError::NoClient(_))));
    let refused = jump(&server.tmux(), "%99".parse().unwrap(), &Asked::default());
    assert!(matches!(refused, Err(JumpError::NoPane(_))));
}

#[test]
fn a_jump_goes_to_another_session_and_prefers_the_one_that_is_shown() {
    let world = World::new();
    let server = world.server("default");
    server.run(&[
        "new-session",
        "-d",
        "-s",
        "two",
        "-n",
        "linked",
        "exec sleep 1000",
    ]);
    let linked = server.format("=two:linked", "#{pane_id}");
    let client = Client::attach(&world, &server, "one");
    jump(&server.tmux(), linked.parse().unwrap(), &Asked::default()).unwrap();
    assert_eq!(client.pane_shown(), linked);
    assert_eq!(
        server.run(&["list-clients", "-F", "#{session_name}"]),
        "two"
    );
    server.run(&["switch-client", "-c", &client.name, "-t", "=one"]);
    server.run(&["link-window", "-d", "-s", "=two:linked", "-t", "=one:"]);
    jump(&server.tmux(), linked.parse().unwrap(), &Asked::default()).unwrap();
    assert_eq!(client.pane_shown(), linked);
    assert_eq!(
        server.run(&["list-clients", "-F", "#{session_name}"]),
        "one"
    );
}

#[test]
fn a_jump_keeps_the_zoom() {
    let world = World::new();
    let server = world.server("default");
    let other = server.run(&[
        "split-window",
        "-d",
        "-P",
        "-F",
        "#{pane_id}",
        "-t",
        "%0",
        "exec sleep 1000",
    ]);
    let client = Client::attach(&world, &server, "one");
    server.run(&["resize-pane", "-Z", "-t", "%0"]);
    jump(&server.tmux(), other.parse().unwrap(), &Asked::default()).unwrap();
    assert_eq!(client.pane_shown(), other);
    assert_eq!(server.format(&other, "#{window_zoomed_flag}"), "1");
}

#[test]
fn without_a_terminal_a_jump_tells_the_command_that_shows_the_pane() {
    let world = World::new();
    let server = world.server("default");
    let pane = server.new_window("agent");
    let Jump::Chosen {
        attach: command, ..
    } = jump(&server.tmux(), pane.parse().unwrap(), &Asked::default()).unwrap()
    else {
        panic!("nobody is attached");
    };
    let outer = world.outer();
    outer.run(&[
        "respawn-pane",
        "-k",
        "-t",
        "%0",
        &format!("unset TMUX TMUX_PANE; exec {command}"),
    ]);
    wait_for("the pane to be shown", || {
        server.run(&["list-clients", "-F", "#{pane_id}"]) == pane
    });
}
