//! What the dashboard looks like, and what it does with keys.

mod keys;
mod looks;
mod order;
mod scene;
