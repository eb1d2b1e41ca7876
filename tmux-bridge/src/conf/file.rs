//! The files that tmux reads at its start, as far as they are one person's.

use std::path::{Path, PathBuf};

use session_host::env::Env;

/// All that tmux may read, in its order; also those that are not there. The system's own is not among them: what is in
/// it concerns others as well.
#[must_use]
pub fn files(env: &Env) -> Vec<PathBuf> {
    let home = env.path("HOME");
    let of_home = |file: &str| home.as_ref().map(|home| home.join(file));
    let files = [
        of_home(".tmux.conf"),
        env.path("XDG_CONFIG_HOME")
            .map(|base| base.join("tmux/tmux.conf")),
        of_home(".config/tmux/tmux.conf"),
    ];
    files.into_iter().flatten().collect()
}

/// The file for our line: the last one of those tmux reads, or the one it would read if there is none.
#[must_use]
pub fn file(env: &Env) -> Option<PathBuf> {
    let files = files(env);
    let there = files.iter().rfind(|file| file.is_file());
    // Where the person keeps tmux's folder, the file belongs into it.
    let folder = || {
        files.iter().find(|file| {
            file.ends_with("tmux/tmux.conf") && file.parent().is_some_and(Path::is_dir)
        })
    };
    there.or_else(folder).or(files.first()).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_the_last_one_that_tmux_reads() {
        let home = tempfile::tempdir().unwrap();
        let env: Env = [("HOME", home.path())].into_iter().collect();
        let plain = home.path().join(".tmux.conf");
        let xdg = home.path().join(".config/tmux/tmux.conf");
        assert_eq!(file(&env), Some(plain.clone()));
        std::fs::create_dir_all(xdg.parent().unwrap()).unwrap();
        assert_eq!(file(&env), Some(xdg.clone()));
        std::fs::File::create(&plain).unwrap();
        assert_eq!(file(&env), Some(plain));
        std::fs::File::create(&xdg).unwrap();
        assert_eq!(file(&env), Some(xdg));
        let elsewhere = home.path().join("elsewhere");
        let env: Env = [
            ("HOME", home.path()),
            ("XDG_CONFIG_HOME", elsewhere.as_path()),
        ]
        .into_iter()
        .collect();
        std::fs::remove_file(home.path().join(".config/tmux/tmux.conf")).unwrap();
        assert_eq!(file(&env), Some(home.path().join(".tmux.conf")));
        assert_eq!(file(&Env::default()), None);
    }
}
