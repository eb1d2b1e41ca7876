//! What a zellij session goes through: a plugin that is loaded anew, a server that dies and comes back, a permission
//! that nobody has given yet.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use tally_tests::wait::{wait_until, watch_for};
use tally_tests::world::kill;
use tally_tests::zellij::ZellijDesk;
use tally_tests::{LIMIT, Lamp};

/// Longer than a plugin takes to be loaded.
const A_WHILE: Duration = Duration::from_secs(2);

fn signal(state: &str) -> String {
    format!("--state {state} --agent claude")
}

#[test]
fn case_i5_a_plugin_that_is_loaded_anew_claims_nothing_and_shows_the_same_lamps() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    terminal.signal(&signal("blocked"));
    terminal.expect(&[Lamp::Blocked]);

    // With nobody to ask it knows nothing, and says so.
    desk.world().expect_tally(&["down"]);
    desk.reload_plugin();
    terminal
        .screen()
        .wait_for("a bar that knows nothing", |screen| {
            screen
                .lines()
                .next()
                .is_some_and(|bar| bar.contains("unknown"))
        });
    terminal.expect(&[Lamp::None]);
    desk.world().expect_tally(&["up"]);
    terminal.expect(&[Lamp::Blocked]);

    // With the daemon there it is never taken for idle in between.
    desk.reload_plugin();
    let is_idle = |lamps: &Vec<Lamp>| lamps.contains(&Lamp::Idle);
    assert_eq!(watch_for(A_WHILE, || terminal.lamps(), is_idle), None);
    terminal.expect(&[Lamp::Blocked]);
    terminal.signal(&signal("done"));
    terminal.expect(&[Lamp::Done]);
    assert!(desk.pipes().len() <= 2, "{:?}", desk.pipes());
}

#[test]
fn a_session_that_is_resurrected_shows_no_lamp_of_its_former_life() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    desk.action(&["new-tab"]);
    terminal.expect(&[Lamp::None, Lamp::None]);
    terminal
        .screen()
        .wait_for("the shell", |screen| screen.contains("ready$"));
    terminal.signal(&signal("blocked"));
    terminal.expect(&[Lamp::None, Lamp::Blocked]);
    desk.wait_for_record(2);
    desk.crash();
    wait_until(
        "an empty list and no pipe",
        LIMIT,
        || (desk.listed().is_empty() && desk.pipes().is_empty()).then_some(()),
        || format!("{:?} {:?}", desk.listed(), desk.pipes()),
    );

    let again = desk.terminal("again", &format!("zellij attach {}", desk.session()));
    again.wait_for_bar(desk.session());
    again.expect(&[Lamp::None, Lamp::None]);
    assert_eq!(desk.listed(), []);
    // Its panes are numbered anew, and a signal from one finds its tab.
    desk.action(&["go-to-tab", "2"]);
    again
        .screen()
        .wait_for("the shell", |screen| screen.contains("ready$"));
    again.signal(&signal("working"));
    again.expect(&[Lamp::None, Lamp::Working]);
}

#[test]
fn case_h4_a_daemon_that_is_killed_leaves_no_pipe_and_no_picture() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    desk.world().expect_tally(&["up"]);
    terminal.signal(&signal("blocked"));
    terminal.expect(&[Lamp::Blocked]);
    assert!(!desk.pipes().is_empty());
    let daemon = desk.world().tally_json(&["daemon", "status", "--json"]);
    let pid = daemon["pid"].as_u64().expect("a daemon");
    kill(u32::try_from(pid).expect("a process id"));
    wait_until(
        "no pipe",
        LIMIT,
        || desk.pipes().is_empty().then_some(()),
        || format!("{:?}", desk.pipes()),
    );
    // It died young, so nothing takes its place, and the bar does not go on to show the past.
    terminal.screen().wait_for("that nobody tells", |screen| {
        let bar = screen.lines().next();
        bar.is_some_and(|bar| bar.contains("tally is away") && bar.contains("tally up"))
    });
    // A bar that comes now has no past to show.
    desk.reload_plugin();
    terminal
        .screen()
        .wait_for("a bar that knows nothing", |screen| {
            let bar = screen.lines().next().unwrap_or_default();
            bar.contains("unknown")
        });
    terminal.expect(&[Lamp::None]);
    desk.world().expect_tally(&["up"]);
    terminal.signal(&signal("working"));
    terminal.expect(&[Lamp::Working]);
}

#[test]
fn case_i1_a_plugin_without_a_grant_explains_itself_until_it_is_answered() {
    let desk = ZellijDesk::without_grant();
    let doctor = desk.world().tally(&["doctor"]).stdout;
    assert!(doctor.contains("ReadCliPipes"), "{doctor}");

    let terminal = desk.begin_in("first");
    terminal.screen().wait_for("the question", |screen| {
        screen
            .lines()
            .next()
            .is_some_and(|bar| bar.contains("(y/n)"))
    });
    // A signal counts meanwhile, and nothing hangs.
    terminal
        .screen()
        .wait_for("the shell", |screen| screen.contains("ready$"));
    terminal.signal(&signal("working"));
    wait_until(
        "the state in the list",
        LIMIT,
        || (desk.listed() == [("%0".to_owned(), "working".to_owned())]).then_some(()),
        || format!("{:?}\n{}", desk.listed(), terminal.screen().capture()),
    );

    // The bar can be reached with the keyboard.
    desk.action(&["move-focus", "up"]);
    terminal.screen().press(["y"]);
    terminal.expect(&[Lamp::Working]);
    let doctor = desk.world().tally(&["doctor"]).stdout;
    assert!(!doctor.contains("ReadCliPipes"), "{doctor}");
    // Once it has been answered the bar is in nobody's way.
    desk.action(&["move-focus", "up"]);
    terminal.signal(&signal("blocked"));
    terminal.expect(&[Lamp::Blocked]);
}

#[test]
fn case_i1_a_plugin_that_is_denied_says_so_and_shows_no_lamp() {
    let desk = ZellijDesk::without_grant();
    let terminal = desk.begin_in("first");
    terminal.screen().wait_for("the question", |screen| {
        screen
            .lines()
            .next()
            .is_some_and(|bar| bar.contains("(y/n)"))
    });
    desk.action(&["move-focus", "up"]);
    terminal.screen().press(["n"]);
    terminal.screen().wait_for("the reason", |screen| {
        screen
            .lines()
            .next()
            .is_some_and(|bar| bar.contains("permission denied"))
    });
    // What is typed next is for the terminal.
    terminal.submit("echo typed-$((1+1))");
    terminal
        .screen()
        .wait_for("what was typed", |screen| screen.contains("typed-2"));
}

#[test]
fn a_signal_starts_no_zellij_process() {
    let desk = ZellijDesk::new();
    let terminal = desk.start();
    let world = desk.world();
    let calls = world.log("zellij-calls");
    let script = format!("#!/bin/sh\necho \"$@\" >> {}\n", calls.display());
    world.write("fake/zellij", &script);
    let fake = world.root().join("fake");
    fs::set_permissions(fake.join("zellij"), fs::Permissions::from_mode(0o755)).unwrap();
    let called = || fs::read_to_string(&calls).unwrap_or_default();

    terminal.submit(&format!(
        "export PATH={}:$PATH; zellij is-the-fake",
        fake.display()
    ));
    wait_until(
        "the fake",
        LIMIT,
        || (called() == "is-the-fake\n").then_some(()),
        || terminal.screen().capture(),
    );
    for (state, lamp) in [
        ("working", Lamp::Working),
        ("blocked", Lamp::Blocked),
        ("done", Lamp::Done),
    ] {
        terminal.signal(&signal(state));
        terminal.expect(&[lamp]);
    }
    // What the agent's hook runs, with its payload on standard input.
    terminal.submit(
        r#"echo '{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"p"}' | tally signal --from claude; echo sent $?"#,
    );
    terminal
        .screen()
        .wait_for("its end", |screen| screen.contains("sent 0"));
    assert_eq!(called(), "is-the-fake\n");
}
