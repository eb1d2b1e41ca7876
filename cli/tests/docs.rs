//! The documentation says what the program does.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use std::fs;
use std::path::Path;
use std::process::Command;

use session_host::config::DEFAULT_TOML;

fn doc(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).unwrap()
}

#[test]
fn the_page_of_settings_holds_the_reference() {
    assert!(doc("docs/config.md").contains(&format!("```toml\n{DEFAULT_TOML}```\n")));
}

#[test]
fn the_page_of_the_command_line_names_every_command() {
    let help = Command::new(env!("CARGO_BIN_EXE_tally"))
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let (commands, _) = commands.split_once("\nOptions:").unwrap();
    let page = doc("docs/cli.md");
    let mut count = 0;
    for line in commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
    {
        let name = line.split_whitespace().next().unwrap();
        if name != "help" {
            assert!(page.contains(&format!("`tally {name}")), "{name}");
            count += 1;
        }
    }
    assert!(count >= 16, "{commands}");
}
