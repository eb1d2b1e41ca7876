//! Figures of many runs.

use std::time::Duration;

/// The durations of many runs, sorted.
pub(crate) struct Durations(Vec<Duration>);

impl Durations {
    pub(crate) fn new(mut durations: Vec<Duration>) -> Self {
        assert!(!durations.is_empty(), "nothing was measured");
        durations.sort_unstable();
        Self(durations)
    }

    /// The duration below which `percent` of the runs lie.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        self.0[(self.0.len() * percent / 100).min(self.0.len() - 1)]
    }

    pub(crate) fn median(&self) -> Duration {
        self.percentile(50)
    }

    pub(crate) fn max(&self) -> Duration {
        *self.0.last().expect("at least one run")
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
}

/// A duration in milliseconds with two decimals.
pub(crate) fn ms(duration: Duration) -> String {
    format!("{:.2} ms", duration.as_secs_f64() * 1000.0)
}

/// How many times `part` is of `whole`.
pub(crate) fn ratio(part: Duration, whole: Duration) -> f64 {
    part.as_secs_f64() / whole.as_secs_f64()
}

/// Prints one figure beside its budget.
pub(crate) fn report(what: &str, figure: &str, budget: &str, kept: bool) {
    println!(
        "  {what:<46} {figure:>14}   budget {budget:<12} {}",
        if kept { "kept" } else { "MISSED" }
    );
}

/// Prints one figure that has no budget: a floor, a peer.
pub(crate) fn note(what: &str, figure: &str) {
    println!("  {what:<46} {figure:>14}");
}
