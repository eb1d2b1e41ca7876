//! What no hook tells of, with a real Claude Code: Esc, a declined dialog, the exit. How long does the status line of
//! the attached client go on showing what is no longer so?

use std::time::{Duration, Instant};

use tally_tests::world::kill;
use tally_tests::{Claude, ClaudeVersion, Desk, Lamp};

use crate::stats::{Durations, ms, note, report};

/// How often each is done.
const RUNS: usize = 5;
/// How soon an honest state is to be shown.
const BUDGET: Duration = Duration::from_secs(2);

/// What the person does, and what the lamp is to show after it.
struct Silence {
    what: &'static str,
    prompt: &'static str,
    before: Lamp,
    ready: fn(&Claude),
    act: fn(&Claude),
}

const SILENCES: [Silence; 4] = [
    Silence {
        what: "Esc while the model streams",
        prompt: "stub: slow 60",
        before: Lamp::Working,
        ready: |claude| drop(claude.pane().wait_for_text("word 3")),
        act: Claude::interrupt,
    },
    Silence {
        what: "Esc while a tool runs",
        prompt: "stub: bash sleep 20 ; text never said",
        before: Lamp::Working,
        ready: |claude| drop(claude.pane().wait_for_text("sleep 20")),
        act: Claude::interrupt,
    },
    Silence {
        what: "a permission is declined",
        prompt: "stub: bash touch refused ; text never said",
        before: Lamp::Blocked,
        ready: Claude::wait_for_permission_dialog,
        act: Claude::decline,
    },
    Silence {
        what: "a question is declined",
        prompt: "stub: ask ; text never said",
        before: Lamp::Blocked,
        ready: Claude::wait_for_question,
        act: Claude::decline,
    },
];

pub(crate) fn run() {
    let desk = Desk::new(ClaudeVersion::Current);
    let seat = desk.seat(0);
    for silence in &SILENCES {
        let took = (0..RUNS)
            .map(|_| {
                // Each in an agent of its own: the screen of the one before says the same words.
                let claude = desk.launch(seat);
                desk.expect(seat, Lamp::Idle);
                claude.prompt(silence.prompt);
                desk.expect(seat, silence.before);
                (silence.ready)(&claude);
                let start = Instant::now();
                (silence.act)(&claude);
                while seat.lamp() != Some(Lamp::Idle) {
                    assert!(start.elapsed() < BUDGET * 10, "the lamp stays on");
                    std::thread::sleep(Duration::from_millis(2));
                }
                let took = start.elapsed();
                // It has put the prompt back into its input box.
                kill(claude.pid());
                desk.expect(seat, Lamp::None);
                claude.pane().submit("clear");
                took
            })
            .collect();
        let took = Durations::new(took);
        report(
            silence.what,
            &ms(took.max()),
            "2 s, slowest",
            took.max() <= BUDGET,
        );
        note("  median", &ms(took.median()));
    }
}
