//! What is run between the making of a worktree and its first program.

use std::path::Path;

/// A worktree that was just made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made<'m> {
    /// Its folder.
    pub(super) path: &'m Path,
    /// The branch that is checked out in it.
    pub(super) branch: &'m str,
    /// The main checkout that it was made from.
    pub(super) main: &'m Path,
    /// Whether the branch was made with it.
    pub(super) created_branch: bool,
}

/// Where the person's after-new-worktree hook is awaited. Gives the error of the first command that failed; the worktree and
/// its window are there all the same.
pub(super) fn run_after_new_worktree_hook(made: &Made<'_>) -> Option<String> {
    let Made {
        path,
        branch,
        main,
        created_branch,
    } = made;
    tracing::debug!(?path, branch, ?main, created_branch, "made a worktree");
    None
}
