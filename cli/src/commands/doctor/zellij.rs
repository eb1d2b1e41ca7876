//! zellij: the program, what is installed for it, and whether its sessions show the lamps.

use zellij_bridge::install::{Installed, Part, Places, installed};
use zellij_bridge::{Found, Version, Zellij, ZellijError};

use super::finding::Finding;
use crate::commands::zellij::{PLUGIN, Presence, sessions};
use crate::context::Context;

/// All of it.
pub(super) fn zellij(context: &Context) -> Vec<Finding> {
    let version = Zellij::on_path(&context.env).version();
    if matches!(version, Err(ZellijError::NotInstalled)) {
        return vec![Finding::note("zellij", "not installed")];
    }
    let mut findings = vec![program(&version)];
    findings.extend(parts(context));
    let live = sessions(context);
    findings.extend(live.iter().map(|live| session(&live.found, live.presence)));
    findings
}

fn program(version: &Result<Version, ZellijError>) -> Finding {
    match version {
        Ok(version) if version.is_supported() => {
            Finding::ok("zellij", format!("version {version}"))
        }
        Ok(version) => Finding::warning("zellij", format!("version {version}"))
            .expected(format!("version {} or newer", Version::FLOOR))
            .repair("install a newer zellij"),
        Err(error) => Finding::warning("zellij", error.to_string()),
    }
}

/// What `tally zellij install` and `grant` have written.
fn parts(context: &Context) -> Option<Finding> {
    let about = "zellij plugin";
    let places = Places::of(&context.env);
    let parts = places.and_then(|places| Ok((installed(&places, PLUGIN)?, places)));
    let (parts, places) = match parts {
        Ok(parts) => parts,
        Err(error) => return Some(Finding::warning(about, error.to_string())),
    };
    Some(part(parts, &places.plugin.display().to_string()))
}

fn part(parts: Installed, path: &str) -> Finding {
    let about = "zellij plugin";
    match parts {
        Installed {
            plugin: Part::Absent,
            ..
        } => Finding::note(about, "not installed").repair("tally zellij install"),
        Installed { granted: false, .. } => Finding::warning(
            about,
            format!("{path} is not allowed to see panes and tabs"),
        )
        .expected("zellij's grant of ReadApplicationState, ChangeApplicationState and ReadCliPipes")
        .repair("focus its bar and press y, or: tally zellij grant --yes"),
        // A build without a plugin of its own has nothing to compare with.
        Installed {
            plugin: Part::Different,
            ..
        } if !PLUGIN.is_empty() => Finding::warning(about, format!("{path} is of another release"))
            .expected("the plugin that comes with this program")
            .repair("tally zellij install, and start the sessions again when you can"),
        _ => Finding::ok(about, format!("{path}, granted")),
    }
}

fn session(found: &Found, presence: Presence) -> Finding {
    let Some(name) = &found.name else {
        let about = format!("zellij session {}", found.server.socket);
        return Finding::warning(about, "cannot be reached: its socket is gone")
            .expected("a socket by the session's name")
            .repair("its panes go on; end the session from inside when you can");
    };
    let about = format!("zellij session {name}");
    match presence {
        Presence::Loaded => Finding::ok(about, "has the plugin"),
        Presence::Absent => Finding::note(about, "does not have the plugin: it shows no lamps")
            .expected("a bar of Tallylight's in its layout")
            .repair("start sessions with the layout that `tally zellij install` makes"),
        Presence::Unknown => Finding::note(about, "does not tell which plugins it has"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    const ALL: Installed = Installed {
        plugin: Part::Current,
        alias: Part::Current,
        layout: Part::Current,
        granted: true,
    };

    #[test]
    fn case_i1_a_missing_grant_is_named_and_so_is_the_way_to_give_it() {
        let denied = Installed {
            granted: false,
            ..ALL
        };
        let finding = part(denied, "/p/tally.wasm");
        assert_eq!(finding.level, Level::Warning);
        let text = format!("{:?}", (&finding.found, &finding.expected, &finding.repair));
        for words in ["/p/tally.wasm", "ReadCliPipes", "grant --yes"] {
            assert!(text.contains(words), "{text}");
        }
        assert_eq!(part(ALL, "/p/tally.wasm").level, Level::Ok);
    }

    #[test]
    fn whoever_has_not_installed_it_lacks_nothing() {
        let absent = Installed {
            plugin: Part::Absent,
            granted: false,
            ..ALL
        };
        assert_eq!(part(absent, "").level, Level::Note);
    }

    #[test]
    fn a_zellij_below_the_floor_is_told_and_the_floor_is_named() {
        let old = program(&Ok(Version::new(0, 44, 1)));
        assert_eq!(old.level, Level::Warning);
        assert!(old.expected.is_some_and(|text| text.contains("0.44.2")));
        assert_eq!(program(&Ok(Version::FLOOR)).level, Level::Ok);
    }
}
