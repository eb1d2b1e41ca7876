//! Lines for the person's own configuration, for those who want no program to change their status line.

use std::path::Path;

use crate::call::{self, UnfitPath};
use crate::options::PREFIX;

/// What the lines are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A plain `tmux.conf`.
    Plain,
    /// The plugin manager TPM.
    Tpm,
    /// The theme catppuccin.
    Catppuccin,
    /// A key that opens the picker.
    Keys,
}

/// Reading the file again must not append again, so each line looks for its own trace first. `status-right` shows
/// less than all of it by default.
const PLAIN: &str = r##"# Tallylight: each window's lamp, and the counts on the right. Keep these lines below your theme.
{start}
if-shell -F "#{m:*@tally_lamp*,#{window-status-format}}" "" "set -ag window-status-format '#{E:@tally_lamp}'"
if-shell -F "#{m:*@tally_lamp*,#{window-status-current-format}}" "" "set -ag window-status-current-format '#{E:@tally_lamp}'"
if-shell -F "#{m:*@tally_summary*,#{status-right}}" "" "set -ag status-right ' #{E:@tally_summary}'"
set -g status-right-length 120
# The lamp of each pane, if you like:
# set -g pane-border-status top
# set -g pane-border-format " #{pane_index}#{E:@tally_border} "
"##;

const TPM: &str = r##"# Tallylight: the plugin starts it and shows its lamps. Keep this line below your theme, and above "run '…/tpm'".
set -g @plugin 'tallylight/tallylight'
set -g @tally_command {program}
# To place the lamps yourself (see "tally tmux snippet plain"):
# set -g @tally_status off
"##;

const CATPPUCCIN: &str = include_str!("../../plugin/catppuccin/tally.conf");

/// The lines, for a program at this path.
///
/// # Errors
/// When the path cannot stand in them.
pub fn snippet(kind: Kind, program: &Path) -> Result<String, UnfitPath> {
    Ok(match kind {
        Kind::Plain => PLAIN
            .replace("@tally_", PREFIX)
            .replace("{start}", &call::run_shell(program, &["up --quiet"])?),
        // The plugin reads these two by their names in every build.
        Kind::Tpm => TPM.replace("{program}", &call::value(program)?),
        Kind::Catppuccin => CATPPUCCIN.replace("@tally_", PREFIX),
        Kind::Keys => format!(
            "# Tallylight: all agents in a popup; enter goes to one.\n{}\n",
            call::bind_picker(program, "a")?
        ),
    })
}
