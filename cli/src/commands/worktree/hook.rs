//! The person's commands between the making of a worktree and its first program.

use std::path::Path;

use session_core::SessionName;
use session_core::happening::{Happening, HookEvent, WorktreeFact};
use session_host::clock::Clock as _;
use session_host::hooks::run_awaited;

use crate::context::Context;

/// The longest end of a command's standard error that is told, in bytes.
const TAIL: usize = 400;

/// A worktree that was just made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made<'m> {
    /// The name of the session that is to begin in it.
    pub(super) name: &'m SessionName,
    /// Its folder.
    pub(super) path: &'m Path,
    /// The branch that is checked out in it.
    pub(super) branch: &'m str,
    /// The main checkout that it was made from.
    pub(super) main: &'m Path,
    /// Whether the branch was made with it.
    pub(super) created_branch: bool,
}

/// Runs the commands of `after-new-worktree` in the worktree, and waits for them: what begins there finds what they put
/// into it. Gives the error of the first command that failed; the worktree and its window are there all the same.
pub(super) fn run_after_new_worktree(made: &Made<'_>, context: &Context) -> Option<String> {
    let mut told = Happening::new(HookEvent::AfterNewWorktree, context.clock.now());
    told.place.mux_session = made.name.to_string();
    told.place.folder = made.path.display().to_string();
    told.worktree = WorktreeFact {
        path: made.path.display().to_string(),
        branch: made.branch.to_owned(),
        repo_root: made.main.display().to_string(),
        created_branch: made.created_branch,
    };
    let ran = run_awaited(&told, made.path, &context.config().hooks, &context.env);
    let failed = ran.err()?;
    let said = failed.stderr_tail.trim();
    let from = said.len().saturating_sub(TAIL);
    let from = (from..said.len()).find(|at| said.is_char_boundary(*at));
    Some(match from.and_then(|from| said.get(from..)) {
        Some(end) if !end.is_empty() => format!("{failed}: {end}"),
        _ => failed.to_string(),
    })
}
