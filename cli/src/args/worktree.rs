//! What can be typed about worktrees of git.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::SpotArgs;

/// `tally worktree`.
#[derive(Debug, Subcommand)]
pub(crate) enum WorktreeCommand {
    /// Make a worktree, open a window or tab in it, and start an agent or your shell there.
    ///
    /// A branch that there is is checked out; one that a single remote has is tracked; any other is made. Prints the id
    /// of the session, which is called as the branch is.
    New(WorktreeNewArgs),
    /// The same several times: BRANCH-1, BRANCH-2 and so on, each with a window that you are not taken to.
    Fan(WorktreeFanArgs),
    /// List the worktrees of a repository: what is in them, and who works there.
    List(WorktreeListArgs),
    /// Remove a worktree. Its branch stays.
    ///
    /// Ends with status 1, and lists why, when something would be lost: changes that are not committed, commits that
    /// are nowhere else, or the ground under a live session.
    Remove(WorktreeRemoveArgs),
}

/// How a worktree is made.
#[derive(Debug, Args)]
pub(crate) struct MakeArgs {
    /// What a branch that is made begins at; without it, what is checked out.
    #[arg(long, value_name = "COMMIT")]
    pub base: Option<String>,
    /// The agent to start there; without it, your shell.
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// A directory of the repository; without it, this one.
    #[arg(long, value_name = "DIR")]
    pub repo: Option<PathBuf>,
    /// Where the window is opened.
    #[command(flatten)]
    pub spot: SpotArgs,
    /// Print a JSON document (docs/json.md).
    #[arg(long)]
    pub json: bool,
    /// The agent's arguments.
    #[arg(last = true, value_name = "ARGS", requires = "agent")]
    pub args: Vec<String>,
}

/// `tally worktree new`.
#[derive(Debug, Args)]
pub(crate) struct WorktreeNewArgs {
    /// The branch.
    pub branch: String,
    /// The folder; without it, REPO.worktrees/BRANCH beside the main checkout.
    #[arg(long, value_name = "DIR")]
    pub path: Option<PathBuf>,
    /// How.
    #[command(flatten)]
    pub make: MakeArgs,
}

/// `tally worktree fan`.
#[derive(Debug, Args)]
pub(crate) struct WorktreeFanArgs {
    /// What the branches' names begin with.
    pub branch: String,
    /// How many.
    #[arg(value_name = "N")]
    pub count: usize,
    /// How.
    #[command(flatten)]
    pub make: MakeArgs,
}

/// `tally worktree list`.
#[derive(Debug, Args)]
pub(crate) struct WorktreeListArgs {
    /// A directory of the repository; without it, this one.
    #[arg(long, value_name = "DIR")]
    pub repo: Option<PathBuf>,
    /// Print a JSON document (docs/json.md).
    #[arg(long)]
    pub json: bool,
}

/// `tally worktree remove`.
#[derive(Debug, Args)]
pub(crate) struct WorktreeRemoveArgs {
    /// The worktree, by its branch or its folder.
    #[arg(value_name = "BRANCH|PATH")]
    pub which: String,
    /// A directory of the repository; without it, this one.
    #[arg(long, value_name = "DIR")]
    pub repo: Option<PathBuf>,
    /// Remove it whatever is lost. A session in it goes on, without its folder.
    #[arg(long)]
    pub force: bool,
    /// Put changes into git's stash first, untracked files as well.
    #[arg(long)]
    pub stash: bool,
}
