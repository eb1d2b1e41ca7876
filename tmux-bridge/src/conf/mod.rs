//! The one line of ours in the person's `tmux.conf`: where it goes, and back to the byte (design §8).
//!
//! The line makes a fresh server show the lamps with no further step, and says nothing when the program is not there:
//!
//! ```text
//! run-shell -b "'/usr/bin/tally' up --quiet >/dev/null 2>&1; '/usr/bin/tally' tmux load --quiet …; exit 0" # tally: …
//! ```
//!
//! - It stands last, so that a theme or a plugin manager before it has set the status line already.
//! - Where there was no file, its mark says so: then the file goes with the line, if nothing else is in it by then.
//! - Where the last line had no end, its mark says so as well: the end that it was given goes with the line, if the line
//!   still is the last one.
//!
//! With a key that opens the picker, the same line binds it as well, and so it goes with the line.
//!
//! Pure text: reading and replacing the file is the caller's, with the care that foreign files need.

mod file;
mod key;
mod line;
mod text;

pub use file::{file, files};
pub use key::{Key, KeyError};
pub use text::{ConfError, Doubt, doubtful, install, install_with_key, is_installed, uninstall};
