//! `tally worktree new` and `tally worktree fan`.

use std::path::{Path, PathBuf};

use serde::Serialize;
use session_core::{AgentName, Launch, SessionName, fan, worktree_path};

use super::Repository;
use super::hook::{Made, run_after_new_worktree};
use crate::args::{MakeArgs, WorktreeFanArgs, WorktreeNewArgs};
use crate::commands::new::{free_name, known_agent, start};
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::output::Document;
use crate::spot::Spot;

/// What is to be made.
struct Plan {
    branch: String,
    path: PathBuf,
    name: SessionName,
    branching: Branching,
}

/// Where the branch comes from.
enum Branching {
    /// It is there.
    Known,
    /// A remote has it.
    Tracked(String),
    /// It is made.
    Made(Option<String>),
}

/// What was made.
#[derive(Debug, Serialize)]
struct Outcome {
    path: String,
    branch: String,
    created_branch: bool,
    session: String,
    hook_error: Option<String>,
}

#[derive(Debug, Serialize)]
struct Outcomes {
    worktrees: Vec<Outcome>,
}

/// Makes one worktree, and prints the id of its session.
pub(super) fn one(args: &WorktreeNewArgs, context: &Context) -> anyhow::Result<u8> {
    let branches = [args.branch.clone()];
    make(&branches, args.path.as_deref(), &args.make, context)
}

/// Makes several.
pub(super) fn several(args: &WorktreeFanArgs, context: &Context) -> anyhow::Result<u8> {
    let branches = fan(&args.branch, args.count)
        .map_err(|error| Failure::new(exit::USAGE, error.to_string()))?;
    make(&branches, None, &args.make, context)
}

/// Makes a worktree for each branch. All that can be wrong is found before the first one is made.
fn make(
    branches: &[String],
    path: Option<&Path>,
    args: &MakeArgs,
    context: &Context,
) -> anyhow::Result<u8> {
    let agent = args
        .agent
        .as_deref()
        .map(|agent| known_agent(agent, context))
        .transpose()?;
    let repository = Repository::of(args.repo.as_deref())?;
    let plans = branches
        .iter()
        .map(|branch| plan(&repository, branch, path, args.base.as_deref(), context))
        .collect::<anyhow::Result<Vec<Plan>>>()?;
    let mut spot = Spot::find(&args.spot, context)?;
    if branches.len() > 1 {
        spot.stay();
    }
    let mut outcomes = Vec::new();
    for plan in &plans {
        let outcome = carry_out(&repository, plan, agent.as_ref(), args, &spot, context)?;
        if !args.json {
            context.out.data(&outcome.session)?;
        }
        if let Some(error) = &outcome.hook_error {
            let path = &outcome.path;
            context
                .out
                .note(&format!("tally: {path}: after-new-worktree: {error}"));
        }
        outcomes.push(outcome);
    }
    let failed = outcomes.iter().any(|outcome| outcome.hook_error.is_some());
    if args.json {
        context.out.json(&Document::new(Outcomes {
            worktrees: outcomes,
        }))?;
    }
    Ok(if failed { exit::FAILED } else { exit::OK })
}

fn plan(
    repository: &Repository,
    branch: &str,
    path: Option<&Path>,
    base: Option<&str>,
    context: &Context,
) -> anyhow::Result<Plan> {
    let git = &repository.git;
    if branch.starts_with('-')
        || git
            .ask(&["check-ref-format", "--branch", branch])?
            .is_none()
    {
        return Err(
            Failure::new(exit::USAGE, format!("{branch:?} is no name for a branch")).into(),
        );
    }
    let checked_out = |tree: &&session_core::Worktree| tree.branch.as_deref() == Some(branch);
    if let Some(tree) = repository.trees.iter().find(checked_out) {
        let path = &tree.path;
        return Err(
            Failure::failed(format!("{branch} is checked out in {path} already"))
                .hint("`tally new --cwd` opens a window there.")
                .into(),
        );
    }
    let path = match path {
        Some(path) => std::path::absolute(path)?,
        None => PathBuf::from(worktree_path(&repository.main()?.path, branch)),
    };
    if path.exists() {
        return Err(
            Failure::failed(format!("{} is there already", path.display()))
                .hint("Give another folder with --path.")
                .into(),
        );
    }
    Ok(Plan {
        branching: branching(repository, branch, base)?,
        name: free_name(branch, context)?,
        branch: branch.to_owned(),
        path,
    })
}

fn branching(
    repository: &Repository,
    branch: &str,
    base: Option<&str>,
) -> anyhow::Result<Branching> {
    let git = &repository.git;
    let own = format!("refs/heads/{branch}");
    if git
        .ask(&["show-ref", "--verify", "--quiet", &own])?
        .is_some()
    {
        return match base {
            None => Ok(Branching::Known),
            Some(_) => Err(Failure::failed(format!(
                "there is a branch {branch} already, and it does not begin anew: leave --base away"
            ))
            .into()),
        };
    }
    if let Some(base) = base {
        let commit = format!("{base}^{{commit}}");
        let words = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ];
        if git.ask(&words)?.is_none() {
            return Err(
                Failure::failed(format!("{base:?} is no commit of this repository")).into(),
            );
        }
        return Ok(Branching::Made(Some(base.to_owned())));
    }
    let remotes = format!("refs/remotes/*/{branch}");
    let found = git.run(&["for-each-ref", "--format=%(refname:short)", &remotes])?;
    Ok(match found.lines().collect::<Vec<_>>().as_slice() {
        [only] => Branching::Tracked((*only).to_owned()),
        _ => Branching::Made(None),
    })
}

fn carry_out(
    repository: &Repository,
    plan: &Plan,
    agent: Option<&AgentName>,
    args: &MakeArgs,
    spot: &Spot,
    context: &Context,
) -> anyhow::Result<Outcome> {
    let path = plan.path.display().to_string();
    let mut words = vec!["worktree", "add"];
    let created_branch = !matches!(plan.branching, Branching::Known);
    match &plan.branching {
        Branching::Known => words.extend(["--", &path, &plan.branch]),
        Branching::Tracked(remote) => {
            words.extend(["--track", "-b", &plan.branch, "--", &path, remote]);
        }
        Branching::Made(base) => {
            let base = base.as_deref().unwrap_or("HEAD");
            // Else a base that is a remote's branch would be where this one is pushed to.
            words.extend(["--no-track", "-b", &plan.branch, "--", &path, base]);
        }
    }
    repository.git.run(&words)?;
    let main = PathBuf::from(&repository.main()?.path);
    let made = Made {
        name: &plan.name,
        path: &plan.path,
        branch: &plan.branch,
        main: &main,
        created_branch,
    };
    let hook_error = run_after_new_worktree(&made, context);
    let program = match agent {
        Some(agent) => agent.to_string(),
        None => context.env.get("SHELL").unwrap_or("/bin/sh").to_owned(),
    };
    let launch = Launch {
        argv: std::iter::once(program).chain(args.args.clone()).collect(),
        cwd: path.clone(),
        agent: agent.cloned(),
    };
    let session = start(spot, &plan.name, launch, None, context).map_err(|error| {
        let why =
            format!("the worktree {path} is there, and no window could be opened in it: {error}");
        Failure::failed(why)
            .hint("`tally new --cwd` opens one; `tally worktree remove` takes it away.")
    })?;
    Ok(Outcome {
        path,
        branch: plan.branch.clone(),
        created_branch,
        session: session.id.to_string(),
        hook_error,
    })
}
