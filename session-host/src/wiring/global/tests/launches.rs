//! What a launch adds where the agent's own configuration is wired.

use std::ffi::OsString;
use std::path::Path;

use super::stage::Stage;
use crate::wiring::global::Book;
use crate::wiring::{Launch, Launcher};

fn launch(stage: &Stage, agent: &str, args: &[&str]) -> Launch {
    Launcher {
        env: &stage.env(),
        wiring: &stage.path("config/wiring"),
        record: &stage.paths().wiring_record(),
        program: &stage.program,
        own: Path::new("/nonexistent/tally"),
    }
    .prepare(agent, args.iter().map(OsString::from).collect())
    .unwrap()
}

fn args(launch: &Launch) -> Vec<String> {
    let argv = launch.argv();
    argv.iter()
        .skip(1)
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn case_d7_nothing_is_added_where_the_agents_own_configuration_is_wired() {
    let stage = Stage::with("claude");
    assert_eq!(args(&launch(&stage, "claude", &[]))[0], "--settings");
    stage.activate("claude").unwrap();
    let wired = launch(&stage, "claude", &["hi"]);
    assert_eq!(args(&wired), ["hi"]);
    assert!(wired.wired && wired.unwired.is_none());
    assert!(!launch(&stage, "claude", &["mcp"]).wired);
    // One event is gone: better twice than not at all.
    let file = ".claude/settings.json";
    let partial = stage.read(file).replace("\"Stop\"", "\"Other\"");
    stage.write(file, &partial);
    assert_eq!(args(&launch(&stage, "claude", &[]))[0], "--settings");
    stage.write(file, "{\"disableAllHooks\": true}");
    assert_eq!(args(&launch(&stage, "claude", &[]))[0], "--settings");
}

#[test]
fn case_d7_codex_is_kept_out_of_its_daemon_all_the_same() {
    let stage = Stage::with("codex");
    assert!(args(&launch(&stage, "codex", &[]))[1].starts_with("hooks={"));
    stage.activate("codex").unwrap();
    assert_eq!(
        args(&launch(&stage, "codex", &["hi"])),
        ["-c", "features.hooks=true", "hi"]
    );
}

#[test]
fn case_d7_a_plugin_is_loaded_once() {
    let stage = Stage::with("opencode");
    assert_eq!(launch(&stage, "opencode", &[]).variables().len(), 1);
    stage.activate("opencode").unwrap();
    assert_eq!(launch(&stage, "opencode", &[]).variables(), []);
}

#[test]
fn whoever_has_opted_out_is_not_wired_at_launch() {
    let stage = Stage::with("claude");
    let mut book = Book::open(&stage.paths()).unwrap();
    book.record.opted_out.insert("claude".to_owned());
    book.save().unwrap();
    drop(book);
    let plain = launch(&stage, "claude", &["hi"]);
    assert_eq!(args(&plain), ["hi"]);
    assert!(!plain.wired && plain.unwired.is_none() && plain.notes.is_empty());
    assert!(!stage.path("config/wiring").exists());
}

/// It may say that the person has opted out.
#[test]
fn a_record_that_does_not_read_leaves_the_launch_as_it_is() {
    let stage = Stage::with("claude");
    stage.write("state/wiring.json", "{");
    let plain = launch(&stage, "claude", &["hi"]);
    assert_eq!(args(&plain), ["hi"]);
    assert!(plain.unwired.is_some());
}
