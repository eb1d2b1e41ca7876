//! Entries in the person's own file.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};

use rstest::rstest;

use super::stage::{Stage, THEIRS};

const FILE: &str = ".claude/settings.json";

#[rstest]
#[case("claude", FILE)]
#[case("qwen", ".qwen/settings.json")]
#[case("codex", ".codex/hooks.json")]
#[case("gemini", ".gemini/settings.json")]
fn case_e1_the_neighbours_stay_and_the_bytes_come_back(#[case] agent: &str, #[case] file: &str) {
    let stage = Stage::with(agent);
    stage.write(file, THEIRS);
    let before = stage.tree();
    let done = stage.activate(agent).unwrap();
    assert_eq!(done.changes.len(), 1);
    let text = stage.read(file);
    assert!(
        text.contains("say done") && text.contains("signal --from"),
        "{text}"
    );
    let done = stage.deactivate(agent);
    assert_eq!(done.left, []);
    assert_eq!(stage.tree(), before);
    assert_eq!(stage.record().written, []);
}

#[test]
fn case_e3_a_broken_file_stays_as_it_is_and_is_told() {
    let stage = Stage::with("claude");
    for text in ["{\"hooks\": {", "", "[]", "\u{0}"] {
        let path = stage.write(FILE, text);
        let about = fs::metadata(&path).unwrap();
        let error = stage.activate("claude").unwrap_err();
        assert!(error.to_string().contains("settings.json: "), "{error}");
        let done = stage.deactivate("claude");
        assert_eq!(done.changes, []);
        let now = fs::metadata(&path).unwrap();
        assert_eq!(stage.read(FILE), text);
        assert_eq!(
            (now.ino(), now.mtime_nsec()),
            (about.ino(), about.mtime_nsec())
        );
    }
}

/// The file broke after ours had gone in: it is told, and the record keeps what is ours.
#[test]
fn case_e3_a_file_that_broke_later_is_left_and_nothing_is_forgotten() {
    let stage = Stage::with("claude");
    stage.write(FILE, THEIRS);
    stage.activate("claude").unwrap();
    let whole = stage.read(FILE);
    let broken = whole.trim_end().trim_end_matches('}');
    stage.write(FILE, broken);
    let done = stage.deactivate("claude");
    assert_eq!(done.left.len(), 1);
    assert!(
        done.left[0].why.contains("repair the file"),
        "{:?}",
        done.left
    );
    assert_eq!(stage.read(FILE), broken);
    stage.write(FILE, &whole);
    assert_eq!(stage.deactivate("claude").left, []);
    assert_eq!(stage.read(FILE), THEIRS);
}

#[test]
fn case_e4_a_symlink_stays_and_the_file_behind_it_changes() {
    let stage = Stage::with("claude");
    stage.write("dotfiles/claude.json", THEIRS);
    fs::create_dir(stage.path(".claude")).unwrap();
    symlink("../dotfiles/claude.json", stage.path(FILE)).unwrap();
    stage.activate("claude").unwrap();
    assert!(stage.path(FILE).is_symlink());
    assert!(stage.read("dotfiles/claude.json").contains("signal --from"));
    stage.deactivate("claude");
    assert!(stage.path(FILE).is_symlink());
    assert_eq!(stage.read("dotfiles/claude.json"), THEIRS);
}

#[test]
fn case_e5_the_mode_stays_and_what_is_new_is_private() {
    let stage = Stage::with("claude");
    stage.write(FILE, THEIRS);
    for mode in [0o600, 0o644, 0o640] {
        stage.set_mode(FILE, mode);
        stage.activate("claude").unwrap();
        assert_eq!(stage.mode(FILE), mode);
        stage.deactivate("claude");
        assert_eq!(stage.mode(FILE), mode);
    }
    let stage = Stage::with("claude");
    stage.activate("claude").unwrap();
    assert_eq!((stage.mode(FILE), stage.mode(".claude")), (0o600, 0o700));
    assert_eq!(stage.mode("state/wiring.json"), 0o600);
    stage.deactivate("claude");
    assert!(!stage.path(".claude").exists(), "what was made goes");
}

#[test]
fn case_e7_five_times_is_once_and_a_moved_program_has_one_entry() {
    let mut stage = Stage::with("claude");
    stage.write(FILE, THEIRS);
    stage.activate("claude").unwrap();
    let (first, about) = (stage.read(FILE), fs::metadata(stage.path(FILE)).unwrap());
    for _ in 0..4 {
        let done = stage.activate("claude").unwrap();
        assert!(!done.changes[0].is_any());
        assert_eq!(fs::metadata(stage.path(FILE)).unwrap().ino(), about.ino());
    }
    assert_eq!(stage.read(FILE), first);
    let old = stage.program.display().to_string();
    stage.program = stage.path("elsewhere/tally");
    stage.activate("claude").unwrap();
    let moved = stage.read(FILE);
    assert_eq!(
        moved,
        first.replace(&old, &stage.program.display().to_string())
    );
    stage.deactivate("claude");
    assert_eq!(stage.read(FILE), THEIRS);
}

#[test]
fn entries_that_somebody_has_changed_are_left_and_told_of() {
    let stage = Stage::with("claude");
    stage.write(FILE, THEIRS);
    let done = stage.activate("claude").unwrap();
    assert!(!done.notes.iter().any(|note| note.contains("more that run")));
    let edited = stage
        .read(FILE)
        .replacen("\"timeout\": 5", "\"timeout\": 7", 1);
    stage.write(FILE, &edited);
    let told = |notes: &[String]| {
        let told = notes.iter().find(|note| note.contains("more that run"));
        told.cloned().unwrap_or_default()
    };
    let done = stage.activate("claude").unwrap();
    assert!(
        told(&done.notes).contains("holds 1 more"),
        "{:?}",
        done.notes
    );
    let done = stage.deactivate("claude");
    assert!(
        told(&done.notes).contains("holds 1 more"),
        "{:?}",
        done.notes
    );
    assert_eq!(stage.read(FILE).matches("signal --from").count(), 1);
}

#[test]
fn case_e11_ours_goes_where_the_agent_reads_and_is_found_without_the_variable() {
    let mut stage = Stage::with("claude");
    stage.write("x/settings.json", THEIRS);
    stage.set("CLAUDE_CONFIG_DIR", stage.path("x"));
    stage.activate("claude").unwrap();
    assert!(stage.read("x/settings.json").contains("signal --from"));
    assert!(!stage.path(".claude").exists());
    assert!(!stage.read("x/settings.json").contains('~'));
    stage.unset();
    let done = stage.deactivate("claude");
    assert_eq!(done.changes.len(), 1);
    assert_eq!(stage.read("x/settings.json"), THEIRS);
    stage.set("CLAUDE_CONFIG_DIR", "~/.claude");
    let error = stage.activate("claude").unwrap_err();
    assert!(error.to_string().contains("no absolute path"), "{error}");
}

#[rstest]
#[case("codex", "CODEX_HOME", "hooks.json")]
#[case("qwen", "QWEN_HOME", "settings.json")]
#[case("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json")]
#[case("kimi", "KIMI_CODE_HOME", "config.toml")]
#[case("pi", "PI_CODING_AGENT_DIR", "extensions/tallylight.js")]
#[case("opencode", "XDG_CONFIG_HOME", "opencode/plugin/tallylight.js")]
fn case_e11_each_agents_own_variable_is_asked(
    #[case] agent: &str,
    #[case] variable: &'static str,
    #[case] file: &str,
) {
    let mut stage = Stage::with(agent);
    let before = stage.tree();
    stage.set(variable, stage.path("y"));
    stage.activate(agent).unwrap();
    let made: Vec<_> = stage.tree().into_iter().map(|(path, _)| path).collect();
    assert!(made.contains(&stage.path("y").join(file)), "{made:?}");
    let elsewhere = made
        .iter()
        .filter(|path| !path.starts_with(stage.path("y")));
    assert_eq!(elsewhere.count(), before.len(), "{made:?}");
    stage.unset();
    stage.deactivate(agent);
    assert_eq!(stage.tree(), before);
}

#[test]
fn case_e12_nothing_is_created_for_an_agent_that_is_not_there() {
    let stage = Stage::empty();
    let before = stage.tree();
    for agent in ["claude", "codex", "opencode", "pi", "qwen"] {
        let error = stage.activate(agent).unwrap_err();
        assert!(error.to_string().starts_with("not installed"), "{error}");
        assert_eq!(stage.deactivate(agent).changes, []);
    }
    assert_eq!(stage.tree(), before);
}

/// The agent saves its settings while ours are worked out: nothing of what it saved is lost.
#[test]
fn case_e13_what_somebody_writes_meanwhile_is_kept() {
    let stage = Stage::with("claude");
    let path = stage.write(FILE, "{\n  \"n\": 0\n}\n");
    let writer = std::thread::spawn({
        let path = path.clone();
        move || {
            for n in 1..=60 {
                let text = fs::read_to_string(&path).unwrap();
                let next = text.replacen(&format!("\"n\": {}", n - 1), &format!("\"n\": {n}"), 1);
                crate::files::replace_if_unchanged(&path, Some(text.as_bytes()), next.as_bytes())
                    .unwrap();
                if !fs::read_to_string(&path)
                    .unwrap()
                    .contains(&format!("\"n\": {n}"))
                {
                    return n - 1;
                }
            }
            60
        }
    });
    for _ in 0..10 {
        // A file that never rests is refused in the end, and left.
        let _ = stage.activate("claude");
        stage.deactivate("claude");
    }
    let reached = writer.join().unwrap();
    stage.deactivate("claude");
    assert_eq!(stage.read(FILE), format!("{{\n  \"n\": {reached}\n}}\n"));
}

/// Codex reads two files, and warns about hooks in both.
#[test]
fn codex_is_wired_in_the_form_that_its_person_uses() {
    let hooks = "[[hooks.Stop]]\nhooks = [{ type = \"command\", command = \"say done\" }]\n";
    for (config, file) in [
        ("model = \"x\"\n", "hooks.json"),
        (
            "[hooks.state.\"a:stop:0:0\"]\ntrusted_hash = \"x\"\n",
            "hooks.json",
        ),
        (hooks, "config.toml"),
    ] {
        let stage = Stage::with("codex");
        stage.write(".codex/config.toml", config);
        let done = stage.activate("codex").unwrap();
        assert_eq!(
            done.changes[0].path,
            stage.path(".codex").join(file),
            "{config}"
        );
        let again = stage.activate("codex").unwrap();
        assert!(!again.changes[0].is_any());
        stage.deactivate("codex");
        assert_eq!(stage.read(".codex/config.toml"), config);
        assert!(!stage.path(".codex/hooks.json").exists());
    }
}

/// Its main file, in TOML, with all of ours in one list.
#[test]
fn case_e7_kimi_has_one_entry_for_each_event_also_when_the_program_has_moved() {
    let mut stage = Stage::with("kimi");
    let theirs = "default_model = \"k2\" # mine\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"say done\"\n\n[providers.x]\nkey = \"secret\"\n";
    stage.write(".kimi-code/config.toml", theirs);
    stage.activate("kimi").unwrap();
    let first = stage.read(".kimi-code/config.toml");
    assert!(first.starts_with(theirs), "{first}");
    assert_eq!(first.matches("[[hooks]]").count(), 11);
    let old = stage.program.display().to_string();
    stage.program = stage.path("elsewhere/tally");
    stage.activate("kimi").unwrap();
    let new = stage.program.display().to_string();
    assert_eq!(
        stage.read(".kimi-code/config.toml"),
        first.replace(&old, &new)
    );
    stage.deactivate("kimi");
    assert_eq!(stage.read(".kimi-code/config.toml"), theirs);
}

#[test]
fn a_lost_record_leaves_what_is_exactly_ours_to_be_taken_out() {
    let stage = Stage::with("claude");
    stage.write(FILE, THEIRS);
    stage.activate("claude").unwrap();
    fs::remove_file(stage.path("state/wiring.json")).unwrap();
    stage.deactivate("claude");
    let rest = stage.read(FILE);
    assert!(
        rest.contains("say done") && !rest.contains("signal --from"),
        "{rest}"
    );
}

#[test]
fn a_dry_run_tells_and_changes_nothing() {
    let mut stage = Stage::with("claude");
    stage.write(FILE, THEIRS);
    let before = stage.tree();
    stage.dry_run = true;
    let done = stage.activate("claude").unwrap();
    assert_eq!(done.changes[0].before.as_deref(), Some(THEIRS));
    assert!(
        done.changes[0]
            .after
            .as_ref()
            .unwrap()
            .contains("signal --from")
    );
    assert_eq!(stage.tree(), before);
    assert_eq!(stage.record(), Default::default());
    stage.dry_run = false;
    stage.activate("claude").unwrap();
    let wired = stage.tree();
    stage.dry_run = true;
    assert_eq!(
        stage.deactivate("claude").changes[0].after.as_deref(),
        Some(THEIRS)
    );
    assert_eq!(stage.tree(), wired);
}
