//! Reading the commands of one event.

use std::ops::Range;

use session_core::happening::HookEvent;
use toml::Spanned;
use toml::de::DeValue;

use crate::hooks::{HookCommand, TIMEOUT_MS};

/// What is wrong, and where when that is not the key itself, in bytes from the beginning.
type Mistake = (Option<usize>, String);
/// The longest deadline, in milliseconds: an hour.
const LONGEST_MS: u64 = 3_600_000;

/// The event that a key names.
pub(super) fn event(word: &str) -> Result<HookEvent, Mistake> {
    let event: HookEvent = word.parse().map_err(|_| {
        let words = HookEvent::ALL.map(HookEvent::word);
        (
            None,
            format!("no event has this name; there are {}", words.join(", ")),
        )
    })?;
    if event.fires() {
        Ok(event)
    } else {
        Err((None, "nothing fires it in this version".to_owned()))
    }
}

/// A command, or a list of them.
pub(super) fn commands(value: &Spanned<DeValue<'_>>) -> Result<Vec<HookCommand>, Mistake> {
    match value.get_ref() {
        DeValue::Array(list) => list.iter().map(command).collect(),
        _ => Ok(vec![command(value)?]),
    }
}

fn command(value: &Spanned<DeValue<'_>>) -> Result<HookCommand, Mistake> {
    let mut command = HookCommand {
        run: String::new(),
        timeout_ms: TIMEOUT_MS,
    };
    match value.get_ref() {
        DeValue::String(run) => command.run = run.to_string(),
        DeValue::Table(table) => {
            for (key, value) in table {
                let text = value.get_ref().as_str();
                match (key.get_ref().as_ref(), text) {
                    ("run", Some(run)) => command.run = run.to_owned(),
                    ("timeout", Some(text)) => {
                        command.timeout_ms = milliseconds(text).ok_or_else(|| {
                            let why = format!("timeout {text:?} is no time such as 10s, 500ms or 2m, up to an hour");
                            (at(value.span()), why)
                        })?;
                    }
                    ("run" | "timeout", None) => {
                        return Err((at(value.span()), format!("{} is not a text", key.get_ref())));
                    }
                    (other, _) => {
                        let why = format!("unknown key {other}; there are run and timeout");
                        return Err((at(key.span()), why));
                    }
                }
            }
        }
        other => {
            let why = format!(
                "a value of type {} is neither a command, nor a list of them, nor {{ run = …, timeout = … }}",
                other.type_str()
            );
            return Err((at(value.span()), why));
        }
    }
    if command.run.trim().is_empty() {
        return Err((at(value.span()), "the command is empty".to_owned()));
    }
    Ok(command)
}

fn at(span: Range<usize>) -> Option<usize> {
    Some(span.start)
}

fn milliseconds(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..)? {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        _ => return None,
    };
    let ms = digits.trim().parse::<u64>().ok()?.checked_mul(unit)?;
    (1..=LONGEST_MS).contains(&ms).then_some(ms)
}
