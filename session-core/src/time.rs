//! Points in time, as the core sees them.

use serde::{Deserialize, Serialize};

/// A point in time: microseconds since the Unix epoch.
///
/// The core never asks for the time; the host takes it from its clock and passes it in.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(pub i64);

impl Time {
    /// A time from milliseconds since the Unix epoch.
    #[must_use]
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms.saturating_mul(1000))
    }

    /// Milliseconds since the Unix epoch, rounded down.
    #[must_use]
    pub const fn ms(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Whole seconds since the Unix epoch, rounded down.
    #[must_use]
    pub const fn secs(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// This time, `ms` milliseconds later.
    #[must_use]
    pub const fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms.saturating_mul(1000)))
    }

    /// Milliseconds from `earlier` to this time; negative when `earlier` is later.
    #[must_use]
    pub const fn ms_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0).div_euclid(1000)
    }
}
