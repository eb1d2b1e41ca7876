//! `tally worktree`.

mod hook;
mod list;
mod new;
mod remove;

use std::path::Path;

use session_core::{SessionView, Snapshot, Worktree};
use session_host::git::Git;

use crate::args::WorktreeCommand;
use crate::commands::new::directory;
use crate::context::Context;
use crate::failure::Failure;

/// Runs one of its commands.
pub(crate) fn run(command: &WorktreeCommand, context: &Context) -> anyhow::Result<u8> {
    match command {
        WorktreeCommand::New(args) => new::one(args, context),
        WorktreeCommand::Fan(args) => new::several(args, context),
        WorktreeCommand::List(args) => list::run(args, context),
        WorktreeCommand::Remove(args) => remove::run(args, context),
    }
}

/// The repository that a directory belongs to, and its worktrees.
struct Repository {
    /// git in that directory.
    git: Git,
    /// The main checkout first.
    trees: Vec<Worktree>,
}

impl Repository {
    fn of(asked: Option<&Path>) -> anyhow::Result<Self> {
        let folder = directory(asked)?;
        let git = Git::at(&folder);
        let printed = git.run(&["worktree", "list", "--porcelain", "-z"])?;
        Ok(Self {
            git,
            trees: Worktree::read_all(&printed),
        })
    }

    fn main(&self) -> Result<&Worktree, Failure> {
        let first = self.trees.first();
        first.ok_or_else(|| Failure::failed("git lists no worktree here"))
    }
}

/// The live sessions in a folder: by the directory they work in.
fn sessions_in<'s>(snapshot: &'s Snapshot, folder: &Path) -> Vec<&'s SessionView> {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = whole(folder);
    let is_there = |view: &&SessionView| {
        let cwd = view.pane.as_ref().and_then(|pane| pane.cwd.as_ref());
        view.gone.is_none() && cwd.is_some_and(|cwd| whole(Path::new(cwd)).starts_with(&folder))
    };
    snapshot.sessions.iter().filter(is_there).collect()
}

/// A session in a few words.
fn who(view: &SessionView) -> String {
    format!("{} {}: {}", crate::output::who(view), view.state, view.id)
}
