//! Who holds a pane: the foreground process group of its terminal, its members and what they started
//! (`facts`: a pane's program is not always the group's leader).

use std::collections::VecDeque;

use session_core::{AgentName, Corroboration, ProcessRef};

use super::recognise::{Recogniser, Role, is_prompt, is_remote};
use super::table::{ProcessGone, ProcessStat, ProcessTable};

/// How many processes of a pane are looked at.
const MAX_PROCESSES: usize = 128;
/// How far below the pane's process they are looked for.
const MAX_DEPTH: usize = 8;

/// Who holds a pane's foreground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// An agent.
    Agent(AgentName, ProcessRef),
    /// A shell at its prompt.
    Shell {
        /// Whether nothing else runs or sleeps under it.
        alone: bool,
    },
    /// `ssh`, a container or another multiplexer, behind which anything may run (case B10).
    Remote,
    /// Some other program.
    Other,
    /// Nobody: the pane's process has ended.
    Dead,
    /// It cannot be known.
    Unknown,
}

/// One process of a pane and its place.
struct Member {
    stat: ProcessStat,
    depth: usize,
    /// Whether it is in the foreground group, or descends from it behind another terminal, as under `sudo`.
    inside: bool,
}

/// Finds out who holds the foreground of the pane whose process is `pane`.
#[must_use]
pub fn holder(table: &dyn ProcessTable, recogniser: &Recogniser, pane: u32) -> Holder {
    let root = match table.stat(pane) {
        Ok(root) if root.zombie => return Holder::Dead,
        Ok(root) => root,
        Err(ProcessGone::Gone) => return Holder::Dead,
        Err(ProcessGone::Unreadable) => return Holder::Unknown,
    };
    let foreground = root.foreground;
    let in_group = |stat: &ProcessStat| foreground.is_none_or(|group| stat.group == group);
    let prompt = in_group(&root) && is_prompt(&table.argv(root.pid));
    let mut leader = root.clone();
    let mut count = 0;
    let mut queue = VecDeque::from([Member {
        inside: in_group(&root),
        stat: root.clone(),
        depth: 0,
    }]);
    while let Some(member) = queue.pop_front() {
        if member.inside
            && let Some((agent, role)) = recogniser.recognise(table, &member.stat)
        {
            let process = program_of(table, recogniser, &agent, role, member.stat);
            return Holder::Agent(agent, process);
        }
        if foreground == Some(member.stat.pid) {
            leader = member.stat.clone();
        }
        if member.depth >= MAX_DEPTH {
            continue;
        }
        // What a shell at its prompt has below it are jobs in the background, and what they detached.
        let hands_down =
            member.inside && !(prompt && member.stat.pid == root.pid && foreground.is_some());
        for child in table.children(member.stat.pid) {
            count += 1;
            if count > MAX_PROCESSES {
                break;
            }
            let Ok(stat) = table.stat(child) else {
                continue;
            };
            if stat.zombie {
                continue;
            }
            let inside = match foreground {
                Some(group) if stat.terminal == root.terminal => stat.group == group,
                _ => hands_down,
            };
            queue.push_back(Member {
                stat,
                depth: member.depth + 1,
                inside,
            });
        }
    }
    // Without foreground groups, a shell holds the pane as long as nothing runs under it.
    let shell = match foreground {
        Some(_) => is_prompt(&table.argv(leader.pid)),
        None => prompt && count == 0,
    };
    if shell {
        Holder::Shell {
            alone: leader.pid == root.pid && count == 0,
        }
    } else if is_remote(&table.argv(leader.pid)) {
        Holder::Remote
    } else {
        Holder::Other
    }
}

/// The agent's program proper: below a script that runs it, the program it started.
fn program_of(
    table: &dyn ProcessTable,
    recogniser: &Recogniser,
    agent: &AgentName,
    role: Role,
    stat: ProcessStat,
) -> ProcessRef {
    let mut found = (stat, role);
    for _ in 0..MAX_DEPTH {
        if found.1 == Role::Program {
            break;
        }
        let below = table.children(found.0.pid).into_iter().find_map(|child| {
            let stat = table.stat(child).ok().filter(|stat| !stat.zombie)?;
            let (name, role) = recogniser.recognise(table, &stat)?;
            (name == *agent).then_some((stat, role))
        });
        match below {
            Some(below) => found = below,
            None => break,
        }
    }
    found.0.reference()
}

/// What the holder of a pane says about a session of `agent` in it, whose process is `process`.
#[must_use]
pub fn corroborate(
    table: &dyn ProcessTable,
    holder: &Holder,
    agent: Option<&AgentName>,
    process: Option<ProcessRef>,
) -> Corroboration {
    match holder {
        Holder::Shell { .. } | Holder::Remote | Holder::Other
            if process.is_some_and(|process| table.is_stopped(process)) =>
        {
            Corroboration::Suspended
        }
        Holder::Agent(seen, _) if agent.is_none_or(|agent| agent == seen) => Corroboration::Agent,
        Holder::Agent(..) => Corroboration::ForeignAgent,
        Holder::Shell { .. } => Corroboration::Shell,
        Holder::Remote => Corroboration::Remote,
        Holder::Other => Corroboration::Other,
        Holder::Dead => Corroboration::Dead,
        Holder::Unknown => Corroboration::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use session_core::manifest::ProcessMatch;

    use super::super::fake::FakeProcesses;
    use super::*;

    const TERMINAL: u32 = 34_816;

    fn recogniser() -> Recogniser {
        let of = |name: &str| ProcessMatch {
            names: vec![name.into()],
            ..ProcessMatch::default()
        };
        let known = ["claude", "codex", "opencode"].map(|name| (name.parse().unwrap(), of(name)));
        Recogniser::new(known.to_vec())
    }

    fn judged(held: &Holder, agent: Option<&str>) -> Corroboration {
        let agent = agent.map(|agent| agent.parse().unwrap());
        corroborate(&FakeProcesses::default(), held, agent.as_ref(), None)
    }

    /// A pane with a shell (10) and what a test adds below it.
    fn pane(foreground: u32) -> FakeProcesses {
        FakeProcesses::default()
            .with(1, 0, "init")
            .with(5, 1, "tmux")
            .with(10, 5, "-zsh")
            .terminal(10, TERMINAL, foreground)
    }

    fn look(table: &FakeProcesses) -> Holder {
        holder(table, &recogniser(), 10)
    }

    fn agent(name: &str, pid: u32) -> Holder {
        Holder::Agent(
            name.parse().unwrap(),
            ProcessRef {
                pid,
                started: u64::from(pid),
            },
        )
    }

    #[test]
    fn case_c3_an_agent_behind_a_launcher_is_found() {
        let launcher = pane(20)
            .with(20, 10, "node /usr/bin/claude")
            .with(21, 20, "claude")
            .group(21, 20);
        assert_eq!(look(&launcher), agent("claude", 21));
        let script = pane(20)
            .with(20, 10, "node /usr/bin/claude")
            .with(21, 20, "node helper.js")
            .group(21, 20);
        assert_eq!(look(&script), agent("claude", 20));
    }

    #[test]
    fn case_c3_an_agent_behind_sudo_mise_or_nix_is_found_once_it_holds_the_foreground() {
        // `sudo` puts what it runs behind a terminal of its own.
        let sudo = pane(20)
            .with(20, 10, "sudo -u x codex")
            .with(21, 20, "codex")
            .terminal(21, 99, 21);
        assert_eq!(look(&sudo), agent("codex", 21));
        let mise = pane(20)
            .with(20, 10, "mise x -- codex")
            .with(21, 20, "codex")
            .group(21, 20);
        assert_eq!(look(&mise), agent("codex", 21));
        let nix = pane(20).with(20, 10, "nix run nixpkgs#opencode -- opencode");
        assert_eq!(look(&nix), Holder::Other);
        let nix = nix.with(21, 20, "opencode").group(21, 20);
        assert_eq!(look(&nix), agent("opencode", 21));
    }

    #[test]
    fn the_pane_s_own_process_can_be_the_agent_or_the_shell_that_runs_it() {
        let direct = FakeProcesses::default()
            .with(10, 1, "claude")
            .terminal(10, TERMINAL, 10);
        assert_eq!(look(&direct), agent("claude", 10));
        let wrapped = FakeProcesses::default()
            .with(10, 1, "bash -lc claude")
            .terminal(10, TERMINAL, 10)
            .with(11, 10, "claude")
            .group(11, 10);
        assert_eq!(look(&wrapped), agent("claude", 11));
    }

    #[test]
    fn a_member_of_a_pipeline_is_found_though_another_leads_it() {
        let table = pane(20)
            .with(20, 10, "cat")
            .with(21, 10, "claude")
            .group(21, 20);
        assert_eq!(look(&table), agent("claude", 21));
    }

    #[test]
    fn an_agent_in_the_background_does_not_hold_the_pane() {
        let stopped = pane(10).with(20, 10, "claude");
        assert_eq!(look(&stopped), Holder::Shell { alone: false });
        let detached = pane(10).with(20, 10, "claude").terminal(20, 0, 0);
        assert_eq!(look(&detached), Holder::Shell { alone: false });
        let beside = pane(21).with(20, 10, "claude").with(21, 10, "vim");
        assert_eq!(look(&beside), Holder::Other);
    }

    #[test]
    fn an_agent_started_by_an_agent_does_not_hold_the_pane() {
        let table = pane(20)
            .with(20, 10, "claude")
            .with(21, 20, "bash -c x")
            .terminal(21, 0, 0)
            .with(22, 21, "codex");
        assert_eq!(look(&table), agent("claude", 20));
    }

    #[test]
    fn a_shell_at_its_prompt_is_told_from_one_that_runs_something() {
        assert_eq!(look(&pane(10)), Holder::Shell { alone: true });
        assert_eq!(
            look(&pane(20).with(20, 10, "bash")),
            Holder::Shell { alone: false }
        );
        assert_eq!(look(&pane(20).with(20, 10, "bash build.sh")), Holder::Other);
        assert_eq!(look(&pane(20).with(20, 10, "make -j8")), Holder::Other);
    }

    #[test]
    fn case_b10_what_runs_behind_ssh_a_container_or_another_multiplexer_is_not_known() {
        for command in [
            "ssh host",
            "/usr/bin/mosh-client -# host 10.0.0.1 60001",
            "kubectl exec -it pod -- sh",
            "tmux attach",
            "docker run -it x",
            "zellij attach",
        ] {
            let held = look(&pane(20).with(20, 10, command));
            assert_eq!(held, Holder::Remote, "{command}");
            assert_eq!(judged(&held, None), Corroboration::Remote);
        }
        for command in ["sshfs host: /mnt", "vim ssh"] {
            assert_eq!(look(&pane(20).with(20, 10, command)), Holder::Other);
        }
    }

    #[test]
    fn case_c7_a_restored_shell_is_no_agent_whatever_its_pane_is_called() {
        assert_eq!(
            judged(&look(&pane(10)), Some("claude")),
            Corroboration::Shell
        );
    }

    #[test]
    fn a_dead_pane_and_an_unreadable_table_are_told_apart() {
        assert_eq!(look(&pane(10).without(10)), Holder::Dead);
        assert_eq!(look(&pane(10).unreadable()), Holder::Unknown);
    }

    #[test]
    fn without_foreground_groups_any_agent_below_the_pane_counts() {
        let table = FakeProcesses::default().with(10, 1, "-zsh");
        assert_eq!(look(&table), Holder::Shell { alone: true });
        let table = table.with(20, 10, "bash -c x").with(21, 20, "claude");
        assert_eq!(look(&table), agent("claude", 21));
    }

    #[test]
    fn an_agent_that_was_suspended_is_told_from_one_that_runs_behind_a_shell() {
        let claude = ProcessRef {
            pid: 20,
            started: 20,
        };
        let judged = |table: &FakeProcesses| {
            let agent = "claude".parse().unwrap();
            corroborate(table, &look(table), Some(&agent), Some(claude))
        };
        let table = pane(10).with(20, 10, "claude");
        assert_eq!(judged(&table), Corroboration::Shell);
        let table = table.stopped(20, true);
        assert_eq!(judged(&table), Corroboration::Suspended);
        let another = table.started(20, 999);
        assert_eq!(judged(&another), Corroboration::Shell);
    }

    #[test]
    fn a_session_of_another_agent_is_contradicted() {
        let held = agent("codex", 3);
        assert_eq!(judged(&held, Some("claude")), Corroboration::ForeignAgent);
        assert_eq!(judged(&held, Some("codex")), Corroboration::Agent);
        assert_eq!(judged(&held, None), Corroboration::Agent);
    }
}
