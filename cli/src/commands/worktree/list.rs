//! `tally worktree list`.

use std::path::Path;

use serde::Serialize;
use session_core::Worktree;
use session_core::view::clean;
use session_host::git::Git;

use super::{Repository, sessions_in, who};
use crate::args::WorktreeListArgs;
use crate::context::Context;
use crate::failure::exit;
use crate::output::Document;

/// A worktree, and who is in it.
#[derive(Debug, Serialize)]
struct Row<'r> {
    #[serde(flatten)]
    tree: &'r Worktree,
    /// How many changes are not committed; `null` where its folder is gone.
    changes: Option<usize>,
    /// The ids of the live sessions in it.
    sessions: Vec<String>,
    #[serde(skip)]
    told: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Rows<'r> {
    worktrees: Vec<Row<'r>>,
}

/// Lists the worktrees, the main checkout first.
pub(super) fn run(args: &WorktreeListArgs, context: &Context) -> anyhow::Result<u8> {
    let repository = Repository::of(args.repo.as_deref())?;
    let picture = context.picture(&context.config(), None, false)?;
    let mut rows = Vec::new();
    for tree in &repository.trees {
        let folder = Path::new(&tree.path);
        // A session in a worktree below the main checkout is in that one alone.
        let inner = |path: &Path| {
            let others = repository
                .trees
                .iter()
                .filter(|other| other.path != tree.path);
            others
                .filter(|other| Path::new(&other.path).starts_with(folder))
                .any(|other| path.starts_with(&other.path))
        };
        let mut sessions = sessions_in(&picture.snapshot, folder);
        sessions.retain(|view| {
            let cwd = view.pane.as_ref().and_then(|pane| pane.cwd.as_ref());
            !cwd.is_some_and(|cwd| inner(Path::new(cwd)))
        });
        rows.push(Row {
            tree,
            changes: changes(folder)?,
            sessions: sessions.iter().map(|view| view.id.to_string()).collect(),
            told: sessions.into_iter().map(who).collect(),
        });
    }
    if args.json {
        context.out.json(&Document::new(Rows { worktrees: rows }))?;
        return Ok(exit::OK);
    }
    for row in rows {
        context.out.data(&line(&row))?;
        for told in &row.told {
            context.out.data(&format!("    {told}"))?;
        }
    }
    Ok(exit::OK)
}

fn line(row: &Row<'_>) -> String {
    let branch = row.tree.branch.as_deref().unwrap_or("(no branch)");
    let state = match (row.tree.prunable, row.changes) {
        (true, _) => "  its folder is gone: `git worktree prune`".to_owned(),
        (_, None | Some(0)) => String::new(),
        (_, Some(1)) => "  1 change".to_owned(),
        (_, Some(count)) => format!("  {count} changes"),
    };
    clean(&format!("{branch}  {}{state}", row.tree.path), 500)
}

/// How many changes are not committed.
fn changes(folder: &Path) -> anyhow::Result<Option<usize>> {
    if !folder.is_dir() {
        return Ok(None);
    }
    let words = ["--no-optional-locks", "status", "--porcelain"];
    Ok(Git::at(folder)
        .ask(&words)?
        .map(|printed| printed.lines().count()))
}
