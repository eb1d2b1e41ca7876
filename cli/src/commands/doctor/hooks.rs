//! The person's own commands: whether their table can be read, and whether they end well.

use session_core::view::clean;
use session_host::config;
use session_host::store::Store;

use super::finding::Finding;
use crate::context::{Context, STORE_WAIT};

/// The longest text that is told, in graphemes.
const TOLD: usize = 200;

/// One finding for a table that cannot be read, and one for each command that failed the last time it ran.
pub(super) fn hooks(context: &Context) -> Vec<Finding> {
    let loaded = config::load(&context.paths.config_file());
    let mut findings = Vec::new();
    if loaded.hooks_doubtful {
        findings.push(
            Finding::warning("hooks", "the configuration has mistakes that touch them")
                .expected("a table of hooks: a daemon that runs keeps the one it had before")
                .repair("tally config check"),
        );
    }
    // Without a store nothing has run.
    let Ok(store) = Store::open_reading(&context.paths, STORE_WAIT) else {
        return findings;
    };
    let mut well = 0;
    for (event, command) in loaded.config.hooks.iter() {
        let run = store.hook_run(event, &command.run).unwrap_or_default();
        let Some(error) = run.last_error else {
            well += 1;
            continue;
        };
        let about = format!("hook {event}");
        let command = clean(&command.run, TOLD);
        findings.push(
            Finding::warning(about, format!("{command}: {}", clean(&error, TOLD)))
                .expected("a command that ends with status 0")
                .repair(format!("tally hooks test {event} runs it for a look")),
        );
    }
    if well > 0 && findings.is_empty() {
        findings.push(Finding::ok(
            "hooks",
            format!("{well} configured, none failed last"),
        ));
    }
    findings
}
