//! `tally worktree remove`.

use std::path::Path;

use session_core::{Allowed, Removal, Stakes, Worktree};
use session_host::git::Git;

use super::{Repository, sessions_in, who};
use crate::args::WorktreeRemoveArgs;
use crate::context::Context;
use crate::failure::{Failure, exit};

/// Removes a worktree, unless something would be lost.
pub(super) fn run(args: &WorktreeRemoveArgs, context: &Context) -> anyhow::Result<u8> {
    let repository = Repository::of(args.repo.as_deref())?;
    let tree = find(&repository, &args.which)?;
    if tree.main {
        let path = &tree.path;
        return Err(Failure::failed(format!("{path} is the main checkout, not a worktree")).into());
    }
    let folder = Path::new(&tree.path);
    let picture = context.picture(&context.config(), None, false)?;
    let stakes = Stakes {
        sessions: sessions_in(&picture.snapshot, folder)
            .into_iter()
            .map(who)
            .collect(),
        ..at_stake(tree, folder)?
    };
    let allowed = Allowed {
        force: args.force,
        stash: args.stash,
    };
    let removal = stakes.decide(allowed).map_err(|why| {
        let refused = Failure::failed(format!("{} is not removed", tree.path));
        why.into_iter()
            .fold(refused, Failure::hint)
            .hint("--stash keeps changes in git's stash; --force removes it whatever is lost.")
    })?;
    if removal == Removal::Stash {
        let branch = tree.branch.as_deref().unwrap_or("no branch");
        let message = format!("tally worktree remove: {branch}");
        Git::at(folder).run(&[
            "stash",
            "push",
            "--include-untracked",
            "--message",
            &message,
        ])?;
        context
            .out
            .note(&format!("Its changes are in git's stash: {message:?}."));
    }
    let mut words = vec!["worktree", "remove"];
    if removal == Removal::Force {
        words.push("--force");
    }
    words.extend(["--", &tree.path]);
    // From the main checkout: the folder that this was asked in may be the one that goes.
    Git::at(Path::new(&repository.main()?.path)).run(&words)?;
    Ok(exit::OK)
}

/// The worktree of a branch, or in a folder.
fn find<'r>(repository: &'r Repository, which: &str) -> anyhow::Result<&'r Worktree> {
    let by_branch = |tree: &&Worktree| tree.branch.as_deref() == Some(which);
    if let Some(tree) = repository.trees.iter().find(by_branch) {
        return Ok(tree);
    }
    let path = std::path::absolute(which)?;
    let path = path.canonicalize().unwrap_or(path);
    let by_path = |tree: &&Worktree| {
        let known = Path::new(&tree.path);
        known == path || known.canonicalize().is_ok_and(|known| known == path)
    };
    let found = repository.trees.iter().find(by_path);
    Ok(found.ok_or_else(|| {
        Failure::failed(format!(
            "no worktree has the branch or the folder {which:?}"
        ))
        .hint("`tally worktree list` shows them.")
    })?)
}

/// What git knows that would be lost.
fn at_stake(tree: &Worktree, folder: &Path) -> anyhow::Result<Stakes> {
    if !folder.is_dir() {
        return Ok(Stakes::default());
    }
    let git = Git::at(folder);
    let lines = |printed: &str| printed.lines().map(str::to_owned).collect();
    let changes = git.run(&["--no-optional-locks", "status", "--porcelain"])?;
    // Without a commit there is nothing that could be lost of one.
    let commits = if git
        .ask(&["rev-parse", "--verify", "--quiet", "HEAD"])?
        .is_some()
    {
        let excluded = tree.branch.as_deref().map(|own| format!("--exclude={own}"));
        let mut words = vec![
            "log",
            "--oneline",
            "--no-decorate",
            "HEAD",
            "--not",
            "--remotes",
        ];
        words.extend(excluded.as_deref());
        words.push("--branches");
        git.run(&words)?
    } else {
        String::new()
    };
    Ok(Stakes {
        changes: lines(&changes),
        commits: lines(&commits),
        sessions: Vec::new(),
    })
}
