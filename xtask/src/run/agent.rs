//! A stand-in for Claude Code: it reports what Claude Code reports and does nothing else.
//!
//! It is found, started and listened to like the real one. What it reports are payloads recorded
//! from the real one; which comes next is typed into its pane.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::shell::write;
use crate::program::quote;
use crate::workspace::Workspace;

/// Where the recorded payloads are.
const PAYLOADS: &str = "extensions/claude/fixtures";

/// What the agent reports on its own.
pub(super) const FIRST: &str = "SessionStart.startup";
const LAST: &str = "SessionEnd.prompt_input_exit";

/// Puts the agent into `folder` and checks that it has every payload of `wanted`.
pub(super) fn install(workspace: &Workspace, folder: &Path, wanted: &[&str]) -> Result<()> {
    let payloads = workspace.root().join(PAYLOADS);
    for name in wanted.iter().chain(&[FIRST, LAST]) {
        let file = payloads.join(format!("{name}.json"));
        if !file.is_file() {
            bail!("there is no payload {}", file.display());
        }
    }
    let program = folder.join("claude");
    write(&program, &script(&payloads))?;
    set_executable(&program)
}

/// Nothing is printed after a report: output would be a sign that a question was answered.
fn script(payloads: &Path) -> String {
    let payloads = quote(payloads.as_os_str());
    format!(
        "#!/bin/sh\n\
         if [ \"$1\" = --version ]; then echo '2.1.332 (Claude Code)'; exit; fi\n\
         export CLAUDECODE=1 CLAUDE_CODE_ENTRYPOINT=cli CLAUDE_PID=$$\n\
         report() {{ tally signal --from claude <{payloads}/\"$1\".json >/dev/null; }}\n\
         echo 'A stand-in for Claude Code. Name a payload to report it.'\n\
         report {FIRST}\n\
         while IFS= read -r event; do report \"$event\"; done\n\
         report {LAST}\n"
    )
}

fn set_executable(program: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(program, mode)
        .with_context(|| format!("failed to make {} executable", program.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;

    #[test]
    fn the_script_is_one_that_a_shell_takes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("claude");
        write(&file, &script(Path::new("/tmp/with a blank"))).unwrap();
        assert!(Program::new("sh").arg("-n").arg(&file).succeeds());
    }

    #[test]
    fn it_answers_for_its_version() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("claude");
        write(&file, &script(Path::new("/tmp"))).unwrap();
        let version = Program::new("sh")
            .arg(&file)
            .arg("--version")
            .read()
            .unwrap();
        assert_eq!(version, "2.1.332 (Claude Code)");
    }
}
