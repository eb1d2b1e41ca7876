//! The programs that Tallylight's tests and its users need.

use crate::program::on_path;

/// A program and the packages that bring it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Need {
    pub(super) program: &'static str,
    pub(super) apt: &'static str,
    pub(super) brew: &'static str,
}

const fn same_name(program: &'static str) -> Need {
    Need {
        program,
        apt: program,
        brew: program,
    }
}

const TMUX: Need = same_name("tmux");

pub(super) const FOR_RUNNING: &[Need] = &[TMUX];

/// Node.js and npm run the real agents, zsh and fish load the shell functions, and pip fetches in
/// seconds the tools that would be minutes of compiling.
pub(super) const FOR_TESTS: &[Need] = &[
    TMUX,
    Need {
        program: "node",
        apt: "nodejs",
        brew: "node",
    },
    Need {
        program: "npm",
        apt: "npm",
        brew: "node",
    },
    Need {
        program: "pip3",
        apt: "python3-pip",
        brew: "python",
    },
    same_name("shellcheck"),
    same_name("zsh"),
    same_name("fish"),
];

/// Those of `needs` that are not on the search path.
pub(super) fn missing(needs: &[Need]) -> Vec<Need> {
    needs
        .iter()
        .filter(|need| on_path(need.program).is_none())
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_there_is_missing() {
        let absent = same_name("no-such-program-anywhere");
        assert_eq!(missing(&[same_name("sh"), absent]), [absent]);
    }
}
