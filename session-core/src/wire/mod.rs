//! What the daemon and the zellij plugin say to each other.
//!
//! Pipes of a zellij session carry it, one JSON object a line. The daemon holds a `zellij pipe` process for two of them,
//! so that no `zellij` process is started for an update.
//!
//! | pipe | direction | line | when |
//! | --- | --- | --- | --- |
//! | `tally:down` | daemon → every plugin instance | [`Down`] | the picture changed, an instance said hello, the daemon asks |
//! | `tally:up` | plugin instance → daemon | [`Up`] | the person's focus, the layout or the session's name changed |
//! | `tally:show` | `tally focus` → every plugin instance | [`Show`] | zellij's own command has moved nobody |
//!
//! The last is no held pipe: a process for each line. The names are those of the [`Flavour`]; a development build has its own, `tally-dev:…`.
//!
//! # How the pipes are held
//!
//! *Down*: `zellij -s S pipe --name tally:down`, one line on its standard input an update. A line is a whole picture:
//! the newest one wins, older ones may be dropped. Its end of input is the daemon's end, and the plugin says so.
//!
//! *Up*: `zellij -s S pipe --name tally:up -- hello </dev/null`. Each instance blocks the pipe and prints [`Up`] lines to it
//! for as long as it lives. An instance that is created later learns the pipe's id from [`Down::up_pipe`], which the
//! daemon has from [`Hello::pipe`]. Where no instance blocks it, the process ends at once: no plugin is there, or none that may.
//! What is written to a pipe that is gone is lost without notice, so a new up pipe is answered with everything.
//!
//! # Order
//!
//! [`Down::run`] names the daemon's life and [`Down::seq`] grows within it. Of one run an older or equal number is
//! ignored; a line of another run that comes by the pipe is always taken. A line whose [`Down::server_pid`] is another
//! server's is ignored: names of zellij sessions are changed and used again.
//!
//! # The file for new tabs
//!
//! A new tab brings a new instance, which must not wait for the next change. So the daemon keeps the newest line of
//! each zellij server, with [`Down::elsewhere`] and [`Down::up_pipe`] filled in, in a file which the plugin reads when it
//! is loaded ([`mod@file`]). Where that cannot be, a [`Layout`] with a tab that is new is answered with a whole line.
//!
//! # Who speaks
//!
//! An instance exists for each plugin pane and each client that ever attached. Only one that its client looks at tells
//! [`Up::focus`] and [`Up::layout`]; it tells both anew whenever it comes into view, since others spoke meanwhile. It
//! tells [`Up::absent`] at once when its client detaches, and [`Up::closed`] also after that. Instances that nobody
//! looks at do not even read the pictures.
//!
//! # Versions
//!
//! Fields may be added without notice: readers ignore what they do not know, and take a word they do not know for the
//! weakest one (an unknown state is [`State::Unknown`](crate::State::Unknown)). [`WIRE_VERSION`] grows only when a
//! field changes its meaning or goes away; then an old reader refuses the line ([`WireError::Newer`]) and says so,
//! rather than showing something wrong. The daemon sees the plugin's version in every [`Up`] line and may speak the older one.

pub mod file;

mod down;
mod error;
mod flavour;
mod lenient;
mod picture;
mod show;
#[cfg(test)]
mod tests;
mod up;

pub use down::{Down, Elsewhere, Lamp, Tally, Theme, Top};
pub use error::WireError;
pub use flavour::Flavour;
pub use show::Show;
pub use up::{Focus, Go, Hello, Layout, PaneFact, TabFact, Up};

/// The version of the lines; see the module's text for when it grows.
pub const WIRE_VERSION: u32 = 1;

/// The most bytes of a line that are read: zellij's plugins have 16 MiB of memory, and a line of a few of them
/// kills an instance.
pub const MAX_LINE: usize = 256 * 1024;
