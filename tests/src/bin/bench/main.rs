//! `cargo xtask bench [NAME…]`: prints the budgets of the design beside what was measured.
//!
//! Every figure stands beside a floor or a peer that was measured in the same run, interleaved with it, so that a
//! busy machine slows both. Nothing here is a test: a budget that is missed is printed, not asserted.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a bench prints, and stops at the first thing that is not as it must be"
)]

mod cpu;
mod flood;
mod idle;
mod paint;
mod reconcile;
mod scene;
mod signal;
mod silent;
mod spawn;
mod stats;
mod terminal;
mod trouble;
mod zellij;

/// The benches by name, with what each is about.
const BENCHES: [(&str, &str, fn()); 8] = [
    ("signal", "tally signal, daemon up", signal::run),
    (
        "trouble",
        "tally signal when the store, the multiplexer or the disk does not answer",
        trouble::run,
    ),
    ("flood", "64 writers with 200 signals each", flood::run),
    (
        "paint",
        "from a signal to the bytes of the status line at the client",
        paint::run,
    ),
    (
        "idle",
        "the daemon with 200 panes and nothing happening",
        idle::run,
    ),
    (
        "silent",
        "from Esc or a declined dialog of a real Claude Code to an honest lamp",
        silent::run,
    ),
    ("reconcile", "one look at 1,000 panes", reconcile::run),
    ("zellij", "zellij's bar, beside the stock one", zellij::run),
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|arg| arg == signal::IN_PANE) {
        return signal::run_in_pane(&args[1..]);
    }
    for arg in &args {
        assert!(
            BENCHES.iter().any(|(name, ..)| name == arg),
            "no bench named {arg}; there are: {}",
            BENCHES.map(|(name, ..)| name).join(", ")
        );
    }
    for (name, about, run) in BENCHES {
        if args.is_empty() || args.iter().any(|arg| arg == name) {
            println!("\n== {name}: {about}");
            run();
        }
    }
}
