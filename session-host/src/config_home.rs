//! Where an agent keeps its configuration.

use std::path::PathBuf;

use session_core::manifest::ConfigHome;

/// What a path begins with that is below the folder of all configurations.
const XDG: &str = "$XDG_CONFIG_HOME/";

/// Why it cannot be told where an agent keeps its configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HomeError {
    /// The agent's variable says where in a form that depends on who reads it.
    #[error("{variable} is {value:?}, which is no absolute path; set it to one, or unset it")]
    Relative {
        /// The variable.
        variable: String,
        /// What it says.
        value: String,
    },
    /// There is no home folder to begin at.
    #[error("HOME is not set")]
    NoHome,
}

/// Where an agent keeps its configuration: where its own variable says, else at its default (case E11). `env` answers
/// for the agent's environment.
///
/// # Errors
/// When that cannot be told for certain.
pub fn config_home(
    home: &ConfigHome,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<PathBuf, HomeError> {
    let given = |variable: &str| env(variable).filter(|value| !value.is_empty());
    let named = home
        .variable
        .as_ref()
        .and_then(|variable| Some((variable, given(variable)?)));
    if let Some((variable, value)) = named {
        let path = PathBuf::from(&value);
        if !path.is_absolute() {
            return Err(HomeError::Relative {
                variable: variable.clone(),
                value,
            });
        }
        return Ok(home
            .below
            .as_ref()
            .map_or(path.clone(), |below| path.join(below)));
    }
    let user = || {
        given("HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
            .ok_or(HomeError::NoHome)
    };
    if let Some(below) = home.default.strip_prefix(XDG) {
        // A relative one is to be ignored, as its specification says.
        let base = given("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute());
        let base = base.map_or_else(|| Ok(user()?.join(".config")), Ok)?;
        return Ok(base.join(below));
    }
    match home.default.strip_prefix("~/") {
        Some(below) => Ok(user()?.join(below)),
        None => Ok(PathBuf::from(&home.default)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rstest::rstest;

    use super::*;

    fn home(default: &str) -> ConfigHome {
        ConfigHome {
            variable: Some("A_HOME".to_owned()),
            below: None,
            default: default.to_owned(),
        }
    }

    #[rstest]
    #[case("~/.a", &[("HOME", "/h/")], "/h/.a")]
    #[case("~/.a", &[("HOME", "/h"), ("A_HOME", "/x")], "/x")]
    #[case("~/.a", &[("HOME", "/h"), ("A_HOME", "")], "/h/.a")]
    #[case("$XDG_CONFIG_HOME/a", &[("HOME", "/h")], "/h/.config/a")]
    #[case("$XDG_CONFIG_HOME/a", &[("HOME", "/h"), ("XDG_CONFIG_HOME", "/c")], "/c/a")]
    #[case("$XDG_CONFIG_HOME/a", &[("HOME", "/h"), ("XDG_CONFIG_HOME", "c")], "/h/.config/a")]
    #[case("/etc/a", &[], "/etc/a")]
    fn case_e11_the_agents_own_variable_comes_first(
        #[case] default: &str,
        #[case] vars: &[(&str, &str)],
        #[case] path: &str,
    ) {
        let env = |name: &str| {
            let known = vars.iter().find(|(known, _)| *known == name);
            known.map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(config_home(&home(default), &env).unwrap(), Path::new(path));
    }

    #[rstest]
    #[case("~/x")]
    #[case("./x")]
    fn case_e11_a_path_that_depends_on_its_reader_is_refused(#[case] value: &str) {
        let env = |name: &str| (name == "A_HOME").then(|| value.to_owned());
        let error = config_home(&home("~/.a"), &env).unwrap_err();
        assert!(error.to_string().contains("A_HOME is"), "{error}");
    }

    #[test]
    fn a_variable_may_name_the_folder_above() {
        let env = |name: &str| (name == "A_HOME").then(|| "/x".to_owned());
        let home = ConfigHome {
            below: Some(".a".to_owned()),
            ..home("~/.a")
        };
        assert_eq!(config_home(&home, &env).unwrap(), Path::new("/x/.a"));
    }
}
