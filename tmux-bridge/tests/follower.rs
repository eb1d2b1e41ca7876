//! What a follower leaves behind when the daemon is killed, on real tmux (facts §4.1).

#![allow(
    clippy::unwrap_used,
    reason = "this is test code, outside the functions that are known to be tests"
)]

mod support;

use std::ffi::OsString;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use session_host::env::Env;
use support::service::Service;
use support::{Client, Server, World, channel, is_alive, processes_with, wait_for};

/// A bridge in a process of its own, which is this test program again.
struct Bridge(Child);

impl Bridge {
    fn start(world: &World, how: &str) -> Self {
        let child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "the_bridge_in_a_process_of_its_own",
                "--ignored",
                "--nocapture",
                "--",
                how,
            ])
            .env_clear()
            .envs(world.env().iter())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Self(child)
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What stands behind the `--` of this program's command line.
fn arguments() -> Vec<OsString> {
    std::env::args_os()
        .skip_while(|argument| argument != "--")
        .skip(1)
        .collect()
}

#[test]
#[ignore = "the other tests run it"]
fn the_bridge_in_a_process_of_its_own() {
    let _service = Service::start_with(Env::of_process(), arguments() == ["follow"], guard());
    loop {
        std::thread::park();
    }
}

/// The command of the guard: this test program once more. What the harness prints goes before the client's stream,
/// and is passed over like everything else that is no notification.
fn guard() -> Vec<OsString> {
    let program = std::env::current_exe().unwrap().into_os_string();
    let arguments = [
        "--exact",
        "the_guard_in_a_process_of_its_own",
        "--ignored",
        "--nocapture",
        "--",
    ];
    std::iter::once(program)
        .chain(arguments.map(OsString::from))
        .collect()
}

#[test]
#[ignore = "the other tests run it"]
fn the_guard_in_a_process_of_its_own() {
    std::process::exit(tmux_bridge::hold::run(&arguments()).into());
}

fn followers(server: &Server) -> Vec<u32> {
    processes_with("wait-for", &channel(server.pid()))
}

fn some_events(server: &Server) {
    for name in ["a", "b", "c"] {
        let pane = server.new_window(name);
        server.run(&["rename-window", "-t", &pane, "renamed"]);
        server.run(&["kill-pane", "-t", &pane]);
    }
    server.new_session("more");
    server.run(&["kill-session", "-t", "=more"]);
}

/// The bridge is killed, the server lives on for some time, and then is told to end: nothing of ours may keep it.
fn killed(how: &str) {
    let world = World::new();
    let server = world.server("default");
    let mut bridge = Bridge::start(&world, how);
    wait_for("the follower", || !followers(&server).is_empty());
    bridge.kill();
    some_events(&server);
    std::thread::sleep(Duration::from_millis(200));
    let pid = server.pid();
    let left = followers(&server);
    let begun = Instant::now();
    server.run(&["kill-server"]);
    wait_for("the server to end", || !is_alive(pid));
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    wait_for("the followers to end", || {
        left.iter().all(|pid| !is_alive(*pid))
    });
}

#[test]
fn case_h4_a_killed_bridge_does_not_keep_the_server_from_ending() {
    killed("follow");
}

#[test]
fn case_h4_a_killed_bridge_without_hooks_does_not_keep_the_server_from_ending() {
    killed("listen");
}

#[test]
fn case_h4_a_killed_bridge_without_hooks_leaves_no_client_for_long() {
    let world = World::new();
    let server = world.server("default");
    let mut bridge = Bridge::start(&world, "listen");
    wait_for("the follower", || !followers(&server).is_empty());
    bridge.kill();
    let begun = Instant::now();
    wait_for("the follower to end", || followers(&server).is_empty());
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    assert!(server.alive());
}

#[test]
fn case_h4_the_next_bridge_ends_what_a_killed_one_left() {
    let world = World::new();
    let server = world.server("default");
    let mut bridge = Bridge::start(&world, "follow");
    wait_for("the follower", || followers(&server).len() == 1);
    // Until it has looked and waits.
    std::thread::sleep(Duration::from_millis(500));
    bridge.kill();
    let left = followers(&server);
    assert_eq!(left.len(), 1, "a plain follower stays until it is woken");
    let service = Service::start(world.env());
    wait_for("the old follower to end", || !is_alive(left[0]));
    wait_for("the new follower", || followers(&server).len() == 1);
    service.stop();
    assert_eq!(followers(&server), [] as [u32; 0]);
}

/// Case H3: a control client that attaches makes windows as small as itself, or pins their size when it leaves.
fn sizes_stay(hooks: bool) {
    let world = World::new();
    let server = world.server("default");
    server.run(&[
        "new-session",
        "-d",
        "-s",
        "detached",
        "-x",
        "133",
        "-y",
        "44",
        "exec sleep 1000",
    ]);
    let sizes = || {
        let format = "#{session_name} #{window_width}x#{window_height}";
        server.run(&["list-windows", "-a", "-F", format])
    };
    let client = Client::attach(&world, &server, "one");
    // The status line takes a row.
    client.resize_to(200, 51);
    let wanted = "detached 133x44\none 200x50";
    wait_for("the size of the terminal", || sizes() == wanted);
    let options = || {
        let shown = [
            &["show-options", "-g"][..],
            &["show-options", "-gw"],
            &["show-options", "-t", "=one:"],
            &["show-options", "-t", "=detached:"],
            &["show-options", "-w", "-t", "=one:"],
            &["show-options", "-w", "-t", "=detached:"],
        ];
        shown.map(|args| {
            let all = server.run(args);
            let of_sizes = all.lines().filter(|line| line.contains("-size "));
            of_sizes.map(str::to_owned).collect::<Vec<_>>()
        })
    };
    // tmux itself tells of every change of a size, also of one that is taken back at once.
    server.run(&["set-option", "-g", "@resized", ""]);
    let hook = "set-option -ga @resized x";
    server.run(&["set-hook", "-gw", "window-resized", hook]);
    let resized = || server.global("@resized");
    let before = options();
    assert!(
        before[1].contains(&"window-size latest".to_owned()),
        "{before:?}"
    );

    let service = Service::start_with(world.env(), hooks, guard());
    service.wait_for_server(&server);
    wait_for("the follower", || !followers(&server).is_empty());
    let begun = Instant::now();
    let mut round = 0;
    while begun.elapsed() < Duration::from_secs(10) {
        // Each change makes the follower look; a fifth of them makes it begin anew.
        round += 1;
        server.run(&["rename-window", "-t", "@0", &format!("name{round}")]);
        if round % 5 == 0 {
            service.look.notify_one();
        }
        assert_eq!(sizes(), wanted);
        std::thread::sleep(Duration::from_millis(50));
    }
    service.stop();
    assert_eq!(followers(&server), [] as [u32; 0]);
    for _ in 0..20 {
        assert_eq!(sizes(), wanted);
        std::thread::sleep(Duration::from_millis(25));
    }
    assert_eq!(resized(), "", "no window was resized in between");
    assert_eq!(options(), before);
    // That the hook would have told.
    client.resize_to(180, 51);
    wait_for("the person's own change", || resized().contains('x'));
}

#[test]
fn case_h3_windows_keep_their_sizes_while_a_server_is_followed_by_hooks() {
    sizes_stay(true);
}

#[test]
fn case_h3_windows_keep_their_sizes_while_a_server_is_followed_in_control_mode() {
    sizes_stay(false);
}

#[test]
fn without_hooks_changes_are_seen_all_the_same_and_no_hook_is_set() {
    let world = World::new();
    let server = world.server("default");
    let service = Service::start_with(world.env(), false, guard());
    service.wait_for_server(&server);
    wait_for("the follower", || !followers(&server).is_empty());
    assert!(!server.hooks().contains("wait-for"));
    assert_eq!(server.run(&["list-clients"]), "");
    let pane = server.new_window("agent").parse().unwrap();
    service.wait_for_view(&server, "the pane", |view| view.pane(pane).is_some());
    let pid = server.pid();
    let begun = Instant::now();
    server.run(&["kill-server"]);
    wait_for("the server to end", || !is_alive(pid));
    wait_for("the end to be noticed", || service.is_gone(pid));
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn a_follower_at_rest_does_not_wake_itself() {
    let world = World::new();
    let server = world.server("default");
    for hooks in [true, false] {
        let service = Service::start_with(world.env(), hooks, guard());
        service.wait_for_server(&server);
        // Until the first slow poll, which may see a command that has just been started.
        std::thread::sleep(Duration::from_secs(3));
        let (before, told) = (followers(&server), service.told());
        assert!(!before.is_empty());
        // Longer than a slow poll.
        std::thread::sleep(Duration::from_secs(3));
        assert_eq!(followers(&server), before, "the same follower waits");
        assert_eq!(service.told(), told, "nothing has changed");
        service.look.notify_one();
        wait_for("the answer to who asked", || service.told() > told);
        service.stop();
    }
}
