//! `tally zellij`.

mod sessions;

use std::fs;
use std::path::Path;

use serde::Serialize;
use session_host::clock::Clock;
use session_host::config::Config;
use session_host::paths::FLAVOUR;
use zellij_bridge::install::{self, Edit, Installed, PickerKey, Places, Wanted};
use zellij_bridge::{Version, Zellij, zjstatus};

use crate::args::{ZellijCommand, ZellijGrantArgs, ZellijInstallArgs};
use crate::commands::up;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::output::{Column, Document, ServerDocument, table};

use sessions::ZellijSession;
pub(super) use sessions::{Presence, sessions};

/// The plugin; empty in a build without it.
pub(super) const PLUGIN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/plugin.wasm"));

/// Puts the lamps into zellij and takes them out again.
pub(crate) fn run(command: &ZellijCommand, context: &Context) -> anyhow::Result<u8> {
    match command {
        ZellijCommand::Install(args) => install(args, context),
        ZellijCommand::Uninstall { dry_run } => uninstall(*dry_run, context),
        ZellijCommand::Grant(args) => grant(args, context),
        ZellijCommand::Status { json } => status(*json, context),
    }
}

fn install(args: &ZellijInstallArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    if args.zjstatus {
        return for_zjstatus(&config, context);
    }
    let plugin = plugin(args.plugin.as_deref())?;
    let zellij = Zellij::on_path(&context.env);
    check_version(&zellij, context);
    let places = Places::of(&context.env)?;
    let program = context.program().display().to_string();
    let key = args.keys.as_deref();
    let wanted = Wanted {
        plugin: &plugin,
        zellij: Some(&zellij),
        key: key.map(|key| PickerKey {
            key,
            program: &program,
        }),
    };
    let edits = install::install(&places, wanted)?;
    let changed = apply(&edits, args.dry_run, context)?;
    if args.dry_run {
        return Ok(exit::OK);
    }
    if !changed {
        context.out.note("Everything was there already.");
    }
    if !places.config.exists() {
        let config = places.config.display();
        context.out.note(&format!(
            "There is no {config} yet, so no alias and no key was added. If you want them, make one with `zellij setup \
             --dump-config > {config}`, and run this again."
        ));
    }
    let kept = install::kept(&places)?;
    for path in &kept {
        context.out.note(&format!(
            "{} is yours, and was left alone. Put this row where its tab bar is, or move it away and run this again:\n\
             pane size=1 borderless=true {{ plugin location=\"{FLAVOUR}\"; }}",
            path.display()
        ));
    }
    let granted = install::installed(&places, &plugin)?.granted;
    if kept.is_empty() {
        context
            .out
            .note(&format!("To see the lamps: zellij -n {FLAVOUR}"));
    }
    if !granted {
        context.out.note(
            "zellij will ask you once whether the plugin may see panes and tabs; `tally zellij grant` answers it now.",
        );
    }
    up::ensure(context)?;
    Ok(exit::OK)
}

fn uninstall(dry_run: bool, context: &Context) -> anyhow::Result<u8> {
    let places = Places::of(&context.env)?;
    let edits = install::uninstall(&places)?;
    if !apply(&edits, dry_run, context)? {
        context.out.note("There was nothing to take away.");
    }
    let dependents = install::dependents(&places);
    if !dependents.is_empty() {
        context.out.note(&format!(
            "These lines of yours still name it; zellij does not start with a default layout that is not there:\n  {}",
            dependents.join("\n  ")
        ));
    }
    Ok(exit::OK)
}

fn grant(args: &ZellijGrantArgs, context: &Context) -> anyhow::Result<u8> {
    let places = Places::of(&context.env)?;
    let now = context.clock.now();
    let change = if args.revoke {
        install::revoke
    } else {
        install::grant
    };
    let edit = change(&places, &context.env, &context.processes, now)?;
    if !edit.is_needed() {
        context.out.note(if args.revoke {
            "Nothing was granted."
        } else {
            "It is granted already."
        });
        return Ok(exit::OK);
    }
    show(&edit, true, context)?;
    if args.dry_run {
        return Ok(exit::OK);
    }
    if !args.yes {
        let hint = if args.revoke {
            "If you want that, add --yes."
        } else {
            "If you want that, add --yes. Else start the layout, and answer zellij's own question with y."
        };
        let failure = Failure::failed("this writes zellij's file of permissions for you");
        return Err(failure.hint(hint).into());
    }
    keep_copy(&edit)?;
    edit.make()?;
    context.out.note(if args.revoke {
        "Bars that run keep what they were given until their tab or session ends; new ones will ask."
    } else if places.plugin.exists() {
        "Bars that are asking already have to be answered once: focus them and press y."
    } else {
        "The plugin itself is not there yet: `tally zellij install` puts it there."
    });
    Ok(exit::OK)
}

/// Keeps what the file held, beside it.
fn keep_copy(edit: &Edit) -> anyhow::Result<()> {
    if let Some(before) = &edit.before {
        let copy = edit.path.with_extension(format!("kdl.before-{FLAVOUR}"));
        session_host::files::replace(&copy, before)?;
    }
    Ok(())
}

fn for_zjstatus(config: &Config, context: &Context) -> anyhow::Result<u8> {
    if !config.zellij.zjstatus {
        let file = context.paths.config_file();
        context.out.note(&format!(
            "Add to {}, and restart the daemon (tally down; tally up):\n\n[zellij]\nzjstatus = true\n",
            file.display()
        ));
    }
    context
        .out
        .data(&zjstatus::snippet(&zjstatus::Widget::default()))?;
    Ok(exit::OK)
}

fn plugin(file: Option<&Path>) -> Result<Vec<u8>, Failure> {
    if let Some(file) = file {
        return fs::read(file)
            .map_err(|error| Failure::failed(format!("{}: {error}", file.display())));
    }
    if PLUGIN.is_empty() {
        return Err(
            Failure::failed("this build of tally comes without the zellij plugin")
                .hint("`cargo xtask install` makes one with it; or name a plugin: --plugin FILE."),
        );
    }
    Ok(PLUGIN.to_vec())
}

fn check_version(zellij: &Zellij, context: &Context) {
    match zellij.version() {
        Ok(version) if version.is_supported() => {}
        Ok(version) => context.out.note(&format!(
            "zellij {version} is older than {}: some of it will not work.",
            Version::FLOOR
        )),
        Err(error) => context.out.note(&format!("{error}.")),
    }
}

/// Shows a change: its lines where somebody's own file changes, and with `whole` also those of a new one.
fn show(edit: &Edit, whole: bool, context: &Context) -> std::io::Result<()> {
    let lines = edit.diff();
    let what = match (&edit.before, &edit.after) {
        (None, Some(_)) if lines.is_empty() => " (new)".to_owned(),
        (None, Some(_)) => format!(" (new, {} lines)", lines.len()),
        (Some(_), None) => " (removed)".to_owned(),
        _ if lines.is_empty() => " (replaced)".to_owned(),
        _ => String::new(),
    };
    context.out.note(&format!("{}{what}", edit.path.display()));
    let is_told = edit.after.is_some() && (whole || edit.before.is_some());
    if lines.is_empty() || !is_told {
        return Ok(());
    }
    context.out.data(&lines.join("\n"))
}

/// Shows the changes, and makes them. Returns whether there were any.
fn apply(edits: &[Edit], dry_run: bool, context: &Context) -> anyhow::Result<bool> {
    let needed: Vec<&Edit> = edits.iter().filter(|edit| edit.is_needed()).collect();
    for edit in &needed {
        show(edit, dry_run, context)?;
        if !dry_run {
            edit.make()?;
        }
    }
    Ok(!needed.is_empty())
}

#[derive(Serialize)]
struct ZellijDocument {
    version: Option<String>,
    supported: bool,
    embedded: bool,
    plugin: &'static str,
    alias: &'static str,
    layout: &'static str,
    granted: bool,
    servers: Vec<SessionDocument>,
}

#[derive(Serialize)]
struct SessionDocument {
    #[serde(flatten)]
    server: ServerDocument,
    /// Whether it has the plugin.
    loaded: &'static str,
}

fn status(json: bool, context: &Context) -> anyhow::Result<u8> {
    let version = Zellij::on_path(&context.env).version();
    let places = Places::of(&context.env)?;
    let Installed {
        plugin,
        alias,
        layout,
        granted,
    } = install::installed(&places, PLUGIN)?;
    let supported = version.as_ref().is_ok_and(|version| version.is_supported());
    let document = ZellijDocument {
        version: version.as_ref().ok().map(ToString::to_string),
        supported,
        embedded: !PLUGIN.is_empty(),
        plugin: plugin.word(),
        alias: alias.word(),
        layout: layout.word(),
        granted,
        servers: servers(context),
    };
    if json {
        context.out.json(&Document::new(&document))?;
    } else {
        let version = version.map_or_else(
            |error| error.to_string(),
            |version| format!("{version}{}", if supported { "" } else { ", too old" }),
        );
        let rows = [
            ("zellij", version),
            (
                "plugin",
                format!("{}: {}", document.plugin, places.plugin.display()),
            ),
            (
                "alias",
                format!("{}: {}", document.alias, places.config.display()),
            ),
            ("layout", document.layout.to_owned()),
            ("granted", if granted { "yes" } else { "no" }.to_owned()),
        ];
        let rows: Vec<Vec<String>> = rows
            .into_iter()
            .map(|(name, value)| vec![name.to_owned(), value])
            .collect();
        let sessions = document.servers.iter().map(|server| {
            vec![
                "session".to_owned(),
                format!(
                    "{} (pid {}), plugin {}",
                    server.server.socket,
                    server.server.pid.unwrap_or(0),
                    server.loaded
                ),
            ]
        });
        let rows: Vec<Vec<String>> = rows.into_iter().chain(sessions).collect();
        let titles = [Column::left("PART", 7), Column::left("STATE", 12)];
        context
            .out
            .data(&table(&titles, &rows, None, &|_, _, cell| cell.to_owned()))?;
    }
    let ready = supported && document.plugin != "absent" && granted;
    Ok(if ready { exit::OK } else { exit::FAILED })
}

fn servers(context: &Context) -> Vec<SessionDocument> {
    let document = |session: &ZellijSession| SessionDocument {
        server: session.document(context),
        loaded: session.presence.word(),
    };
    sessions(context).iter().map(document).collect()
}
