//! What a person puts into `tmux.conf`, read by real tmux: our line, the plugin and the snippets.

#![allow(
    clippy::unwrap_used,
    reason = "this is test code, outside the functions that are known to be tests"
)]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use support::{Server, World, option, wait_for};
use tmux_bridge::conf;
use tmux_bridge::style::{Kind, LAMP, SUMMARY, reference, snippet};

/// A program that notes how it is called.
fn program(folder: &Path) -> PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    let program = folder.join("tally");
    write(
        &program,
        "#!/bin/sh\nprintf '%s|' \"$@\" >> \"$HOME/calls\"\nprintf '%s\\n' \"${TMUX:+in}\" >> \"$HOME/calls\"\n",
    );
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

fn write(file: &Path, text: &str) {
    std::io::Write::write_all(&mut std::fs::File::create(file).unwrap(), text.as_bytes()).unwrap();
}

fn calls(world: &World) -> String {
    std::fs::read_to_string(world.path().join("calls")).unwrap_or_default()
}

/// Starts a server with this configuration, as a person does.
fn start(world: &World, text: &str) -> Server {
    let conf = world.path().join("tmux.conf");
    write(&conf, text);
    let socket = world.named_socket("conf");
    let started = Command::new("tmux")
        .env_clear()
        .envs(world.env().iter())
        .current_dir(world.path())
        .arg("-uf")
        .arg(&conf)
        .arg("-S")
        .arg(&socket)
        .args([
            "new-session",
            "-d",
            "-s",
            "one",
            "-x",
            "100",
            "-y",
            "30",
            "exec sleep 1000",
        ])
        .output()
        .unwrap();
    assert!(
        started.status.success(),
        "{}",
        String::from_utf8_lossy(&started.stderr)
    );
    Server::running(socket, world.env())
}

#[test]
fn the_line_starts_tally_in_a_fresh_server_whatever_its_path_is() {
    for folder in ["bin", "it's $HOME \"q\" #{pid} #(touch marker) %H; ~ b\\c"] {
        let world = World::new();
        let program = program(&world.path().join(folder));
        let text = conf::install(Some("set -g status-right theme\n"), &program).unwrap();
        let server = start(&world, &text);
        wait_for("tally to be run", || calls(&world).lines().count() == 2);
        assert_eq!(calls(&world), "up|--quiet|in\ntmux|load|--quiet|in\n");
        assert!(!world.was_marked());
        assert_eq!(server.global("status-right"), "theme");
    }
}

#[test]
fn the_line_says_nothing_when_the_program_is_not_there() {
    let world = World::new();
    let text = conf::install(None, Path::new("/nonexistent/tally")).unwrap();
    let server = start(&world, &text);
    let client = support::Client::attach(&world, &server, "one");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(server.format("%0", "#{pane_in_mode}"), "0");
    assert!(!client.screen().contains("tally"), "{}", client.screen());
}

#[test]
fn case_g2_the_plain_snippet_shows_the_lamps_and_reading_it_again_adds_nothing() {
    let world = World::new();
    // Wherever it is, it is found: tmux need not have the person's PATH.
    let program = program(&world.path().join("it's $HOME \"q\" #{pid}"));
    let text = format!(
        "set -g status-right theme\n{}",
        snippet(Kind::Plain, &program).unwrap()
    );
    let server = start(&world, &text);
    wait_for("tally to be run", || calls(&world) == "up|--quiet|in\n");
    let shown = |server: &Server| {
        [
            "window-status-format",
            "window-status-current-format",
            "status-right",
        ]
        .map(|name| server.global(name))
    };
    let first = shown(&server);
    assert!(
        first[0].ends_with(&reference(LAMP)) && first[1].ends_with(&reference(LAMP)),
        "{first:?}"
    );
    assert_eq!(first[2], format!("theme {}", reference(SUMMARY)));
    server.run(&[
        "source-file",
        world.path().join("tmux.conf").to_str().unwrap(),
    ]);
    assert_eq!(shown(&server)[..2], first[..2]);
    assert_eq!(shown(&server)[2], first[2]);
}

#[test]
fn the_plugin_starts_tally_and_says_so_when_it_is_not_there() {
    let world = World::new();
    let server = world.server("default");
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin/tallylight.tmux");
    let path = std::env::var("PATH").unwrap();
    let run = |path: &str| {
        let status = Command::new(&plugin)
            .env_clear()
            .envs(world.env().iter())
            .env("PATH", path)
            .env(
                "TMUX",
                format!("{},{},0", server.socket.display(), server.pid()),
            )
            .status()
            .unwrap();
        assert!(status.success());
    };
    let client = support::Client::attach(&world, &server, "one");
    server.run(&["set-option", "-g", "display-time", "0"]);
    run(&path);
    wait_for("the message", || client.screen().contains("is not on PATH"));
    let folder = world.path().join("bin");
    program(&folder);
    run(&format!("{}:{path}", folder.display()));
    assert_eq!(calls(&world), "up|--quiet|in\ntmux|load|--quiet|in\n");
    server.run(&["set-option", "-g", "@tally_status", "off"]);
    run(&format!("{}:{path}", folder.display()));
    assert!(
        calls(&world).ends_with("up|--quiet|in\n"),
        "{}",
        calls(&world)
    );
    server.run(&[
        "set-option",
        "-g",
        "@tally_command",
        program(&world.path().join("a b")).to_str().unwrap(),
    ]);
    run(&path);
    assert_eq!(calls(&world).lines().count(), 4);
}

#[test]
fn the_plugin_is_a_clean_shell_script() {
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin/tallylight.tmux");
    assert_ne!(
        std::fs::metadata(&plugin).unwrap().permissions().mode() & 0o111,
        0,
        "TPM runs executables only"
    );
    match Command::new("shellcheck").arg(&plugin).output() {
        Ok(checked) => assert!(
            checked.status.success(),
            "{}",
            String::from_utf8_lossy(&checked.stdout)
        ),
        Err(_) => eprintln!("NOT CHECKED: shellcheck is not installed"),
    }
}

#[test]
fn the_module_for_catppuccin_is_live_in_the_status_line() {
    let world = World::new();
    // What the theme's own file of that name does with a module, reduced to the parts that matter here.
    let utils = world.path().join("theme/utils");
    std::fs::create_dir_all(&utils).unwrap();
    write(
        &utils.join("status_module.conf"),
        "set -gF \"@catppuccin_status_${MODULE_NAME}\" \"#[fg=#{@catppuccin_${MODULE_NAME}_color}]#{@catppuccin_${MODULE_NAME}_icon}\"\n\
         set -ag \"@catppuccin_status_${MODULE_NAME}\" \"#{E:@catppuccin_${MODULE_NAME}_text}\"\n",
    );
    let module = snippet(Kind::Catppuccin, Path::new("/t")).unwrap();
    let text = format!(
        "set -g @thm_mauve '#cba6f7'\nset -g {} {}\n{module}\nset -g status-right '#{{E:@catppuccin_status_tally}}'\n",
        option("catppuccin"),
        world.path().join("theme").display()
    );
    let server = start(&world, &text);
    server.run(&[
        "set-option",
        "-g",
        SUMMARY,
        &format!("#{{{}}} agents", option("blocked")),
    ]);
    for count in ["3", "4"] {
        server.run(&["set-option", "-g", &option("blocked"), count]);
        let line = server.format("%0", "#{T:status-right}");
        assert_eq!(
            line,
            format!("#[fg=#cba6f7]◉  #[push-default]{count} agents#[pop-default]")
        );
    }
}
