//! `tally signal` as agents run it: silent, never in the way, whatever comes in.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "the helpers of a test may fail it"
)]

mod common;

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Home, Outcome, outcome, payloads};
use rstest::rstest;
use serde_json::Value;
use session_host::manifests;

fn unrouted(home: &Home) -> Value {
    let list = home.run(&["list", "--json"]);
    assert_eq!(list.status, Some(0), "{list:?}");
    serde_json::from_str::<Value>(&list.stdout).unwrap()["unrouted"].clone()
}

/// Case D2: what SessionStart and UserPromptSubmit print goes into the conversation.
#[test]
fn case_d2_no_event_gets_a_byte_of_answer_and_every_one_ends_well() {
    let home = Home::new();
    let wired = manifests::all()
        .iter()
        .filter(|manifest| manifest.is_wired());
    for agent in wired.map(|manifest| manifest.name.as_str()) {
        let payloads = payloads(agent);
        assert!(payloads.len() > 8, "{agent}");
        for (name, payload) in payloads {
            let said = home.run_with(&["signal", "--from", agent], &payload, &[]);
            assert_eq!(said, Outcome::silent(), "{agent}: {name}");
        }
    }
}

#[rstest]
#[case::empty(b"".to_vec(), "the payload is empty")]
#[case::blank(b" \n\n".to_vec(), "the payload is empty")]
#[case::broken(b"{\"hook_event_name\":".to_vec(), "the payload is not JSON")]
#[case::no_json(b"hello".to_vec(), "the payload is not JSON")]
#[case::binary(vec![0xff, 0, 0x1b, b'[', b'm'], "the payload is not JSON")]
#[case::huge([b"{\"x\":\"".to_vec(), vec![b'a'; 9 << 20]].concat(), "larger than the 8 MiB that are read")]
#[case::huge_without_an_event([b"{\"y\":1,\"x\":\"".to_vec(), vec![b'a'; 9 << 20]].concat(), "larger than the 8 MiB that are read")]
fn a_payload_that_cannot_be_read_disturbs_nobody(#[case] payload: Vec<u8>, #[case] why: &str) {
    let home = Home::new();
    assert_eq!(
        home.run_with(&["signal", "--from", "claude"], &payload, &[]),
        Outcome::silent()
    );
    let strict = home.run_with(&["signal", "--from", "claude", "--strict"], &payload, &[]);
    assert_eq!((strict.status, strict.stdout.as_str()), (Some(1), ""));
    assert!(
        strict.stderr.contains(why) && strict.stderr.lines().count() == 1,
        "{strict:?}"
    );
}

/// Agents write it when their event loop comes to it, and not all of them close their end.
#[rstest]
#[case::late_and_in_pieces(&[r#"{"hook_event"#, r#"_name":"Nonsense"}"#], true)]
#[case::never_closed(&[r#"{"hook_event_name":"Nonsense"}"#], false)]
fn a_payload_is_waited_for(#[case] pieces: &[&str], #[case] closes: bool) {
    let home = Home::new();
    let mut signal = home.command(Home::tally());
    signal
        .args(["signal", "--from", "claude", "--strict"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped());
    let mut signal = signal.spawn().unwrap();
    let mut stdin = signal.stdin.take().unwrap();
    for piece in pieces {
        std::thread::sleep(Duration::from_millis(400));
        stdin.write_all(piece.as_bytes()).unwrap();
    }
    let open = (!closes).then_some(stdin);
    let said = signal.wait_with_output().unwrap();
    drop(open);
    let said = String::from_utf8_lossy(&said.stderr);
    assert!(said.contains("Nonsense"), "{said}");
}

#[test]
fn a_payload_that_is_too_large_tells_what_happened_all_the_same() {
    let home = Home::new();
    let payload = [
        b"{\"session_id\":\"s\",\"hook_event_name\":\"Stop\",\"x\":\"".to_vec(),
        vec![b'a'; 9 << 20],
        b"\"}".to_vec(),
    ]
    .concat();
    assert_eq!(
        home.run_with(&["signal", "--from", "claude"], &payload, &[]),
        Outcome::silent()
    );
    let unrouted = unrouted(&home);
    assert_eq!(
        (&unrouted["count"], &unrouted["last"][0]["event"]),
        (&1.into(), &"Stop".into()),
        "{unrouted}"
    );
}

#[rstest]
#[case(&["--message"])]
#[case(&["--kind", "question", "--message"])]
fn a_message_that_is_not_utf_8_costs_no_signal(#[case] args: &[&str]) {
    use std::os::unix::ffi::OsStrExt;
    let home = Home::new();
    let mut command = home.command(Home::tally());
    command
        .args(["signal", "--state", "blocked"])
        .args(args)
        .arg(std::ffi::OsStr::from_bytes(b"x\xff"));
    assert_eq!(outcome(command, b""), Outcome::silent());
    assert_eq!(unrouted(&home)["count"], 1);
}

/// With `--strict`, what is wrong with the command line is told apart from what went wrong.
#[rstest]
#[case::unknown_event(&["--from", "claude"], "Nonsense", 1)]
#[case::unknown_session(&["--state", "done", "--session", "nobody"], "nobody", 1)]
#[case::unknown_agent(&["--from", "nobody"], "nobody", 2)]
#[case::state_that_is_none(&["--state", "sleeping"], "sleeping", 2)]
#[case::state_that_is_concluded(&["--state", "running"], "running", 2)]
#[case::state_that_is_empty(&["--state="], "\"\"", 2)]
#[case::kind_of_another_state(&["--state", "blocked", "--kind", "rate_limit"], "rate_limit", 2)]
#[case::kind_of_no_state(&["--state", "error", "--kind", "hungry"], "hungry", 2)]
#[case::kind_without_a_place(&["--state", "working", "--kind", "question"], "working", 2)]
#[case::odd_agent(&["--state", "done", "--agent", "../x"], "../x", 2)]
fn what_makes_no_sense_disturbs_nobody(
    #[case] args: &[&str],
    #[case] named: &str,
    #[case] status: i32,
) {
    let home = Home::new();
    let args = [&["signal"], args].concat();
    let payload = br#"{"hook_event_name":"Nonsense"}"#;
    assert_eq!(home.run_with(&args, payload, &[]), Outcome::silent());
    let strict = home.run_with(&[&args[..], &["--strict"]].concat(), payload, &[]);
    assert_eq!(
        (strict.status, strict.stdout.as_str()),
        (Some(status), ""),
        "{strict:?}"
    );
    assert!(strict.stderr.contains(named), "{strict:?}");
}

/// What is only late is told apart from what is not taken in.
#[test]
fn a_signal_that_waits_to_be_taken_in_has_a_status_of_its_own() {
    let home = Home::new();
    let signal = |strict: &[&str]| {
        let args = [&["signal", "--state", "done"], strict].concat();
        home.run(&args)
    };
    assert_eq!(signal(&[]), Outcome::silent());
    let held = home.hold_store();
    assert_eq!(signal(&[]), Outcome::silent());
    let strict = signal(&["--strict"]);
    drop(held);
    assert_eq!(
        (strict.status, strict.stderr.as_str()),
        (
            Some(4),
            "tally: the store is held by another process; it waits in the spool until it can be stored\n"
        )
    );
}

/// Such a signal names nobody, as far as can be proved; whoever meant a session can say which.
#[test]
fn a_signal_from_no_pane_is_told_with_the_pane_and_with_what_names_a_session() {
    let home = Home::new();
    let from = |vars: &[(&str, &str)]| {
        let strict = home.run_with(&["signal", "--state", "done", "--strict"], b"", vars);
        assert_eq!(strict.status, Some(1), "{strict:?}");
        strict.stderr
    };
    let tmux = ("TMUX", "/nonexistent/socket,4194303,0");
    assert_eq!(
        from(&[tmux, ("TMUX_PANE", "%3")]),
        "tally: the process of the pane %3 is not among the reporter's ancestors; \
         --session REF names a session from anywhere\n"
    );
    let of_zellij = from(&[("ZELLIJ_PANE_ID", "7"), ("ZELLIJ_SESSION_NAME", "work")]);
    assert!(
        of_zellij.contains("the pane 7 of work is not among") && of_zellij.contains("--session"),
        "{of_zellij}"
    );
    assert!(from(&[]).contains("--session REF"));
    let doctor = home.run(&["doctor"]).stdout;
    assert!(
        doctor.contains("the pane %3 is not among")
            && doctor.contains("tally signal --session REF"),
        "{doctor}"
    );
}

#[rstest]
#[case::none(b"{}")]
#[case::empty(br#"{"hook_event_name":""}"#)]
#[case::null(br#"{"hook_event_name":null}"#)]
#[case::no_object(b"[1]")]
fn a_payload_that_names_no_event_is_told_as_such(#[case] payload: &[u8]) {
    let home = Home::new();
    let strict = home.run_with(&["signal", "--from", "claude", "--strict"], payload, &[]);
    assert_eq!(strict.status, Some(1), "{strict:?}");
    assert_eq!(
        strict.stderr,
        "tally: the payload names no event: it has no text in \"hook_event_name\"\n"
    );
}

/// An exit status of 2 tells an agent to stop.
#[rstest]
#[case(&["signal"])]
#[case(&["signal", "--nonsense"])]
#[case(&["signal", "--from"])]
#[case(&["signal", "--from", "claude", "--state", "done"])]
fn a_wrong_command_line_in_a_hook_is_never_a_status_of_2(#[case] args: &[&str]) {
    let home = Home::new();
    assert_eq!(home.run(args), Outcome::silent());
    let strict = home.run(&[args, &["--strict"]].concat());
    assert_eq!(strict.status, Some(2));
    assert!(strict.stderr.contains("error"), "{strict:?}");
}

#[test]
fn case_b1_a_signal_from_no_pane_is_counted_and_guessed_for_nobody() {
    let home = Home::new();
    assert_eq!(
        home.run(&["signal", "--state", "blocked"]),
        Outcome::silent()
    );
    let tmux = [("TMUX", "/nonexistent/socket,4194303,0")];
    assert_eq!(
        home.run_with(&["signal", "--state", "blocked"], b"", &tmux),
        Outcome::silent()
    );
    let gone = [
        ("TMUX", "/nonexistent/socket,4194303,0"),
        ("TMUX_PANE", "%3"),
    ];
    assert_eq!(
        home.run_with(&["signal", "--state", "blocked"], b"", &gone),
        Outcome::silent()
    );
    assert_eq!(unrouted(&home)["count"], 3);
    let doctor = home.run(&["doctor"]);
    assert!(
        doctor.stdout.contains("signals without a pane: 3"),
        "{doctor:?}"
    );
}

/// A hook that waits for a terminal or for a pipe that stays open would hang its agent.
#[test]
fn case_d3_nothing_is_waited_for_that_does_not_come() {
    let home = Home::new();
    for args in [["--state", "working"], ["--from", "claude"]] {
        let mut command = home.command(Home::tally());
        let (reader, _writer) = std::io::pipe().unwrap();
        command.arg("signal").args(args).stdin(reader);
        let begun = Instant::now();
        assert!(command.status().unwrap().success());
        assert!(
            begun.elapsed() < Duration::from_secs(3),
            "{args:?}: {:?}",
            begun.elapsed()
        );
    }
}

#[test]
fn without_a_home_a_signal_ends_well_and_a_command_says_what_is_missing() {
    let without = |args: &[&str]| {
        let mut command = Command::new(Home::tally());
        command.args(args).env_clear();
        outcome(command, b"")
    };
    assert_eq!(without(&["signal", "--state", "done"]), Outcome::silent());
    let list = without(&["list"]);
    assert_eq!(list.status, Some(1));
    assert!(list.stderr.contains("HOME is not set"), "{list:?}");
}

#[test]
fn case_d8_a_state_folder_that_cannot_be_written_disturbs_nobody() {
    let home = Home::new();
    home.write(".local", "a file where a folder should be");
    assert_eq!(home.run(&["signal", "--state", "done"]), Outcome::silent());
    assert_eq!(
        home.run(&["signal", "--state", "done", "--strict"]).status,
        Some(4),
        "it waits in the runtime folder"
    );
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.status, Some(1), "{doctor:?}");
    assert!(doctor.stdout.contains("cannot be made"), "{doctor:?}");
}
