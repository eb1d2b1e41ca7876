//! Which pane a signal is from, by cases.

use rstest::rstest;
use session_core::manifest::ProcessMatch;
use session_core::{AgentName, Mux, PaneId, ProcessRef};

use super::{Origin, Reporter, origin};
use crate::env::Env;
use crate::process::{FakeProcesses, Recogniser};

const TMUX: (&str, &str) = ("TMUX", "/tmp/tmux-1000/default,5,0");

fn agent(name: &str) -> AgentName {
    name.parse().unwrap()
}

fn recogniser() -> Recogniser {
    let of = |name: &str| ProcessMatch {
        names: vec![name.into()],
        ..ProcessMatch::default()
    };
    Recogniser::new(
        ["claude", "codex"]
            .map(|name| (agent(name), of(name)))
            .to_vec(),
    )
}

fn find(table: &FakeProcesses, env: &[(&str, &str)]) -> Origin {
    find_as(table, env, None)
}

fn find_as(table: &FakeProcesses, env: &[(&str, &str)], pid: Option<u32>) -> Origin {
    let env: Env = env.iter().copied().collect();
    let claude = agent("claude");
    origin(
        &env,
        table,
        &recogniser(),
        Reporter {
            agent: Some(&claude),
            pid,
        },
    )
}

/// init(1) > tmux(5) > zsh(10), and what a test adds; the hook is 99.
fn in_tmux() -> FakeProcesses {
    FakeProcesses::default()
        .with(1, 0, "init")
        .with(5, 1, "tmux")
        .with(10, 5, "-zsh")
        .own(99)
}

fn process(pid: u32) -> Option<ProcessRef> {
    Some(ProcessRef {
        pid,
        started: u64::from(pid),
    })
}

#[test]
fn the_pane_is_the_one_that_the_environment_names_under_its_server() {
    let table = in_tmux()
        .with(20, 10, "claude")
        .with(30, 20, "sh -c hook")
        .with(99, 30, "tally signal");
    let found = find(&table, &[TMUX, ("TMUX_PANE", "%7")]);
    let place = found.place.unwrap();
    assert_eq!(
        (place.mux, place.socket.as_str(), place.server_pid),
        (Mux::Tmux, "/tmp/tmux-1000/default", 5)
    );
    assert_eq!(
        (place.pane, place.pane_pid, place.server_started),
        (PaneId(7), Some(10), Some(5))
    );
    assert_eq!(
        (found.process, found.nested, found.readable),
        (process(20), None, true)
    );
}

#[test]
fn case_b1_a_server_without_a_pane_is_not_guessed() {
    let table = in_tmux()
        .with(20, 10, "claude")
        .with(99, 20, "tally signal");
    let found = find(&table, &[TMUX]);
    assert_eq!(found.place, None);
    assert!(found.why.unwrap().contains("TMUX_PANE"));
    assert_eq!(
        find(&table, &[]).why.as_deref(),
        Some("no multiplexer in the environment")
    );
    assert_eq!(find(&table, &[TMUX, ("TMUX_PANE", "7")]).place, None);
}

#[test]
fn case_b1_a_claimed_server_that_is_no_tmux_is_not_believed() {
    let table = in_tmux().with(99, 10, "tally signal");
    for pid in [1, 10] {
        let claim = format!("/tmp/tmux-1000/default,{pid},0");
        let found = find(&table, &[("TMUX", claim.as_str()), ("TMUX_PANE", "%7")]);
        assert_eq!(found.place, None, "{pid}");
    }
}

#[test]
fn case_b10_a_hook_in_a_popup_names_no_pane() {
    // A popup's process is a child of the server, as a pane's is; only the pane's name is missing.
    let table = in_tmux().with(20, 5, "claude").with(99, 20, "tally signal");
    assert_eq!(find(&table, &[TMUX]).place, None);
}

#[test]
fn case_b10_the_inner_multiplexer_is_meant_whichever_is_inside() {
    let zellij = ("ZELLIJ_PANE_ID", "3");
    let name = ("ZELLIJ_SESSION_NAME", "work");
    let zellij_inside = in_tmux()
        .with(40, 1, "zellij --server /run/zellij/work")
        .with(41, 40, "bash")
        .with(20, 41, "claude")
        .with(99, 20, "tally signal");
    let found = find(&zellij_inside, &[TMUX, ("TMUX_PANE", "%7"), zellij, name])
        .place
        .unwrap();
    assert_eq!(
        (
            found.mux,
            found.socket.as_str(),
            found.server_pid,
            found.pane
        ),
        (Mux::Zellij, "work", 40, PaneId(3))
    );
    assert_eq!(found.pane_pid, Some(41));
    let tmux_inside = FakeProcesses::default()
        .with(1, 0, "init")
        .with(40, 1, "zellij --server /run/zellij/work")
        .with(5, 1, "tmux")
        .with(10, 5, "zsh")
        .with(20, 10, "claude")
        .with(99, 20, "tally signal")
        .own(99);
    let found = find(&tmux_inside, &[TMUX, ("TMUX_PANE", "%7"), zellij, name])
        .place
        .unwrap();
    assert_eq!((found.mux, found.pane), (Mux::Tmux, PaneId(7)));
}

#[test]
fn a_renamed_zellij_session_is_still_the_server_that_it_was() {
    let table = FakeProcesses::default()
        .with(1, 0, "init")
        .with(
            40,
            1,
            "zellij --server /run/zellij/contract_version_1/first",
        )
        .with(41, 40, "bash")
        .with(20, 41, "claude")
        .with(99, 20, "tally signal")
        .own(99);
    for name in ["first", "second", ""] {
        let env = [("ZELLIJ_PANE_ID", "3"), ("ZELLIJ_SESSION_NAME", name)];
        let place = find(&table, &env).place.unwrap();
        assert_eq!(
            (
                place.socket.as_str(),
                place.server_pid,
                place.server_started
            ),
            ("first", 40, Some(40))
        );
        assert_eq!((place.pane, place.pane_pid), (PaneId(3), Some(41)));
    }
}

#[test]
fn a_zellij_client_or_a_dead_server_is_no_proof_of_a_pane() {
    // An agent that was started from a pane, and outlived its session.
    let table = FakeProcesses::default()
        .with(1, 0, "init")
        .with(20, 1, "claude")
        .with(99, 20, "tally signal")
        .own(99);
    let env = [("ZELLIJ_PANE_ID", "3"), ("ZELLIJ_SESSION_NAME", "work")];
    assert_eq!(find(&table, &env).place, None);
    let table = table.with(5, 1, "zellij attach work").with(20, 5, "claude");
    assert_eq!(find(&table, &env).place, None);
}

#[test]
fn a_hook_of_a_shared_daemon_is_not_believed() {
    // Codex runs hooks in a daemon with the first pane's environment; its parent is init.
    let table = in_tmux()
        .with(20, 1, "codex app-server")
        .with(99, 20, "tally signal");
    let found = find(&table, &[TMUX, ("TMUX_PANE", "%7")]);
    assert_eq!(found.place, None);
    assert_eq!(
        found.why.as_deref(),
        Some("the process of the pane %7 is not among the reporter's ancestors")
    );
    assert!(found.readable);
}

#[test]
fn case_b8_an_agent_started_by_an_agent_is_nested() {
    let table = in_tmux()
        .with(20, 10, "claude")
        .with(21, 20, "bash -c x")
        .with(22, 21, "claude -p")
        .with(23, 22, "sh -c hook")
        .with(99, 23, "tally signal");
    let found = find(&table, &[TMUX, ("TMUX_PANE", "%4")]);
    assert_eq!(
        found.nested.as_deref(),
        Some("claude (pid 22) was started by claude (pid 20)")
    );
    assert!(found.place.is_some());
}

#[test]
fn case_b8_an_agent_under_wrapping_shells_is_not_nested() {
    let table = in_tmux()
        .with(15, 10, "bash -lc claude")
        .with(20, 15, "claude")
        .with(21, 20, "sh -c hook")
        .with(99, 21, "tally signal");
    let found = find(&table, &[TMUX, ("TMUX_PANE", "%4")]);
    assert_eq!((found.nested, found.process), (None, process(20)));
}

#[test]
fn case_b8_an_unreadable_tree_is_accepted() {
    let found = find(&in_tmux().unreadable(), &[TMUX, ("TMUX_PANE", "%4")]);
    let place = found.place.unwrap();
    assert_eq!(
        (place.pane, place.pane_pid, place.server_started),
        (PaneId(4), None, None)
    );
    assert_eq!((found.nested, found.readable), (None, false));
    // The hook's own parents end at a process that cannot be looked at.
    let torn = FakeProcesses::default()
        .with(20, 19, "claude")
        .with(99, 20, "tally signal")
        .own(99);
    assert!(find(&torn, &[TMUX, ("TMUX_PANE", "%4")]).place.is_some());
}

#[test]
fn an_unreadable_tree_does_not_choose_between_two_multiplexers() {
    let found = find(
        &in_tmux().unreadable(),
        &[TMUX, ("TMUX_PANE", "%4"), ("ZELLIJ_PANE_ID", "1")],
    );
    assert_eq!(found.place, None);
}

#[test]
fn case_c3_a_launcher_and_its_program_are_one_agent() {
    let table = in_tmux()
        .with(20, 10, "node /usr/bin/claude")
        .with(21, 20, "claude")
        .with(22, 21, "sh -c hook")
        .with(99, 22, "tally signal");
    let found = find(&table, &[TMUX, ("TMUX_PANE", "%4")]);
    assert_eq!((found.nested, found.process), (None, process(21)));
    let npx = in_tmux()
        .with(20, 10, "npm exec @anthropic-ai/claude-code")
        .with(21, 20, "sh -c claude")
        .with(22, 21, "node /x/claude")
        .with(99, 22, "tally signal");
    let found = find(&npx, &[TMUX, ("TMUX_PANE", "%4")]);
    assert_eq!((found.nested, found.process), (None, process(22)));
}

#[test]
fn case_b8_one_agent_under_another_is_nested_even_when_it_is_not_recognised() {
    let table = in_tmux()
        .with(20, 10, "codex")
        .with(21, 20, "bash -c x")
        .with(22, 21, "renamed-agent")
        .with(99, 22, "tally signal");
    let env = [TMUX, ("TMUX_PANE", "%4")];
    assert_eq!(
        find(&table, &env).nested.as_deref(),
        Some("claude was started by codex (pid 20)")
    );
    // It says itself which process it is.
    let found = find_as(&table, &env, Some(22));
    assert_eq!(
        found.nested.as_deref(),
        Some("claude (pid 22) was started by codex (pid 20)")
    );
}

#[test]
fn the_process_that_the_agent_names_is_preferred_when_it_is_an_ancestor() {
    let table = in_tmux()
        .with(20, 10, "renamed-agent")
        .with(21, 20, "sh -c hook")
        .with(99, 21, "tally signal");
    let env = [TMUX, ("TMUX_PANE", "%4")];
    assert_eq!(find_as(&table, &env, Some(20)).process, process(20));
    assert_eq!(find_as(&table, &env, Some(77)).process, None);
    assert_eq!(find(&table, &env).process, None);
}

#[rstest]
#[case(20, Some(true))]
#[case(10, Some(false))]
#[case(0, None)]
fn the_foreground_is_told_where_it_can_be_seen(
    #[case] foreground: u32,
    #[case] told: Option<bool>,
) {
    let table = FakeProcesses::default()
        .with(1, 0, "init")
        .with(5, 1, "tmux")
        .with(10, 5, "-zsh")
        .terminal(10, 34_816, foreground)
        .with(20, 10, "claude")
        .with(99, 20, "tally signal")
        .own(99);
    assert_eq!(find(&table, &[TMUX, ("TMUX_PANE", "%4")]).foreground, told);
}

#[test]
fn the_pane_s_own_process_can_be_the_agent_or_the_reporter() {
    let table = FakeProcesses::default()
        .with(1, 0, "init")
        .with(5, 1, "tmux")
        .with(20, 5, "claude")
        .with(99, 20, "tally signal")
        .own(99);
    let found = find(&table, &[TMUX, ("TMUX_PANE", "%4")]);
    assert_eq!(
        (found.place.unwrap().pane_pid, found.process),
        (Some(20), process(20))
    );
    let table = FakeProcesses::default()
        .with(1, 0, "init")
        .with(5, 1, "tmux")
        .with(99, 5, "tally signal")
        .own(99);
    assert_eq!(
        find(&table, &[TMUX, ("TMUX_PANE", "%4")])
            .place
            .unwrap()
            .pane_pid,
        Some(99)
    );
}

#[test]
fn case_d4_without_an_environment_there_is_no_pane() {
    let table = in_tmux()
        .with(20, 10, "claude")
        .with(99, 20, "tally signal");
    let found = find(&table, &[("HOME", "/home/u"), ("PATH", "/usr/bin:/bin")]);
    assert_eq!((found.place, found.claim), (None, None));
    assert!(found.why.is_some());
}
