//! The processes of this machine: what they are, and which agent holds a pane.

#[cfg(any(test, feature = "fakes"))]
mod fake;
mod foreground;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(test, not(target_os = "linux")))]
mod portable;
mod recognise;
mod table;
mod zellij;

#[cfg(any(test, feature = "fakes"))]
pub use fake::FakeProcesses;
pub use foreground::{Holder, corroborate, holder};
#[cfg(target_os = "linux")]
pub use linux::SystemProcesses;
#[cfg(not(target_os = "linux"))]
pub use portable::SystemProcesses;
pub use recognise::{Recogniser, Role};
pub use table::{ProcessGone, ProcessStat, ProcessTable};
pub use zellij::zellij_socket;
