//! Worktrees of git: what git tells of them, and what is decided about them.

use serde::Serialize;

/// The most that are made at once.
const MOST: usize = 50;

/// One worktree, as `git worktree list --porcelain -z` tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Worktree {
    /// Its folder.
    pub path: String,
    /// The commit that is checked out.
    pub head: Option<String>,
    /// The branch; `None` where none is checked out.
    pub branch: Option<String>,
    /// Whether it is the main checkout.
    pub main: bool,
    /// Whether git holds it, and must not remove it.
    pub locked: bool,
    /// Whether its folder is gone.
    pub prunable: bool,
}

impl Worktree {
    /// Reads what git prints. The first one is the main checkout.
    #[must_use]
    pub fn read_all(printed: &str) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for line in printed.split('\0') {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            if word == "worktree" {
                all.push(Self {
                    path: rest.to_owned(),
                    main: all.is_empty(),
                    ..Self::default()
                });
                continue;
            }
            let Some(tree) = all.last_mut() else { continue };
            match word {
                "HEAD" => tree.head = Some(rest.to_owned()),
                "branch" => {
                    let name = rest.strip_prefix("refs/heads/").unwrap_or(rest);
                    tree.branch = Some(name.to_owned());
                }
                "locked" => tree.locked = true,
                "prunable" => tree.prunable = true,
                _ => {}
            }
        }
        all
    }
}

/// The folder for a new worktree beside the main checkout: `/x/app` and `feature/login` give
/// `/x/app.worktrees/feature-login`.
#[must_use]
pub fn worktree_path(main: &str, branch: &str) -> String {
    let folder = branch.replace(['/', '\\'], "-");
    // git allows no such branch; a folder by that name would be another one, or hidden.
    let folder = folder.trim_start_matches('.');
    format!("{}.worktrees/{folder}", main.trim_end_matches('/'))
}

/// The names of `count` branches that are made of one.
///
/// # Errors
/// When it is none, or too many.
pub fn fan(branch: &str, count: usize) -> Result<Vec<String>, FanError> {
    if count == 0 || count > MOST {
        return Err(FanError(count));
    }
    Ok((1..=count)
        .map(|number| format!("{branch}-{number}"))
        .collect())
}

/// So many worktrees are not made at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} worktrees cannot be made at once: give a number from 1 to {MOST}")]
pub struct FanError(pub usize);

/// What would be lost, or left without its ground, by removing a worktree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stakes {
    /// Changes that are not committed, as `git status --porcelain` lists them.
    pub changes: Vec<String>,
    /// Commits that are on no remote and on no other branch, one a line.
    pub commits: Vec<String>,
    /// The live sessions in it, in words.
    pub sessions: Vec<String>,
}

/// What the person allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// To lose changes, and to take the folder from under a session.
    pub force: bool,
    /// To keep the changes in git's stash.
    pub stash: bool,
}

/// What is done about the changes, when the worktree may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// There is nothing to lose.
    Plain,
    /// They are put into the stash first.
    Stash,
    /// They are lost.
    Force,
}

impl Stakes {
    /// Whether the worktree may be removed, and how.
    ///
    /// # Errors
    /// Why not, a reason a line, each with what it is about below it.
    pub fn decide(&self, allowed: Allowed) -> Result<Removal, Vec<String>> {
        let mut why = Vec::new();
        let mut tell = |what: &str, about: &[String]| {
            if !about.is_empty() {
                why.push(format!("{what}:"));
                why.extend(about.iter().map(|line| format!("  {line}")));
            }
        };
        if !allowed.force {
            if !allowed.stash {
                tell("it has changes that are not committed", &self.changes);
            }
            tell(
                "it has commits that are on no remote and on no other branch",
                &self.commits,
            );
            tell("a session is in it", &self.sessions);
        }
        if !why.is_empty() {
            return Err(why);
        }
        Ok(match (self.changes.is_empty(), allowed.stash) {
            (true, _) => Removal::Plain,
            (false, true) => Removal::Stash,
            (false, false) => Removal::Force,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_git_is_read() {
        let printed = "worktree /x/app\0HEAD 12\0branch refs/heads/main\0\0worktree /x/a b\nc\0HEAD 34\0detached\0locked why so\0\0\
                       worktree /x/gone\0HEAD 56\0branch refs/heads/feature/login\0prunable gitdir file points to non-existent location\0\0";
        let all = Worktree::read_all(printed);
        let told: Vec<_> = all
            .iter()
            .map(|tree| (tree.path.as_str(), tree.branch.as_deref(), tree.main))
            .collect();
        assert_eq!(
            told,
            [
                ("/x/app", Some("main"), true),
                ("/x/a b\nc", None, false),
                ("/x/gone", Some("feature/login"), false)
            ]
        );
        assert!(all[1].locked && !all[1].prunable && all[2].prunable);
        assert_eq!(Worktree::read_all(""), []);
    }

    #[test]
    fn a_worktree_lies_beside_its_main_checkout() {
        let path = worktree_path("/x/app/", "feature/login");
        assert_eq!(path, "/x/app.worktrees/feature-login");
        assert!(!worktree_path("/x/app", "../../etc").contains("/.."));
    }

    #[test]
    fn a_fan_is_numbered_from_one() {
        assert_eq!(fan("a", 2).unwrap(), ["a-1", "a-2"]);
        assert_eq!(fan("a", 0), Err(FanError(0)));
        assert_eq!(fan("a", 51), Err(FanError(51)));
    }

    #[test]
    fn work_is_lost_only_when_that_is_allowed() {
        let (none, force, stash) = (
            Allowed::default(),
            Allowed {
                force: true,
                stash: false,
            },
            Allowed {
                force: false,
                stash: true,
            },
        );
        let one = |word: &str| vec![word.to_owned()];
        assert_eq!(Stakes::default().decide(none), Ok(Removal::Plain));
        let dirty = Stakes {
            changes: one(" M a"),
            ..Stakes::default()
        };
        assert_eq!(
            dirty.decide(none).unwrap_err(),
            ["it has changes that are not committed:", "   M a"]
        );
        assert_eq!(dirty.decide(stash), Ok(Removal::Stash));
        assert_eq!(dirty.decide(force), Ok(Removal::Force));
        let both = Allowed {
            force: true,
            stash: true,
        };
        assert_eq!(
            dirty.decide(both),
            Ok(Removal::Stash),
            "what can be kept is kept"
        );
        for stakes in [
            Stakes {
                commits: one("12 x"),
                ..Stakes::default()
            },
            Stakes {
                sessions: one("api"),
                ..Stakes::default()
            },
        ] {
            assert!(stakes.decide(none).is_err());
            assert!(
                stakes.decide(stash).is_err(),
                "the stash keeps no commit and no session"
            );
            assert_eq!(stakes.decide(force), Ok(Removal::Plain));
        }
    }
}
