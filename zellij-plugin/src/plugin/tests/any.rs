//! Whatever comes in whatever order.

use proptest::prelude::*;
use session_core::wire::Down;
use session_core::{PaneId, WindowId};

use super::{blocked, down, loaded_as, mode, running, tabs, text, up_pipe};
use crate::list::Move;
use crate::plugin::stub::Stub;
use crate::plugin::{Click, Event, Focused, Key, Message, Scroll};

fn any_event() -> impl Strategy<Value = Event> {
    let pane = 0_u32..6;
    prop_oneof![
        any::<bool>().prop_map(Event::Permission),
        any::<bool>().prop_map(Event::Visible),
        Just(Event::Timer),
        Just(Event::Tabs(tabs().tabs)),
        Just(Event::Tabs(Vec::new())),
        Just(Event::Panes(tabs().panes.into())),
        Just(Event::Panes(Vec::new().into())),
        pane.prop_map(|id| Event::Closed(PaneId(id))),
        "\\PC{0,12}".prop_map(|name| mode(&name)),
        (0_usize..3, 0_usize..90).prop_map(|(line, column)| Event::Click(Click { line, column })),
        prop_oneof![Just(Scroll::Up), Just(Scroll::Down)].prop_map(Event::Scroll),
        prop_oneof![
            Just(Key::Go),
            Just(Key::Close),
            (-20_i64..20).prop_map(|by| Key::Step(Move::By(by))),
            Just(Key::Step(Move::Last)),
        ]
        .prop_map(Event::Key),
        (0_u64..9, 0_u64..3, prop::option::of(0_u64..4)).prop_map(|(seq, run, ask)| down(&Down {
            seq,
            run,
            ask,
            up_pipe: ask.map(|ask| ask.to_string()),
            ..blocked()
        })),
        "[a-c]".prop_map(|id| up_pipe(&id)),
        ("\\PC{0,12}", prop::option::of("\\PC{0,40}")).prop_map(|(name, payload)| {
            Event::Message(Message {
                name,
                pipe: None,
                payload,
            })
        }),
    ]
}

proptest! {
    #[test]
    fn no_order_of_events_makes_it_panic_or_draw_too_wide(
        events in prop::collection::vec((any_event(), 0_i64..5_000, any::<bool>()), 0..40),
        list in any::<bool>(),
        width in 0_usize..130,
    ) {
        let host = Stub::default();
        let view = if list { "list" } else { "bar" };
        let mut plugin = loaded_as(&[("view", view)], "0.45.1", &host);
        for (event, ms, attached) in events {
            host.pass(ms);
            host.focused.set(attached.then_some(Focused { tab: WindowId(10), pane: None }));
            plugin.update(event, &host);
            for row in plugin.render(4, width, &host) {
                prop_assert_eq!(row.width(), width);
            }
        }
    }

    #[test]
    fn the_same_events_paint_the_same_bar_whatever_came_before(events in prop::collection::vec(any_event(), 0..20)) {
        let host = Stub::default();
        let mut plugin = loaded_as(&[], "0.45.1", &host);
        for event in events {
            plugin.update(event, &host);
        }
        let mut last = blocked();
        last.run = 99;
        for event in [Event::Visible(true), Event::Permission(true), mode("work"), Event::Tabs(tabs().tabs), Event::Panes(tabs().panes.into()), down(&last)] {
            plugin.update(event, &host);
        }
        let fresh = Stub::default();
        let mut other = running(&fresh);
        other.update(down(&last), &fresh);
        prop_assert_eq!(text(&mut plugin, &host), text(&mut other, &fresh));
    }
}
