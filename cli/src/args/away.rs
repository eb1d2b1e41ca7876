//! What can be typed to put sessions away and to take them back.

use std::time::Duration;

use clap::Args;

/// `tally attention`.
#[derive(Debug, Args)]
pub(crate) struct AttentionArgs {
    /// Print a JSON document (docs/json.md).
    #[arg(long)]
    pub json: bool,
}

/// `tally snooze`.
#[derive(Debug, Args)]
#[command(override_usage = "tally snooze [REF] FOR")]
pub(crate) struct SnoozeArgs {
    /// The session, without it the one in this pane; and for how long: 90s, 10m, 2h, 1d.
    #[arg(required = true, num_args = 1..=2, value_names = ["REF", "FOR"])]
    pub words: Vec<String>,
}

impl SnoozeArgs {
    /// The session, where one is named, and for how long; the word that is no length of time otherwise.
    pub(crate) fn read(&self) -> Result<(Option<&str>, Duration), &str> {
        let (reference, length) = match self.words.as_slice() {
            [reference, length] => (Some(reference.as_str()), length),
            [length, ..] => (None, length),
            [] => return Err(""),
        };
        match humantime::parse_duration(length) {
            Ok(length) if !length.is_zero() => Ok((reference, length)),
            _ => Err(length),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(&["10m"], Ok((None, 600)))]
    #[case(&["%5", "1h 30m"], Ok((Some("%5"), 5_400)))]
    #[case(&["%5"], Err("%5"))]
    #[case(&["%5", "0s"], Err("0s"))]
    #[case(&["%5", "tomorrow"], Err("tomorrow"))]
    fn the_last_word_is_how_long(
        #[case] words: &[&str],
        #[case] read: Result<(Option<&str>, u64), &str>,
    ) {
        let args = SnoozeArgs {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
        };
        let found = args.read();
        let found = found.map(|(reference, length)| (reference, length.as_secs()));
        assert_eq!(found, read);
    }
}
