//! Which repository a directory belongs to, read off the file system alone.

use std::path::{Component, Path, PathBuf};

use crate::files::read_regular_text;

/// The most that is read of a file that only holds a path.
const MAX_BYTES: u64 = 4096;

/// How much of a commit's name is shown.
const SHORT: usize = 8;

/// The main checkout of the repository that a directory belongs to: for a linked worktree the checkout it was made
/// from, for a submodule its own folder. `None` outside every repository.
#[must_use]
pub fn of(directory: &Path) -> Option<PathBuf> {
    if !directory.is_absolute() {
        return None;
    }
    directory.ancestors().find_map(|folder| {
        let git = folder.join(".git");
        let found = std::fs::metadata(&git).ok()?;
        if found.is_dir() {
            return Some(folder.to_owned());
        }
        Some(main_checkout(folder, &git).unwrap_or_else(|| folder.to_owned()))
    })
}

/// What is checked out in a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkout {
    /// The branch; the beginning of a commit's name where none is.
    pub head: String,
    /// The folder's name, where it is a linked worktree.
    pub worktree: Option<String>,
}

/// What is checked out in a directory. `None` outside every repository, and where it cannot be told.
#[must_use]
pub fn checkout(directory: &Path) -> Option<Checkout> {
    if !directory.is_absolute() {
        return None;
    }
    let (folder, git) = directory.ancestors().find_map(|folder| {
        let git = folder.join(".git");
        std::fs::metadata(&git).ok().map(|_| (folder, git))
    })?;
    let (own, linked) = if git.is_dir() {
        (git, false)
    } else {
        let line = read(&git)?;
        let own = join(folder, line.strip_prefix("gitdir:")?.trim());
        let linked = own.join("commondir").is_file();
        (own, linked)
    };
    let head = read(&own.join("HEAD"))?;
    let head = head.trim();
    let head = match head.strip_prefix("ref:") {
        Some(name) => {
            let name = name.trim();
            name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()
        }
        None => head.chars().take(SHORT).collect(),
    };
    let name = folder.file_name().filter(|_| linked);
    let worktree = name.map(|name| name.to_string_lossy().into_owned());
    (!head.is_empty()).then_some(Checkout { head, worktree })
}

/// Follows a `.git` file to the checkout it was made from (gitrepository-layout(5)).
fn main_checkout(folder: &Path, git: &Path) -> Option<PathBuf> {
    let line = read(git)?;
    let own = join(folder, line.strip_prefix("gitdir:")?.trim());
    // Only linked worktrees have this file; a submodule's folder has none.
    let common = join(&own, read(&own.join("commondir"))?.trim());
    match common.file_name() {
        Some(name) if name == ".git" => common.parent().map(Path::to_owned),
        _ => Some(common),
    }
}

fn read(path: &Path) -> Option<String> {
    read_regular_text(path, MAX_BYTES).ok()
}

/// Joins two paths and takes `..` out, without asking the file system.
fn join(base: &Path, path: &str) -> PathBuf {
    let mut joined = PathBuf::new();
    for component in base.join(path).components() {
        match component {
            Component::ParentDir => {
                joined.pop();
            }
            Component::CurDir => {}
            other => joined.push(other),
        }
    }
    joined
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests set repositories up")]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_directory_belongs_to_the_checkout_above_it() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("main");
        fs::create_dir_all(main.join(".git/worktrees/side")).unwrap();
        fs::create_dir_all(main.join("src/deep")).unwrap();
        assert_eq!(of(&main.join("src/deep")), Some(main.clone()));
        assert_eq!(of(&main.join("src/not/there")), Some(main.clone()));
        assert_eq!(of(Path::new("src")), None);

        let side = folder.path().join("side/sub");
        fs::create_dir_all(&side).unwrap();
        let own = main.join(".git/worktrees/side");
        fs::write(
            folder.path().join("side/.git"),
            format!("gitdir: {}\n", own.display()),
        )
        .unwrap();
        fs::write(own.join("commondir"), "../..\n").unwrap();
        assert_eq!(
            of(&side),
            Some(main.clone()),
            "a worktree belongs to its main checkout"
        );

        let module = main.join("vendor/module");
        fs::create_dir_all(&module).unwrap();
        fs::write(module.join(".git"), "gitdir: ../../.git/modules/module\n").unwrap();
        assert_eq!(
            of(&module),
            Some(module.clone()),
            "a submodule is a repository of its own"
        );
    }

    #[test]
    fn a_broken_link_leaves_the_folder_itself() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".git"), "nonsense").unwrap();
        assert_eq!(of(folder.path()), Some(folder.path().to_owned()));
    }

    #[test]
    fn a_branch_and_a_worktree_are_read_off_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("main");
        let own = main.join(".git/worktrees/side");
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(main.join("src")).unwrap();
        assert_eq!(checkout(&main), None, "there is no HEAD");
        fs::write(main.join(".git/HEAD"), "ref: refs/heads/feature/login\n").unwrap();
        let found = checkout(&main.join("src")).unwrap();
        assert_eq!(
            (found.head.as_str(), found.worktree),
            ("feature/login", None)
        );

        let side = folder.path().join("side");
        fs::create_dir_all(&side).unwrap();
        fs::write(side.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
        fs::write(own.join("commondir"), "../..\n").unwrap();
        fs::write(
            own.join("HEAD"),
            "0123456789abcdef0123456789abcdef01234567\n",
        )
        .unwrap();
        let found = checkout(&side).unwrap();
        assert_eq!(found.head, "01234567");
        assert_eq!(found.worktree.as_deref(), Some("side"));
        assert_eq!(checkout(folder.path()), None);
        assert_eq!(checkout(Path::new("src")), None);
    }
}
