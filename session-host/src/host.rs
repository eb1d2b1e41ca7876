//! This machine's name.

use session_core::MachineId;
use session_core::view::clean;

/// The longest name kept, in characters.
const MAX: usize = 64;

/// This machine: its host name, cleaned and cut.
#[must_use]
pub fn machine() -> MachineId {
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    let name = clean(&name, MAX);
    MachineId(if name.is_empty() {
        "localhost".to_owned()
    } else {
        name
    })
}
