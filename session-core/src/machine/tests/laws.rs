//! Laws that hold for every sequence of events.

use proptest::prelude::*;

use super::play::{Play, ask, end, fail, ms, named, signal, start, stop, tool};
use crate::{
    Act, Event, GoneWhy, Policy, RegistryReport, RegistryStatus, Session, Signal, State, ToolRef,
    apply, derive,
};

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        Just(Act::SessionStart),
        Just(Act::Prompt),
        Just(Act::Resume),
        (0..3_u8).prop_map(|id| start(&id.to_string())),
        (0..3_u8).prop_map(|id| end(&id.to_string())),
        Just(Act::BatchEnd),
        Just(ask(named())),
        (0..3_u8).prop_map(|id| ask(tool(&id.to_string()))),
        Just(ask(ToolRef::default())),
        Just(stop(None)),
        any::<bool>().prop_map(|background| stop(Some(background))),
        Just(fail()),
        Just(Act::Interrupt),
        Just(Act::Rest),
        Just(Act::SubagentStart),
        Just(Act::SubagentEnd),
        Just(Act::Work),
    ]
}

prop_compose! {
    /// Signals a few milliseconds apart, some of subagents, each different from the others.
    fn any_signals()(steps in prop::collection::vec((any_act(), prop::option::of(0..2_u8), 1..200_i64), 1..14)) -> Vec<Signal> {
        let mut at = 0;
        steps.into_iter().enumerate().map(|(index, (act, actor, gap))| {
            at += gap;
            let actor = actor.map(|actor| format!("a{actor}"));
            signal(at, actor.as_deref(), act, index as u64)
        }).collect()
    }
}

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => (any_act(), any::<u64>()).prop_map(|(act, serial)| Event::Signal(signal(0, None, act, serial))),
        1 => any::<bool>().prop_map(Event::Viewed),
        1 => prop_oneof![Just(RegistryStatus::Idle), Just(RegistryStatus::Working), Just(RegistryStatus::Background)]
            .prop_map(|status| Event::Registry(Some(RegistryReport { status, kind: None, at: ms(0), read: ms(0) }))),
        1 => Just(Event::Tick),
        1 => prop::option::of(0..4_u64).prop_map(|turn| Event::Acknowledge { turn }),
        1 => Just(Event::Settle),
        1 => Just(Event::Unsettle),
        1 => (1..20_000_i64).prop_map(|wait| Event::Snooze { until: ms(wait) }),
    ]
}

fn play(signals: impl IntoIterator<Item = Signal>) -> Session {
    let mut play = Play::new();
    for signal in signals {
        play.event(5_000, Event::Signal(signal));
    }
    play.session
}

fn at(event: Event, now: i64) -> Event {
    match event {
        Event::Signal(signal) => Event::Signal(Signal {
            at: ms(now),
            ..signal
        }),
        Event::Snooze { until } => Event::Snooze {
            until: ms(now + until.ms_since(ms(0))),
        },
        Event::Registry(Some(report)) => Event::Registry(Some(RegistryReport {
            at: ms(now - 100),
            read: ms(now),
            ..report
        })),
        other => other,
    }
}

proptest! {
    #[test]
    fn the_order_of_arrival_does_not_matter((signals, shuffled) in any_signals().prop_flat_map(|signals| {
        (Just(signals.clone()), Just(signals).prop_shuffle())
    })) {
        prop_assert_eq!(play(signals).turn, play(shuffled).turn);
    }

    #[test]
    fn a_repeated_signal_has_no_effect(signals in any_signals(), which in any::<prop::sample::Index>()) {
        let mut twice = signals.clone();
        let index = which.index(signals.len());
        let copy = signals[index].clone();
        twice.insert(index + 1, copy);
        prop_assert_eq!(play(signals).turn, play(twice).turn);
    }

    #[test]
    fn a_stale_timer_does_nothing(events in prop::collection::vec((any_event(), 1..9_000_i64), 1..20)) {
        let mut stage = Play::new();
        let mut now = 0;
        for (event, gap) in events {
            now += gap;
            stage.event(now, at(event, now));
            let before = stage.session.clone();
            stage.event(now, Event::Tick);
            prop_assert_eq!(&stage.session, &before);
        }
    }

    #[test]
    fn what_is_read_is_what_was_written(events in prop::collection::vec((any_event(), 1..9_000_i64), 1..20)) {
        // Without a daemon nobody ticks: what a reader derives must be what a ticking daemon would have shown.
        let mut ticked = Play::new();
        let mut untouched = Play::new();
        let mut now = 0;
        for (event, gap) in events {
            let next = now + gap;
            while let Some(due) = derive(&ticked.session, &ticked.policy, ms(now)).until.filter(|due| *due > ms(now) && *due <= ms(next)) {
                now = due.ms() - ms(0).ms();
                ticked.event(now, Event::Tick);
            }
            now = next;
            ticked.event(now, at(event.clone(), now));
            untouched.event(now, at(event, now));
            prop_assert_eq!(ticked.state(now), untouched.state(now));
            prop_assert_eq!(ticked.away(now), untouched.away(now));
        }
    }

    #[test]
    fn putting_away_changes_no_state(events in prop::collection::vec((any_event(), 1..9_000_i64), 1..20)) {
        let mut whole = Play::new();
        let mut without = Play::new();
        let mut now = 0;
        for (event, gap) in events {
            now += gap;
            let event = at(event, now);
            whole.event(now, event.clone());
            // In its place only time passes.
            let is_about_away = matches!(event, Event::Settle | Event::Unsettle | Event::Snooze { .. });
            without.event(now, if is_about_away { Event::Tick } else { event });
            let (one, other) = (whole.verdict(now), without.verdict(now));
            prop_assert_eq!((one.state, one.blocked_kind, one.error_kind, one.since, one.reason), (other.state, other.blocked_kind, other.error_kind, other.since, other.reason));
        }
        // Nor does it change what the journal says of states.
        let states = |play: &Play| -> Vec<(State, State)> {
            play.journal.iter().filter(|row| row.is_of_state()).map(|row| (row.from, row.to)).collect()
        };
        prop_assert_eq!(states(&whole), states(&without));
        prop_assert!(whole.journal.iter().all(|row| row.is_of_state() || row.from == row.to));
    }

    #[test]
    fn a_question_that_nobody_has_seen_is_never_put_away(signals in any_signals(), wait in 0..100_000_i64, snooze in any::<bool>()) {
        let mut stage = Play::new();
        for signal in signals {
            stage.event(5_000, Event::Signal(signal));
        }
        let until = ms(6_000 + wait);
        stage.event(5_001, if snooze { Event::Snooze { until } } else { Event::Settle });
        stage.at(5_002, ask(tool("unseen")));
        prop_assert_eq!(stage.state(5_002), State::Blocked);
        prop_assert_eq!(stage.away(5_002), None);
        prop_assert_eq!(stage.away(5_002 + wait), None);
    }

    #[test]
    fn done_is_left_for_idle_only_by_looking_or_acknowledging(signals in any_signals(), wait in 0..100_000_i64) {
        let session = play(signals);
        let policy = Policy::default();
        if derive(&session, &policy, ms(5_000)).state == State::Done {
            prop_assert_eq!(derive(&session, &policy, ms(5_000 + wait)).state, State::Done);
        }
    }

    #[test]
    fn a_block_is_never_left_by_time(signals in any_signals(), wait in 0..100_000_000_i64) {
        let session = play(signals);
        let policy = Policy::default();
        if derive(&session, &policy, ms(5_000)).state == State::Blocked {
            prop_assert_eq!(derive(&session, &policy, ms(5_000 + wait)).state, State::Blocked);
        }
    }

    #[test]
    fn a_gone_pane_leaves_nothing_behind(signals in any_signals(), after in any_act()) {
        let mut session = play(signals);
        let policy = Policy::default();
        apply(&mut session, Event::Gone(GoneWhy::PaneClosed), &policy, ms(6_000));
        apply(&mut session, Event::Signal(signal(6_001, None, after, 77)), &policy, ms(6_001));
        prop_assert_eq!(derive(&session, &policy, ms(7_000)).state, State::None);
    }
}
