//! `tally config`.

use session_host::config::{self, DEFAULT_TOML, KEYS, Loaded};

use crate::args::ConfigCommand;
use crate::context::Context;
use crate::failure::exit;
use crate::output::{Output, Paint};

/// Shows the settings, checks the file, or prints its path.
pub(crate) fn run(command: &ConfigCommand, context: &Context) -> anyhow::Result<u8> {
    let loaded = || config::load(&context.paths.config_file());
    match command {
        ConfigCommand::Show { default: true } => context.out.data(DEFAULT_TOML)?,
        ConfigCommand::Show { default: false } => {
            let loaded = loaded();
            context
                .out
                .data(&shown(&loaded, Paint::new(context.out.colour())))?;
            tell(&loaded, context.out);
        }
        ConfigCommand::Check => {
            let loaded = loaded();
            tell(&loaded, context.out);
            if !loaded.notes.is_empty() {
                return Ok(exit::FAILED);
            }
        }
        ConfigCommand::Path => context
            .out
            .data(&context.paths.config_file().display().to_string())?,
    }
    Ok(exit::OK)
}

fn tell(loaded: &Loaded, out: Output) {
    for line in loaded.lines() {
        out.note(&line);
    }
}

/// Every key with its value, and the line of the file it comes from.
fn shown(loaded: &Loaded, paint: Paint) -> String {
    let mut text = format!("# {}\n", loaded.file.display());
    for key in &KEYS {
        let line = loaded
            .given
            .iter()
            .find(|(name, _)| *name == key.name)
            .map(|(_, line)| *line);
        let from = line.map_or_else(|| "default".to_owned(), |line| format!("line {line}"));
        let value = (key.show)(&loaded.config);
        text.push_str(&format!(
            "{} = {value}  {}\n",
            key.name,
            paint.dim(&format!("# {from}"))
        ));
    }
    text
}
