//! The names of our options.

/// The name of an option of ours: `@tally_NAME`, and in a debug build `@tally_dev_NAME`.
macro_rules! option_name {
    ($name:literal) => {
        if cfg!(debug_assertions) { concat!("@tally_dev_", $name) } else { concat!("@tally_", $name) }
    };
}
pub(crate) use option_name;

/// What the names of this build's options begin with.
pub const PREFIX: &str = option_name!("");
