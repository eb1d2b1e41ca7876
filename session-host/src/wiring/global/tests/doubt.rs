//! What an end at a bad moment, and a bad record, leave.

use std::fs;

use super::stage::{Stage, THEIRS, manifest};
use crate::wiring::global::{Book, GlobalError, InstallState, Record, RecordError, standing};

const FILE: &str = ".claude/settings.json";

/// An end between the record and the file: the record knows ours, whichever of the two the file is.
#[test]
fn an_end_between_record_and_file_harms_nothing() {
    let stage = Stage::with("claude");
    stage.write(FILE, THEIRS);
    stage.activate("claude").unwrap();
    let wired = stage.read(FILE);
    let mut book = Book::open(&stage.paths()).unwrap();
    book.record.written[0].done = false;
    book.save().unwrap();
    drop(book);
    // The old file.
    stage.write(FILE, THEIRS);
    let found =
        stage.wirer(|wirer| standing(&manifest("claude"), wirer, &stage.record(), &[], false));
    assert_eq!(found.state, InstallState::Absent);
    stage.deactivate("claude");
    assert_eq!(stage.read(FILE), THEIRS);
    // The new file, with the record of a moment before it was done.
    stage.activate("claude").unwrap();
    let mut book = Book::open(&stage.paths()).unwrap();
    book.record.written[0].done = false;
    book.save().unwrap();
    drop(book);
    let found =
        stage.wirer(|wirer| standing(&manifest("claude"), wirer, &stage.record(), &[], false));
    assert_eq!(found.state, InstallState::Written);
    assert_eq!(stage.read(FILE), wired);
    stage.deactivate("claude");
    assert_eq!(stage.read(FILE), THEIRS);
}

#[test]
fn a_record_that_does_not_read_stops_everything() {
    let stage = Stage::with("claude");
    stage.write("state/wiring.json", "{");
    assert!(matches!(
        Book::open(&stage.paths()),
        Err(RecordError::Broken { .. })
    ));
    stage.write("state/wiring.json", "{\"schema\": 2}");
    let newer = Book::open(&stage.paths()).unwrap_err();
    assert!(
        newer.to_string().ends_with("is of a newer Tallylight"),
        "{newer}"
    );
}

#[test]
fn an_agent_that_is_too_old_is_refused_unless_it_is_forced() {
    let mut stage = Stage::empty();
    let claude = stage.write("bin/claude", "#!/bin/sh\necho '2.1.9 (Claude Code)'\n");
    stage.set_mode("bin/claude", 0o755);
    let error = stage.activate("claude").unwrap_err();
    assert!(
        matches!(&error, GlobalError::TooOld { found, .. } if found.to_string() == "2.1.9"),
        "{error} {}",
        claude.display()
    );
    assert!(!stage.path(".claude").exists());
    stage.force = true;
    stage.activate("claude").unwrap();
    let record: Record = stage.record();
    let found = stage.wirer(|wirer| standing(&manifest("claude"), wirer, &record, &[], true));
    assert_eq!(found.state, InstallState::TooOld);
}

#[test]
fn a_read_only_file_is_left() {
    let stage = Stage::with("claude");
    stage.write(FILE, THEIRS);
    stage.set_mode(FILE, 0o444);
    let error = stage.activate("claude").unwrap_err();
    assert!(error.to_string().contains("read-only"), "{error}");
    assert_eq!(stage.read(FILE), THEIRS);
    assert_eq!(fs::read_dir(stage.path(".claude")).unwrap().count(), 1);
}
