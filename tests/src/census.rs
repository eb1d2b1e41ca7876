//! Which processes a process has started, told by the kernel: what lives for a millisecond is counted as well.

use std::fs;

/// What a process has started so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// The page faults of all children that have ended and were waited for. Every one of them has some.
    ended: u64,
    /// The children that have not ended.
    living: Vec<u32>,
}

impl Census {
    /// The census of a process of this machine; Linux only.
    ///
    /// # Panics
    ///
    /// When the process is gone.
    #[must_use]
    pub fn of(pid: u32) -> Self {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("a process");
        let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
        let ended = fields.split_whitespace().nth(8).expect("the tenth field");
        let mut living: Vec<u32> = fs::read_dir(format!("/proc/{pid}/task"))
            .expect("its threads")
            .flatten()
            .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
            .flat_map(|children| {
                let children = children.split_whitespace();
                children
                    .map(|child| child.parse().expect("a number"))
                    .collect::<Vec<u32>>()
            })
            .collect();
        living.sort_unstable();
        Self {
            ended: ended.parse().expect("a number"),
            living,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_child_is_counted_while_it_lives_and_after_its_end() {
        let own = std::process::id();
        let before = Census::of(own);
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let meanwhile = Census::of(own);
        assert!(meanwhile.living.contains(&child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
        let after = Census::of(own);
        assert!(after.ended > before.ended && !after.living.contains(&child.id()));
    }
}
