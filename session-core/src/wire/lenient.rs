//! Reads words of a later version as the weakest one that is known.

use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use crate::state::State;

/// A word, or the default for one that is not known.
pub(super) fn or_default<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr + Default,
    D: Deserializer<'de>,
{
    Ok(String::deserialize(deserializer)?
        .parse()
        .unwrap_or_default())
}

/// A word, or none for one that is not known.
pub(super) fn or_none<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr,
    D: Deserializer<'de>,
{
    let word = Option::<String>::deserialize(deserializer)?;
    Ok(word.and_then(|word| word.parse().ok()))
}

/// A state; a word that is not known says as much as no evidence.
pub(super) fn state<'de, D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
    Ok(String::deserialize(deserializer)?
        .parse()
        .unwrap_or(State::Unknown))
}

/// States in the person's order, without the words that are not known.
pub(super) fn states<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<State>, D::Error> {
    let words = Vec::<String>::deserialize(deserializer)?;
    Ok(words.iter().filter_map(|word| word.parse().ok()).collect())
}
