//! The table at the end.

use std::time::Duration;

/// How a step ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Passed(Duration),
    Failed(Duration),
    NotRun,
}

/// The steps so far.
#[derive(Debug, Default)]
pub(super) struct Summary {
    rows: Vec<(String, Outcome)>,
}

impl Summary {
    pub(super) fn add(&mut self, title: &str, outcome: Outcome) {
        self.rows.push((title.to_owned(), outcome));
    }

    /// The rows and a closing line. It counts steps in words of its own: "passed" and "failed"
    /// with numbers are the test runners' to say.
    pub(super) fn table(&self) -> String {
        let mut table = String::from("\n==> summary\n");
        let mut total = Duration::ZERO;
        let mut green = 0;
        for (title, outcome) in &self.rows {
            let (word, took) = match *outcome {
                Outcome::Passed(took) => ("ok", Some(took)),
                Outcome::Failed(took) => ("FAILED", Some(took)),
                Outcome::NotRun => ("not run", None),
            };
            green += usize::from(word == "ok");
            total += took.unwrap_or_default();
            let took = took.map(duration).unwrap_or_default();
            table.push_str(&format!("{word:<8} {took:>8}  {title}\n"));
        }
        let steps = self.rows.len();
        table.push_str(&format!(
            "{green} of {steps} steps ok in {}",
            duration(total)
        ));
        table
    }
}

/// A duration for people: `0.3 s`, `12 s`, `3m 05s`.
pub(super) fn duration(took: Duration) -> String {
    let seconds = took.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", took.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{}m {:02}s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        assert_eq!(duration(Duration::from_millis(340)), "0.3 s");
        assert_eq!(duration(Duration::from_millis(12_700)), "12 s");
        assert_eq!(duration(Duration::from_secs(185)), "3m 05s");
    }

    #[test]
    fn the_table_says_what_did_not_run() {
        let mut summary = Summary::default();
        summary.add("fmt", Outcome::Passed(Duration::from_secs(1)));
        summary.add("unit", Outcome::Failed(Duration::from_secs(70)));
        summary.add("docs", Outcome::NotRun);
        let expected = "
==> summary
ok          1.0 s  fmt
FAILED     1m 10s  unit
not run            docs
1 of 3 steps ok in 1m 11s";
        assert_eq!(summary.table(), expected);
    }
}
