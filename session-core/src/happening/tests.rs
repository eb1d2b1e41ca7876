//! What is told of each event, and what alerts.

use proptest::prelude::*;
use rstest::rstest;
use uuid::Uuid;

use super::*;
use crate::ids::{Mux, PaneId, SessionId, WindowId};
use crate::state::State;
use crate::time::Time;

fn told(event: HookEvent) -> Happening {
    let mut told = Happening::new(event, Time::from_ms(1_700_000_000_000));
    told.place = PlaceFact {
        mux: Some(Mux::Tmux),
        server: "/tmp/tmux-1000/default".into(),
        mux_session: "work".into(),
        window: Some(WindowId(3)),
        window_name: "api".into(),
        pane: Some(PaneId(5)),
        workspace: 2,
        folder: "/src/api".into(),
        ..PlaceFact::default()
    };
    match event {
        HookEvent::AfterWorkspaceSwitch => told.place.workspace_before = 1,
        HookEvent::AfterAgentState | HookEvent::AfterSettle => {
            told.agent = AgentFact {
                session: Some(SessionId(Uuid::from_u128(7))),
                state: Some(State::Blocked),
                before: Some(State::Working),
                harness: Some("claude".parse().unwrap()),
                message: "may I run $(touch X)?".into(),
            };
            if event == HookEvent::AfterSettle {
                told.settle_reason = "person".into();
            }
        }
        HookEvent::AfterCommandFinished => {
            told.command = CommandFact {
                line: "make".into(),
                exit: Some(0),
                ms: Some(0),
            };
        }
        HookEvent::AfterNewWorktree => {
            told.worktree = WorktreeFact {
                path: "/src/api-fix".into(),
                branch: "fix".into(),
                repo_root: "/src/api".into(),
                created_branch: true,
            };
        }
        HookEvent::AfterAttach | HookEvent::AfterDetach => told.place.client = "/dev/pts/4".into(),
        HookEvent::AfterResize => {
            told.place.client = "/dev/pts/4".into();
            (told.place.width, told.place.height) = (120, 40);
        }
        HookEvent::AfterLayoutChange => told.place.layout = "b25d,80x24,0,0,1".into(),
        HookEvent::AfterThemeChange => {
            told.theme = ThemeFact {
                id: "solarized light".into(),
                background: "#fdf6e3".into(),
                light: true,
            };
        }
        _ => {}
    }
    told
}

#[test]
fn every_event_is_told_with_every_variable() {
    let mut all = String::new();
    for event in HookEvent::ALL {
        for (name, value) in variables(&told(event), 12) {
            all.push_str(&format!("{name}={value}\n"));
        }
        all.push('\n');
    }
    insta::assert_snapshot!(all);
}

#[test]
fn every_event_reads_back_from_its_word() {
    for event in HookEvent::ALL {
        assert_eq!(event.word().parse(), Ok(event));
        assert_eq!(
            serde_json::to_string(&event).unwrap(),
            format!("{:?}", event.word())
        );
    }
    assert!("after-lunch".parse::<HookEvent>().is_err());
}

#[rstest]
#[case("22:00-07:30", 22 * 60, true)]
#[case("22:00-07:30", 7 * 60 + 29, true)]
#[case("22:00-07:30", 7 * 60 + 30, false)]
#[case("22:00-07:30", 12 * 60, false)]
#[case("09:00-17:00", 9 * 60, true)]
#[case("09:00-17:00", 17 * 60, false)]
#[case("09:00-09:00", 9 * 60, false)]
fn quiet_hours_may_go_past_midnight(#[case] hours: &str, #[case] minute: u16, #[case] quiet: bool) {
    let hours: QuietHours = hours.parse().unwrap();
    assert_eq!(hours.hold(minute), quiet);
}

#[rstest]
#[case("22-7")]
#[case("24:00-07:00")]
#[case("22:60-07:00")]
#[case("")]
fn what_is_no_span_of_the_day_is_refused(#[case] text: &str) {
    assert!(text.parse::<QuietHours>().is_err());
}

#[rstest]
#[case(State::Working, State::Blocked, true)]
#[case(State::Working, State::Done, true)]
#[case(State::Working, State::Error, true)]
#[case(State::Done, State::Idle, false)]
#[case(State::Blocked, State::Blocked, false)]
fn the_default_states_alert(#[case] from: State, #[case] to: State, #[case] alerts: bool) {
    assert_eq!(Alerts::default().wanted(from, to), alerts);
}

#[rstest]
#[case(Alerts::default(), Some(State::Idle), true, None)]
#[case(Alerts { settle_seconds: 5, ..Alerts::default() }, Some(State::Working), false, Some("the state did not last"))]
#[case(Alerts { settle_seconds: 5, ..Alerts::default() }, None, false, Some("the state did not last"))]
#[case(Alerts { settle_seconds: 5, ..Alerts::default() }, Some(State::Done), false, None)]
#[case(Alerts { quiet_hours: Some("22:00-07:00".parse().unwrap()), ..Alerts::default() }, Some(State::Done), false, Some("quiet hours"))]
#[case(Alerts { suppress_focused: true, ..Alerts::default() }, Some(State::Done), true, Some("somebody looks at the pane"))]
#[case(Alerts { suppress_focused: true, ..Alerts::default() }, Some(State::Done), false, None)]
fn a_state_is_withheld_for_a_reason(
    #[case] alerts: Alerts,
    #[case] state: Option<State>,
    #[case] looked_at: bool,
    #[case] why: Option<&str>,
) {
    let minute = Some(23 * 60);
    let moment = Moment {
        state,
        minute,
        looked_at,
    };
    assert_eq!(alerts.withheld(State::Done, moment), why);
}

proptest! {
    #[test]
    fn no_text_of_an_agent_keeps_a_command_from_running(message in any::<String>(), name in any::<String>()) {
        let mut told = told(HookEvent::AfterAgentState);
        told.agent.message = format!("{message}\0");
        told.place.window_name = name;
        let variables = variables(&told, 1);
        prop_assert_eq!(variables.len(), VARIABLES.len());
        prop_assert!(variables.iter().all(|(_, value)| !value.contains('\0')));
        let json: serde_json::Value = serde_json::from_str(&variables[VARIABLES.len() - 1].1).unwrap();
        prop_assert_eq!(json["agent"]["message"].as_str(), Some(told.agent.message.as_str()));
    }

    #[test]
    fn quiet_hours_read_back(from in 0..MINUTES_A_DAY, until in 0..MINUTES_A_DAY) {
        let text = format!("{:02}:{:02}-{:02}:{:02}", from / 60, from % 60, until / 60, until % 60);
        let hours: QuietHours = text.parse().unwrap();
        prop_assert_eq!(hours.to_string(), text);
    }
}
