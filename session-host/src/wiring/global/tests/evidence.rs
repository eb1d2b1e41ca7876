//! How the wiring stands, from evidence.

use session_core::{Act, MachineId, Session, SessionId, Signal, SignalSource, Time};

use super::stage::{Stage, THEIRS, manifest};
use crate::wiring::global::{InstallState, Problem, Standing, standing};

const FILE: &str = ".claude/settings.json";

fn look(stage: &Stage, agent: &str, sessions: &[Session]) -> Standing {
    let before = stage.tree();
    let found =
        stage.wirer(|wirer| standing(&manifest(agent), wirer, &stage.record(), sessions, true));
    assert_eq!(stage.tree(), before, "a look changes nothing");
    found
}

fn session(agent: &str, born: i64, at: i64) -> Session {
    let id = SessionId(uuid::Uuid::from_u128(1));
    let mut session = Session::new(id, MachineId("m".to_owned()), None, Time(born));
    session.recent.push(Signal {
        at: Time(at),
        source: SignalSource::Wired,
        act: Act::Prompt,
        actor: None,
        agent: Some(agent.parse().unwrap()),
        agent_session: None,
        message: None,
        event: "UserPromptSubmit".to_owned(),
        fingerprint: 1,
    });
    session
}

#[test]
fn case_f1_written_is_not_heard_until_a_session_that_began_later_reports() {
    let stage = Stage::with("claude");
    assert_eq!(look(&stage, "claude", &[]).state, InstallState::Absent);
    stage.activate("claude").unwrap();
    let at = stage.now;
    for (sessions, state) in [
        (vec![], InstallState::Written),
        (
            vec![session("claude", at - 1, at + 5)],
            InstallState::Written,
        ),
        (
            vec![session("codex", at + 1, at + 5)],
            InstallState::Written,
        ),
        (vec![session("claude", at + 1, at + 5)], InstallState::Heard),
    ] {
        let found = look(&stage, "claude", &sessions);
        assert_eq!(
            (found.state, &found.problems[..]),
            (state, &[][..]),
            "{sessions:?}"
        );
    }
}

#[test]
fn case_f1_hooks_that_codex_does_not_trust_are_told_with_the_step() {
    let stage = Stage::with("codex");
    stage.activate("codex").unwrap();
    let found = look(
        &stage,
        "codex",
        &[session("codex", i64::MAX / 2, i64::MAX / 2)],
    );
    assert_eq!(found.state, InstallState::Untrusted);
    let Some(Problem::Untrusted {
        trusted, all, step, ..
    }) = found.problems.first()
    else {
        panic!("{found:?}")
    };
    assert_eq!((*trusted, *all), (0, 9));
    assert!(step.contains("Trust all"), "{step}");
    assert!(
        !stage.path(".codex/config.toml").exists(),
        "trust is never written"
    );
}

#[test]
fn case_f3_one_event_that_is_gone_is_partial() {
    let stage = Stage::with("claude");
    stage.activate("claude").unwrap();
    let partial = stage.read(FILE).replace("\"Stop\"", "\"Other\"");
    stage.write(FILE, &partial);
    let found = look(&stage, "claude", &[]);
    assert_eq!(found.state, InstallState::Edited);
    assert_eq!(
        found.problems,
        [Problem::Partial(
            stage.path(FILE),
            vec!["hooks.Stop".to_owned()]
        )]
    );
    assert!(found.problems[0].is_broken());
}

#[test]
fn case_f3_hooks_that_are_switched_off_are_disabled() {
    let stage = Stage::with("claude");
    stage.write(FILE, "{\n  \"disableAllHooks\": true\n}\n");
    stage.activate("claude").unwrap();
    let found = look(&stage, "claude", &[]);
    assert!(
        matches!(&found.problems[..], [Problem::Off(what)] if what.starts_with("disableAllHooks in ")),
        "{found:?}"
    );
}

#[test]
fn case_d4_a_wired_path_that_is_gone_is_told() {
    let stage = Stage::with("claude");
    stage.activate("claude").unwrap();
    std::fs::remove_file(&stage.program).unwrap();
    let found = look(&stage, "claude", &[]);
    assert_eq!(found.problems, [Problem::Dead(stage.program.clone())]);
}

#[test]
fn case_e11_an_agent_that_reads_elsewhere_now_is_told() {
    let mut stage = Stage::with("claude");
    stage.activate("claude").unwrap();
    stage.set("CLAUDE_CONFIG_DIR", stage.path("x"));
    let found = look(&stage, "claude", &[]);
    assert_eq!(found.problems, [Problem::Elsewhere(stage.path(FILE))]);
}

#[test]
fn case_e13_what_another_program_removed_is_told_and_put_back() {
    let stage = Stage::with("claude");
    stage.write(FILE, THEIRS);
    stage.activate("claude").unwrap();
    stage.write(FILE, THEIRS);
    let found = look(&stage, "claude", &[]);
    assert_eq!(found.state, InstallState::Displaced);
    assert_eq!(found.problems, [Problem::Removed(stage.path(FILE))]);
    stage.activate("claude").unwrap();
    assert_eq!(look(&stage, "claude", &[]).state, InstallState::Written);
    stage.deactivate("claude");
    assert_eq!(stage.read(FILE), THEIRS);
}

#[test]
fn an_edited_file_of_ours_is_told() {
    let stage = Stage::with("pi");
    stage.activate("pi").unwrap();
    let file = ".pi/agent/extensions/tallylight.js";
    let edited = format!("{}//\n", stage.read(file));
    stage.write(file, &edited);
    let found = look(&stage, "pi", &[]);
    assert_eq!(found.state, InstallState::Edited);
    assert_eq!(found.problems, [Problem::Edited(stage.path(file))]);
}

#[test]
fn another_programs_path_is_told() {
    let mut stage = Stage::with("claude");
    stage.activate("claude").unwrap();
    stage.program = stage.path("bin/claude");
    let found = look(&stage, "claude", &[]);
    assert_eq!(found.problems, [Problem::Other(stage.path(FILE))]);
}

#[test]
fn a_lost_record_does_not_make_the_wiring_absent() {
    let stage = Stage::with("claude");
    stage.write(FILE, THEIRS);
    stage.activate("claude").unwrap();
    std::fs::remove_file(stage.path("state/wiring.json")).unwrap();
    let found = look(&stage, "claude", &[session("claude", 0, i64::MAX)]);
    assert_eq!(found.state, InstallState::Written);
    assert_eq!(found.files, [stage.path(FILE)]);
}
