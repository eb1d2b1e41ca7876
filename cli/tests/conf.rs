//! `tally tmux install` and `uninstall` on files of a home of their own.

mod common;

use std::fs;

use common::Home;

#[test]
fn the_line_is_taken_out_of_whichever_file_it_is_in() {
    let home = Home::new();
    assert_eq!(home.run(&["tmux", "install"]).status, Some(0));
    let first = home.path(".tmux.conf");
    assert!(first.exists());
    // The file that tmux reads last is another one from now on.
    let later = home.write(".config/tmux/tmux.conf", "set -g mouse on\n");
    let again = home.run(&["tmux", "install"]);
    assert!(again.stderr.contains("is there already"), "{again:?}");
    let out = home.run(&["tmux", "uninstall"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    assert!(out.stderr.contains(".tmux.conf"), "{out:?}");
    assert!(!first.exists());
    assert_eq!(fs::read_to_string(later).unwrap(), "set -g mouse on\n");
    let none = home.run(&["tmux", "uninstall"]).stderr;
    assert!(
        none.contains(".tmux.conf, ") && none.contains("there is no line of ours"),
        "{none}"
    );
}

#[test]
fn what_a_shell_appends_to_the_file_is_a_line_of_its_own() {
    let home = Home::new();
    let file = home.write("f", "set -g mouse on");
    let path = file.to_str().unwrap();
    assert_eq!(
        home.run(&["tmux", "install", "--file", path]).status,
        Some(0)
    );
    let text = fs::read_to_string(&file).unwrap() + "set -g base-index 1\n";
    home.write("f", &text);
    assert_eq!(
        home.run(&["tmux", "uninstall", "--file", path]).status,
        Some(0)
    );
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "set -g mouse on\nset -g base-index 1\n"
    );
}

#[test]
fn a_line_that_only_looks_like_ours_is_told_and_left() {
    let home = Home::new();
    assert_eq!(home.run(&["tmux", "install"]).status, Some(0));
    let file = home.path(".tmux.conf");
    let text = format!("# mine\n#{}", fs::read_to_string(&file).unwrap());
    home.write(".tmux.conf", &text);
    let out = home.run(&["tmux", "uninstall"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    assert!(
        out.stderr
            .contains(".tmux.conf:2: this looks like our line"),
        "{out:?}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}
