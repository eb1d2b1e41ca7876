//! The dashboard and the picker: all agents in one look, and one key to the one that waits.
//!
//! The inside is pure: a [`model::Model`] takes an [`event::Event`] and the time and gives back [`event::Effect`]s, and
//! [`view`] draws it. It decides no state. The outside is [`run`](run()): the terminal, which is given back however the
//! program ends, a thread that reads keys, one that looks at the store, and the [`world::World`] in which effects are
//! carried out.

mod areas;
mod detail;
mod event;
mod filter;
mod fleet;
mod key;
mod lookout;
mod model;
mod order;
mod past;
mod run;
mod terminal;
#[cfg(test)]
mod tests;
mod update;
mod view;
mod world;

pub(crate) use model::Face;
pub(crate) use run::run;
