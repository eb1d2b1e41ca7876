//! Finding an agent's program.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::error::WiringError;
use crate::env::Env;

/// Finds a command as a shell without functions and aliases would, but passes over this program itself.
///
/// # Errors
/// When there is none, or only one that cannot be run.
pub fn find_executable(env: &Env, command: &str, own: &Path) -> Result<PathBuf, WiringError> {
    let own = own.canonicalize().ok();
    let mut blocked = None;
    for folder in env.search_path() {
        let path = if folder.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            folder
        }
        .join(OsStr::new(command));
        if !path.is_file() || (own.is_some() && path.canonicalize().ok() == own) {
            continue;
        }
        if access(&path, Access::EXEC_OK).is_ok() {
            return Ok(path);
        }
        blocked.get_or_insert(path);
    }
    Err(match blocked {
        Some(path) => WiringError::NotExecutable(path),
        None => WiringError::NotFound(command.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn program(path: &Path, mode: u32) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(path).unwrap();
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_first_program_that_can_be_run_and_is_not_tally_itself_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        program(&root.join("own/tally"), 0o755);
        fs::create_dir_all(root.join("a/claude")).unwrap();
        program(&root.join("b/claude"), 0o644);
        fs::create_dir_all(root.join("c")).unwrap();
        symlink(root.join("own/tally"), root.join("c/claude")).unwrap();
        program(&root.join("d/claude"), 0o755);
        let search = |names: &[&str]| {
            let path = std::env::join_paths(names.iter().map(|name| root.join(name))).unwrap();
            let env: Env = [("PATH", path)].into_iter().collect();
            find_executable(&env, "claude", &root.join("own/tally"))
        };
        assert_eq!(
            search(&["missing", "a", "b", "c", "d"]).unwrap(),
            root.join("d/claude")
        );
        assert!(
            matches!(search(&["a", "b"]), Err(WiringError::NotExecutable(path)) if path == root.join("b/claude"))
        );
        assert!(matches!(search(&["a", "c"]), Err(WiringError::NotFound(_))));
    }
}
