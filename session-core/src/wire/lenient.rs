//! Reads words of a later version as the weakest one that is known.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

use crate::state::State;

/// A word read without a copy of it: a line may have hundreds, and the plugin's machine is slow.
struct Word<T>(Option<T>);

impl<'de, T: FromStr> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<T>(PhantomData<T>);

        impl<T: FromStr> Visitor<'_> for Reader<T> {
            type Value = Word<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Word<T>, E> {
                Ok(Word(word.parse().ok()))
            }

            fn visit_unit<E: Error>(self) -> Result<Word<T>, E> {
                Ok(Word(None))
            }
        }

        deserializer.deserialize_any(Reader(PhantomData))
    }
}

/// A word, or the default for one that is not known.
pub(super) fn or_default<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr + Default,
    D: Deserializer<'de>,
{
    Ok(Word::deserialize(deserializer)?.0.unwrap_or_default())
}

/// A word, or none for one that is not known.
pub(super) fn or_none<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr,
    D: Deserializer<'de>,
{
    Ok(Word::deserialize(deserializer)?.0)
}

/// A state; a word that is not known says as much as no evidence.
pub(super) fn state<'de, D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
    Ok(Word::deserialize(deserializer)?.0.unwrap_or(State::Unknown))
}

/// States in the person's order, without the words that are not known.
pub(super) fn states<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<State>, D::Error> {
    let words = Vec::<Word<State>>::deserialize(deserializer)?;
    Ok(words.into_iter().filter_map(|word| word.0).collect())
}
