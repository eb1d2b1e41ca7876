//! The words of an answer, as they come.

use std::iter;
use std::thread;
use std::time::{Duration, Instant};

use super::script::Step;

/// The pause between two words of a slow answer.
const WORD: Duration = Duration::from_millis(250);

/// What comes before the connection of a cut answer drops.
pub(super) const CUT: &str = "thinking aloud";

/// The pieces of a step's text; none where it is no text.
pub(super) fn words(step: &Step) -> Box<dyn Iterator<Item = String>> {
    match step {
        Step::Text(text) => Box::new(iter::once(text.clone())),
        Step::Hang(_) => Box::new(iter::once("late answer".to_owned())),
        Step::Slow(seconds) => Box::new(slow_words(Duration::from_secs_f64(*seconds))),
        _ => Box::new(iter::empty()),
    }
}

/// Words that keep coming for `span`.
fn slow_words(span: Duration) -> impl Iterator<Item = String> {
    let end = Instant::now() + span;
    let mut count = 0;
    iter::from_fn(move || {
        if count > 0 {
            thread::sleep(WORD);
        }
        count += 1;
        (Instant::now() < end).then(|| format!("word {count} "))
    })
    .chain(iter::once("slow answer finished".to_owned()))
}
