//! Lines for the person's own configuration.

/// What the lines are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A plain `tmux.conf`.
    Plain,
    /// The plugin manager TPM.
    Tpm,
    /// The theme catppuccin.
    Catppuccin,
}

/// The lines.
#[must_use]
pub fn snippet(kind: Kind) -> String {
    let _ = kind;
    String::new()
}
