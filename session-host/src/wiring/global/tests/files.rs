//! Whole files of ours in somebody's folder.

use super::stage::Stage;

const FILE: &str = ".pi/agent/extensions/tallylight.js";

#[test]
fn case_e12_an_edited_file_is_left_and_force_keeps_a_backup() {
    let mut stage = Stage::with("pi");
    stage.activate("pi").unwrap();
    let ours = stage.read(FILE);
    let edited = format!("{ours}// mine\n");
    stage.write(FILE, &edited);
    let error = stage.activate("pi").unwrap_err();
    assert!(error.to_string().contains("was edited"), "{error}");
    let done = stage.deactivate("pi");
    assert_eq!(done.left.len(), 1);
    assert_eq!(stage.read(FILE), edited);
    stage.force = true;
    let done = stage.activate("pi").unwrap();
    let backup = done.changes[0].backup.clone().unwrap();
    assert!(backup.ends_with("tallylight.js.1.bak"));
    assert_eq!(std::fs::read_to_string(&backup).unwrap(), edited);
    assert_eq!(
        stage.mode(".pi/agent/extensions/tallylight.js.1.bak"),
        0o600
    );
    assert_eq!(stage.read(FILE), ours);
    stage.write(FILE, &edited);
    let done = stage.deactivate("pi");
    assert!(
        done.changes[0]
            .backup
            .as_ref()
            .unwrap()
            .ends_with("tallylight.js.2.bak")
    );
    assert!(!stage.path(FILE).exists());
}

#[test]
fn case_e12_an_older_text_of_ours_is_brought_up_to_date() {
    let mut stage = Stage::with("pi");
    stage.activate("pi").unwrap();
    let old = stage.read(FILE);
    stage.program = stage.path("elsewhere/tally");
    let done = stage.activate("pi").unwrap();
    assert!(done.changes[0].is_any() && done.changes[0].backup.is_none());
    assert_ne!(stage.read(FILE), old);
}

#[test]
fn case_e12_a_file_that_is_not_ours_is_refused_also_by_force() {
    let mut stage = Stage::with("pi");
    stage.write(FILE, "export default () => {};\n");
    for force in [false, true] {
        stage.force = force;
        let error = stage.activate("pi").unwrap_err();
        assert!(error.to_string().contains("is not ours"), "{error}");
        assert_eq!(stage.deactivate("pi").changes, []);
        assert_eq!(stage.read(FILE), "export default () => {};\n");
    }
}

#[test]
fn a_file_is_not_put_beside_one_that_does_the_same() {
    let stage = Stage::with("opencode");
    stage.write(".config/opencode/plugins/tallylight.js", "// theirs\n");
    let error = stage.activate("opencode").unwrap_err();
    assert!(
        error.to_string().contains("plugins/tallylight.js is there"),
        "{error}"
    );
    assert!(!stage.path(".config/opencode/plugin").exists());
}

#[test]
fn a_folder_that_was_made_goes_unless_something_else_is_in_it() {
    let stage = Stage::with("pi");
    let before = stage.tree();
    stage.activate("pi").unwrap();
    stage.deactivate("pi");
    assert_eq!(stage.tree(), before);
    stage.activate("pi").unwrap();
    stage.write(".pi/agent/auth.json", "{}");
    stage.deactivate("pi");
    assert!(stage.path(".pi/agent/auth.json").exists());
    assert!(!stage.path(".pi/agent/extensions").exists());
}
