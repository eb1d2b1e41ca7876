//! Where zellij and the plugin keep their files.

use std::path::{Path, PathBuf};

use session_host::env::Env;
use session_host::paths::FLAVOUR;

use super::error::InstallError;

/// The files that matter to the plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The person's `config.kdl`; it need not exist.
    pub config: PathBuf,
    /// Where zellij looks for layouts by name.
    pub layouts: PathBuf,
    /// Where zellij remembers what the person has granted to plugins.
    pub permissions: PathBuf,
    /// Where the plugin lies.
    pub plugin: PathBuf,
}

const SYSTEM: &str = "/etc/zellij";

impl Places {
    /// The places that an environment leads to, as zellij itself looks for them.
    ///
    /// # Errors
    /// When there is no home, or when making a configuration would hide the system's.
    pub fn of(env: &Env) -> Result<Self, InstallError> {
        let home = env.path("HOME").ok_or(InstallError::NoHome)?;
        let base = |variable: &str, default: &str| {
            env.path(variable).unwrap_or_else(|| home.join(default))
        };
        let (cache, of_platform) = if cfg!(target_os = "macos") {
            let name = "org.Zellij-Contributors.Zellij";
            (
                home.join("Library/Caches").join(name),
                home.join("Library/Application Support").join(name),
            )
        } else {
            let config = base("XDG_CONFIG_HOME", ".config").join("zellij");
            (base("XDG_CACHE_HOME", ".cache").join("zellij"), config)
        };
        let folder = match env.path("ZELLIJ_CONFIG_DIR") {
            Some(folder) => folder,
            None => {
                let first = home.join(".config/zellij");
                let there = [&first, &of_platform]
                    .into_iter()
                    .find(|folder| folder.is_dir());
                match there {
                    Some(folder) => folder.clone(),
                    None if Path::new(SYSTEM).is_dir() => {
                        return Err(InstallError::SystemOnly(PathBuf::from(SYSTEM)));
                    }
                    None => first,
                }
            }
        };
        Ok(Self {
            config: env
                .path("ZELLIJ_CONFIG_FILE")
                .unwrap_or_else(|| folder.join("config.kdl")),
            layouts: env
                .path("ZELLIJ_LAYOUT_DIR")
                .unwrap_or_else(|| folder.join("layouts")),
            permissions: cache.join("permissions.kdl"),
            plugin: base("XDG_DATA_HOME", ".local/share")
                .join(FLAVOUR)
                .join("tally.wasm"),
        })
    }

    /// The plugin's path as it stands in zellij's files.
    ///
    /// # Errors
    /// When it cannot be written as plain text.
    pub fn plugin_text(&self) -> Result<&str, InstallError> {
        let plain = |text: &&str| {
            !text
                .chars()
                .any(|char| char.is_control() || "\"\\".contains(char))
        };
        let text = self.plugin.to_str().filter(plain);
        text.ok_or_else(|| InstallError::Path(self.plugin.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_is_where_zellij_looks_first() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path();
        let env = |more: &[(&str, PathBuf)]| {
            let mut vars = vec![("HOME", home.to_owned())];
            vars.extend(more.iter().cloned());
            Places::of(&vars.into_iter().collect()).map(|places| places.config)
        };
        let of = |more: &[(&str, PathBuf)]| env(more).unwrap();
        let elsewhere = home.join("elsewhere");
        if !Path::new(SYSTEM).is_dir() {
            assert_eq!(of(&[]), home.join(".config/zellij/config.kdl"));
        }
        std::fs::create_dir_all(elsewhere.join("zellij")).unwrap();
        if cfg!(target_os = "linux") {
            // The variable counts only when there is no ~/.config/zellij.
            let xdg = ("XDG_CONFIG_HOME", elsewhere.clone());
            assert_eq!(
                of(std::slice::from_ref(&xdg)),
                elsewhere.join("zellij/config.kdl")
            );
            std::fs::create_dir_all(home.join(".config/zellij")).unwrap();
            assert_eq!(of(&[xdg]), home.join(".config/zellij/config.kdl"));
        }
        assert_eq!(
            of(&[("ZELLIJ_CONFIG_DIR", elsewhere.clone())]),
            elsewhere.join("config.kdl")
        );
        let file = elsewhere.join("mine.kdl");
        assert_eq!(of(&[("ZELLIJ_CONFIG_FILE", file.clone())]), file);
        assert!(matches!(
            Places::of(&Env::default()),
            Err(InstallError::NoHome)
        ));
    }

    #[test]
    fn a_path_that_would_need_quoting_is_refused() {
        let plugin = |path: &str| {
            let path = PathBuf::from(path);
            let places = Places {
                config: PathBuf::new(),
                layouts: PathBuf::new(),
                permissions: PathBuf::new(),
                plugin: path,
            };
            places.plugin_text().map(str::to_owned)
        };
        assert_eq!(
            plugin("/home/a b/é/tally.wasm").unwrap(),
            "/home/a b/é/tally.wasm"
        );
        assert!(plugin("/home/\"/tally.wasm").is_err());
        assert!(plugin("/home/\n/tally.wasm").is_err());
    }
}
