//! The lamps as a person sees them: rendered by real tmux, through an attached client.

mod support;

use session_core::State;
use session_core::view::{GlyphSet, glyph};
use support::picture::lit;
use support::service::Service;
use support::{Client, Server, World, option, wait_for};
use tmux_bridge::style::{LAMP, SUMMARY, Theme, load, reference, unload};

const FORMATS: [&str; 3] = [
    "window-status-format",
    "window-status-current-format",
    "status-right",
];

fn shown(server: &Server) -> Vec<String> {
    FORMATS
        .into_iter()
        .chain(["status-right-length"])
        .map(|name| server.global(name))
        .collect()
}

/// All options of the server that are set globally.
fn options(server: &Server) -> String {
    [
        &["show-options", "-g"][..],
        &["show-options", "-gw"],
        &["show-options", "-s"],
    ]
    .map(|command| server.run(command))
    .join("\n")
}

fn now() -> i64 {
    session_host::clock::Clock::now(&session_host::clock::SystemClock).secs()
}

#[test]
fn the_lamp_shows_the_window_although_another_pane_is_active() {
    let world = World::new();
    let server = world.server("default");
    server.run(&["rename-window", "-t", "@0", "first"]);
    let agent = server.new_window("second");
    server.run(&["split-window", "-t", &agent, "exec sleep 1000"]);
    server.new_window("third");
    let client = Client::attach(&world, &server, "one");
    load(&server.tmux(), &Theme::default()).unwrap();
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    let since = now() - 245;
    service.show(
        &[&server],
        &[lit(0, State::Working, since), lit(1, State::Blocked, since)],
    );
    let wanted = "0:first* ⟳ 1:second  ◉ 4m ";
    wait_for("the lamps", || client.status_line().contains(wanted));
    assert!(
        client.status_line().contains("◉ 1 blocked  ⟳ 1 working"),
        "{}",
        client.status_line()
    );
    assert!(
        client.screen_styled().contains("\u{1b}[31m\u{1b}[40m◉ 4m"),
        "the blocked lamp is red, on a dark ground: {:?}",
        client.screen_styled()
    );
    assert!(client.screen_styled().contains("\u{1b}[1m"), "and bold");
    service.show(
        &[&server],
        &[lit(0, State::Idle, since), lit(1, State::Done, since)],
    );
    wait_for("the lamps", || {
        client
            .status_line()
            .contains("0:first* ◦ 1:second  ✓ 2:third ")
    });
    service.show(
        &[&server],
        &[lit(0, State::Error, since), lit(1, State::Running, since)],
    );
    wait_for("the lamps", || {
        client
            .status_line()
            .contains("0:first* ✗ 1:second  ▹ 2:third ")
    });
    service.show(&[&server], &[]);
    wait_for("the lamps to go out", || {
        client.status_line().contains("0:first* 1:second  2:third ")
    });
    assert!(!client.status_line().contains("blocked"));
    service.stop();
    assert!(
        client.status_line().contains("0:first* 1:second  2:third "),
        "{}",
        client.status_line()
    );
}

#[test]
fn the_age_of_a_block_has_one_unit_and_counts_without_a_process() {
    let world = World::new();
    let server = world.server("default");
    load(&server.tmux(), &Theme::default()).unwrap();
    server.run(&["set-option", "-w", "-t", "@0", &option("window"), "blocked"]);
    let age = |secs: i64| {
        server.run(&[
            "set-option",
            "-w",
            "-t",
            "@0",
            &option("window_since"),
            &(now() - secs).to_string(),
        ]);
        // As the status line expands it, times included.
        server.format("@0", &reference(LAMP))
    };
    for (secs, wanted) in [
        (2, "2s"),
        (61, "1m"),
        (3599, "59m"),
        (3601, "1h"),
        (86_399, "23h"),
        (172_801, "2d"),
    ] {
        let lamp = age(secs);
        let late = wanted.replace("2s", "3s");
        assert!(
            lamp.contains(&format!(" {wanted}#[")) || lamp.contains(&format!(" {late}#[")),
            "{secs}: {lamp}"
        );
    }
}

#[test]
fn every_state_has_its_glyph_in_every_set() {
    let world = World::new();
    let server = world.server("default");
    for glyphs in [GlyphSet::Nerd, GlyphSet::Unicode, GlyphSet::Ascii] {
        let mut theme = Theme::default();
        theme.look.glyphs = glyphs;
        load(&server.tmux(), &theme).unwrap();
        for state in session_core::URGENCY {
            server.run(&[
                "set-option",
                "-w",
                "-t",
                "@0",
                &option("window"),
                state.word(),
            ]);
            let lamp = server.format("@0", &reference(LAMP));
            if state == State::None {
                assert_eq!(lamp, "");
            } else {
                assert!(
                    lamp.starts_with(" #[") && lamp.contains(glyph(glyphs, state)),
                    "{lamp}"
                );
            }
        }
    }
}

#[test]
fn the_lamp_can_stand_inside_a_condition() {
    let world = World::new();
    let server = world.server("default");
    load(&server.tmux(), &Theme::default()).unwrap();
    server.run(&["set-option", "-w", "-t", "@0", &option("window"), "done"]);
    let format = format!("#{{?#{{==:a,a}},<{}>,no}}", reference(LAMP));
    assert_eq!(
        server.format("@0", &format),
        "< #[bg=black]#[fg=green]✓#[default]>",
        "tmux's own status line is green"
    );
    server.run(&["set-option", "-g", "status-style", "bg=colour234"]);
    assert_eq!(server.format("@0", &format), "< #[fg=green]✓#[default]>");
}

#[test]
fn the_summary_shows_what_there_is_and_the_blocks_of_other_servers() {
    let world = World::new();
    let server = world.server("default");
    load(&server.tmux(), &Theme::default()).unwrap();
    let set = |name: &str, value: &str| {
        server.run(&["set-option", "-g", &option(name), value]);
    };
    let plain = || {
        let mut text = server.format("@0", &reference(SUMMARY));
        while let (Some(begin), Some(end)) = (text.find("#["), text.find(']')) {
            text.replace_range(begin..=end, "");
        }
        text
    };
    assert_eq!(plain(), "");
    for name in [
        "blocked",
        "error",
        "working",
        "done",
        "running",
        "idle",
        "machine_blocked",
    ] {
        set(name, "0");
    }
    assert_eq!(plain(), "");
    set("done", "3");
    assert_eq!(plain(), "✓ 3 done");
    set("blocked", "2");
    set("machine_blocked", "2");
    set("idle", "1");
    assert_eq!(plain(), "◉ 2 blocked  ✓ 3 done  ◦ 1 idle");
    set("machine_blocked", "7");
    assert_eq!(plain(), "◉ 2 blocked  ✓ 3 done  ◦ 1 idle  ◉ +5 elsewhere");
    for name in ["blocked", "done", "idle"] {
        set(name, "0");
    }
    assert_eq!(plain(), "◉ +7 elsewhere");
}

#[test]
fn a_narrow_terminal_has_the_counts_without_the_words() {
    let world = World::new();
    let server = world.server("default");
    load(&server.tmux(), &Theme::default()).unwrap();
    let session = server.format("@0", "#{session_name}");
    let client = Client::attach(&world, &server, &session);
    for name in ["blocked", "done"] {
        server.run(&["set-option", "-g", &option(name), "2"]);
    }
    client.resize(120);
    wait_for("the words", || {
        client.status_line().contains("◉ 2 blocked  ✓ 2 done")
    });
    client.resize(60);
    wait_for("the counts alone", || {
        client.status_line().contains("◉ 2  ✓ 2")
    });
    client.resize(59);
    wait_for("no blanks in them either", || {
        client.status_line().contains("◉2 ✓2")
    });
}

/// tmux cuts the right side of a status line at its left, and drops the window list before it does.
#[test]
fn every_count_is_seen_on_every_terminal_the_most_urgent_one_first() {
    let world = World::new();
    let server = world.server("default");
    server.run(&["rename-session", "-t", "=one", "ten-letter"]);
    load(&server.tmux(), &Theme::default()).unwrap();
    let client = Client::attach(&world, &server, "ten-letter");
    for (name, count) in [
        ("blocked", "2"),
        ("error", "1"),
        ("working", "3"),
        ("done", "4"),
        ("running", "1"),
        ("idle", "5"),
        ("machine_blocked", "3"),
    ] {
        server.run(&["set-option", "-g", &option(name), count]);
    }
    for (columns, wanted) in [
        (
            160,
            "◉ 2 blocked  ✗ 1 error  ⟳ 3 working  ✓ 4 done  ▹ 1 running  ◦ 5 idle  ◉ +1 elsewhere",
        ),
        (80, "◉ 2  ✗ 1  ⟳ 3  ✓ 4  ▹ 1  ◦ 5  ◉ +1"),
        (60, "◉ 2  ✗ 1  ⟳ 3  ✓ 4  ▹ 1  ◦ 5  ◉ +1"),
        (40, "◉2 ✗1 ⟳3 ✓4 ▹1 ◦5 ◉+1"),
    ] {
        client.resize(columns);
        wait_for(&format!("the counts on {columns} columns"), || {
            client.status_line().trim_end().ends_with(wanted)
        });
    }
}

/// As it was put in front of the rest by an earlier build.
#[test]
fn a_summary_in_front_of_the_rest_is_left_there_and_taken_out_with_its_blank() {
    let world = World::new();
    let server = world.server("default");
    let tmux = server.tmux();
    server.run(&["set-option", "-g", "status-right", "theme"]);
    load(&tmux, &Theme::default()).unwrap();
    let before = reference(SUMMARY) + " theme";
    server.run(&["set-option", "-g", "status-right", &before]);
    load(&tmux, &Theme::default()).unwrap();
    assert_eq!(server.global("status-right"), before);
    unload(&tmux).unwrap();
    assert_eq!(server.global("status-right"), "theme");
}

#[test]
fn the_border_shows_the_pane_and_not_its_window() {
    let world = World::new();
    let server = world.server("default");
    server.run(&["split-window", "-d", "-t", "%0", "exec sleep 1000"]);
    let client = Client::attach(&world, &server, "one");
    let service = Service::start(world.env());
    service.wait_for_view(&server, "both panes", |view| view.panes.len() == 2);
    service.show(&[&server], &[lit(0, State::Done, 5)]);
    wait_for("the state", || server.pane_option("%0", "pane") == "done");
    let border = format!("<#{{pane_id}}{}>", reference(&option("border")));
    server.run(&["set-option", "-g", "pane-border-status", "top"]);
    server.run(&["set-option", "-g", "pane-border-format", &border]);
    wait_for("the borders", || {
        let screen = client.screen();
        screen.contains("<%0 ✓ done>") && screen.contains("<%1>")
    });
}

#[test]
fn case_g2_what_was_loaded_is_unloaded_to_the_byte() {
    let world = World::new();
    let server = world.server("default");
    let before = options(&server);
    let changed = load(&server.tmux(), &Theme::default()).unwrap();
    assert_eq!(changed.len(), 7, "{changed:?}");
    assert!(
        server
            .global("status-right")
            .ends_with(&(" ".to_owned() + &reference(SUMMARY)))
    );
    assert_eq!(server.global("status-right-length"), "120");
    let loaded = options(&server);
    assert_eq!(
        load(&server.tmux(), &Theme::default()).unwrap(),
        Vec::<&str>::new()
    );
    assert_eq!(options(&server), loaded, "a second time changes nothing");
    unload(&server.tmux()).unwrap();
    assert_eq!(options(&server), before);
    assert_eq!(unload(&server.tmux()).unwrap(), Vec::<&str>::new());
    assert_eq!(options(&server), before);
}

#[test]
fn case_g2_odd_formats_come_back_to_the_byte() {
    let world = World::new();
    let server = world.server("default");
    for odd in [
        "",
        "-x",
        "a;",
        "a\\;",
        "a\\",
        "'\"$HOME ~ #{?a,b,c}#,",
        "  ",
        "%H:%M \u{e0b2}",
        "#[fg=red,bg=default]x",
    ] {
        for name in FORMATS {
            server.run(&[
                "set-option",
                "-g",
                "--",
                name,
                &odd.replace("a\\;", "a\\\\;").replace("a;", "a\\;"),
            ]);
        }
        let before = options(&server);
        let values = shown(&server);
        load(&server.tmux(), &Theme::default()).unwrap();
        assert_ne!(shown(&server), values);
        unload(&server.tmux()).unwrap();
        assert_eq!(shown(&server), values);
        assert_eq!(options(&server), before);
    }
}

#[test]
fn case_g2_a_theme_that_was_changed_meanwhile_stays_changed() {
    let world = World::new();
    let server = world.server("default");
    let tmux = server.tmux();
    load(&tmux, &Theme::default()).unwrap();
    // A theme that is read again replaces all; what is loaded again is added to what it made.
    server.run(&["set-option", "-g", "status-right", "theme"]);
    server.run(&["set-option", "-g", "status-right-length", "50"]);
    server.run(&["set-option", "-g", "window-status-format", "#I theme"]);
    load(&tmux, &Theme::default()).unwrap();
    assert_eq!(
        server.global("status-right"),
        "theme ".to_owned() + &reference(SUMMARY)
    );
    assert_eq!(
        server.global("window-status-format"),
        "#I theme".to_owned() + &reference(LAMP)
    );
    // The person adds something around it.
    let more = server.global("status-right");
    server.run(&["set-option", "-g", "status-right", &format!("[{more}]")]);
    unload(&tmux).unwrap();
    assert_eq!(server.global("status-right"), "[theme]");
    assert_eq!(server.global("status-right-length"), "50");
    assert_eq!(server.global("window-status-format"), "#I theme");
    // The person has set a length of their own since.
    load(&tmux, &Theme::default()).unwrap();
    server.run(&["set-option", "-g", "status-right-length", "33"]);
    unload(&tmux).unwrap();
    assert_eq!(server.global("status-right-length"), "33");
}

#[test]
fn case_g2_a_reference_of_the_persons_own_stays() {
    let world = World::new();
    let server = world.server("default");
    let own = format!("#I{}#W", reference(LAMP));
    server.run(&["set-option", "-g", "window-status-format", &own]);
    let changed = load(&server.tmux(), &Theme::default()).unwrap();
    assert!(!changed.contains(&"window-status-format"), "{changed:?}");
    unload(&server.tmux()).unwrap();
    assert_eq!(server.global("window-status-format"), own);
    assert_ne!(
        server.global(LAMP),
        "",
        "what the person shows is still there"
    );
}

#[test]
fn case_g1_no_option_of_ours_holds_a_command_and_hostile_names_run_none() {
    let world = World::new();
    let server = world.server("default");
    let client = Client::attach(&world, &server, "one");
    load(&server.tmux(), &Theme::default()).unwrap();
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    server.run(&["set-option", "-g", "automatic-rename", "off"]);
    server.attempt(&["rename-window", "-t", "@0", "##(touch marker)"]);
    server.run(&["select-pane", "-t", "%0", "-T", "##(touch marker)"]);
    service.show(&[&server], &[lit(0, State::Blocked, now())]);
    wait_for("the lamp", || client.status_line().contains('◉'));
    let border = format!(" {}", reference(&option("border")));
    server.run(&["set-option", "-g", "pane-border-status", "top"]);
    server.run(&["set-option", "-g", "pane-border-format", &border]);
    wait_for("the border", || client.screen().contains("◉ blocked"));
    assert!(!world.was_marked());
    for shown in [
        &["show-options", "-g"][..],
        &["show-options", "-w", "-t", "@0"],
        &["show-options", "-p", "-t", "%0"],
    ] {
        let options = server.run(shown);
        for line in options
            .lines()
            .filter(|line| line.contains(support::PREFIX))
        {
            assert!(!line.contains("#("), "{line}");
        }
    }
}

#[test]
fn a_value_that_somebody_else_puts_into_an_option_of_ours_is_not_run() {
    let world = World::new();
    let server = world.server("default");
    let client = Client::attach(&world, &server, "one");
    load(&server.tmux(), &Theme::default()).unwrap();
    let hostile = "#(touch marker)";
    for name in ["blocked", "done", "machine_blocked"] {
        server.run(&["set-option", "-g", &option(name), hostile]);
    }
    server.run(&["set-option", "-w", "-t", "@0", &option("window"), "blocked"]);
    server.run(&[
        "set-option",
        "-w",
        "-t",
        "@0",
        &option("window_since"),
        hostile,
    ]);
    wait_for("the lamp", || client.status_line().contains('◉'));
    assert!(!world.was_marked());
}
