//! Which files change, and how.

use std::path::{Path, PathBuf};

use session_core::Time;
use session_host::env::Env;
use session_host::process::ProcessTable;

use super::config::{self, ConfigError};
use super::edit::{Edit, read, read_text};
use super::error::InstallError;
use super::places::Places;
use super::{keys, layout, permissions};
use crate::discover::is_starting;
use crate::zellij::Zellij;

/// What is to be installed.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    /// The plugin.
    pub plugin: &'w [u8],
    /// The person's zellij, to make the layout after its own.
    pub zellij: Option<&'w Zellij>,
    /// A key that opens the picker.
    pub key: Option<PickerKey<'w>>,
}

/// A key, and the program that it runs.
#[derive(Clone, Copy, Debug)]
pub struct PickerKey<'w> {
    /// The key, by the name that zellij gives it.
    pub key: &'w str,
    /// The path of this program.
    pub program: &'w str,
}

/// The changes that put the plugin, its alias and its layout in place. Nothing is written.
///
/// There is no alias without a `config.kdl`: to make one would take zellij's first-run questions from the person. The
/// layout works without it.
///
/// # Errors
/// When a file is not what it should be.
pub fn install(places: &Places, wanted: Wanted<'_>) -> Result<Vec<Edit>, InstallError> {
    let plugin = places.plugin_text()?;
    let text = read_text(&places.config)?;
    let mut edits = vec![Edit::new(
        &places.plugin,
        read(&places.plugin)?,
        Some(wanted.plugin.to_vec()),
    )];
    if let Some(text) = &text {
        let after = config::install(text, plugin).and_then(|after| match wanted.key {
            Some(PickerKey { key, program }) => keys::install(&after, program, key),
            None => Ok(after),
        });
        let after = after.map_err(|error| refused(&places.config, &error))?;
        edits.push(Edit::new(
            &places.config,
            Some(text.clone().into()),
            Some(after.into()),
        ));
    }
    let default = |words: [&str; 2]| {
        let printed = wanted.zellij?.setup(&words).ok()?;
        String::from_utf8(printed).ok()
    };
    let main = layout::layout(default(["--dump-layout", "default"]).as_deref(), plugin);
    let swap = default(["--dump-swap-layout", "default"])
        .and_then(|swap| layout::swap_layout(&swap, plugin));
    let [main_path, swap_path] = layout_files(places, text.as_deref());
    edits.extend(layout_edit(&main_path, Some(main))?);
    edits.extend(
        swap.map(|swap| layout_edit(&swap_path, Some(swap)))
            .transpose()?
            .flatten(),
    );
    Ok(edits)
}

/// The changes that take all of it away again. Nothing is written.
///
/// # Errors
/// When a file is not what it should be.
pub fn uninstall(places: &Places) -> Result<Vec<Edit>, InstallError> {
    let text = read_text(&places.config)?;
    let mut edits = Vec::new();
    if let Some(text) = &text {
        // What came last goes first.
        let after = keys::uninstall(text).and_then(|after| config::uninstall(&after));
        let after = after.map_err(|error| refused(&places.config, &error))?;
        edits.push(Edit::new(
            &places.config,
            Some(text.clone().into()),
            Some(after.into()),
        ));
    }
    for path in layout_files(places, text.as_deref()) {
        if read_text(&path)?.is_some_and(|text| layout::is_ours(&text)) {
            edits.extend(layout_edit(&path, None)?);
        }
    }
    edits.push(Edit::new(&places.plugin, read(&places.plugin)?, None));
    Ok(edits)
}

/// The change that grants the plugin what it asks for, as the person has consented to. Nothing is written.
///
/// # Errors
/// When a session is starting, or the file cannot be read.
pub fn grant(
    places: &Places,
    env: &Env,
    processes: &dyn ProcessTable,
    now: Time,
) -> Result<Edit, InstallError> {
    if is_starting(env, processes, now) {
        return Err(InstallError::Starting);
    }
    permission_edit(places, permissions::grant)
}

/// The change that takes the grant back. Nothing is written.
///
/// # Errors
/// When a session is starting, or the file cannot be read.
pub fn revoke(
    places: &Places,
    env: &Env,
    processes: &dyn ProcessTable,
    now: Time,
) -> Result<Edit, InstallError> {
    if is_starting(env, processes, now) {
        return Err(InstallError::Starting);
    }
    permission_edit(places, permissions::revoke)
}

fn permission_edit(
    places: &Places,
    change: fn(&str, &str) -> Result<String, permissions::Unreadable>,
) -> Result<Edit, InstallError> {
    let path = &places.permissions;
    let text = read_text(path)?;
    let after = change(text.as_deref().unwrap_or_default(), places.plugin_text()?);
    let after = after.map_err(|error| InstallError::Unreadable {
        path: path.clone(),
        why: error.to_string(),
    })?;
    // Without a file there is nothing to take back.
    let after = if text.is_none() && after.is_empty() {
        None
    } else {
        Some(after.into())
    };
    Ok(Edit::new(path, text.map(Into::into), after))
}

/// The layout and its arrangements.
pub(super) fn layout_files(places: &Places, config: Option<&str>) -> [PathBuf; 2] {
    let named = config.and_then(config::layout_folder).map(PathBuf::from);
    let folder = named.filter(|folder| folder.is_absolute());
    let folder = folder.unwrap_or_else(|| places.layouts.clone());
    let name = layout::name();
    [
        folder.join(format!("{name}.kdl")),
        folder.join(format!("{name}.swap.kdl")),
    ]
}

/// The layout files of ours whose names are taken by files of the person's own, which are left alone (case E12).
///
/// # Errors
/// When a file cannot be read.
pub fn kept(places: &Places) -> Result<Vec<PathBuf>, InstallError> {
    let config = read_text(&places.config)?;
    let mut kept = Vec::new();
    for path in layout_files(places, config.as_deref()) {
        if read_text(&path)?.is_some_and(|text| !layout::is_ours(&text)) {
            kept.push(path);
        }
    }
    Ok(kept)
}

/// The change of a layout file; one that the person keeps is not ours to change (case E12).
fn layout_edit(path: &Path, after: Option<String>) -> Result<Option<Edit>, InstallError> {
    let before = read_text(path)?;
    if before.as_ref().is_some_and(|text| !layout::is_ours(text)) {
        return Ok(None);
    }
    Ok(Some(Edit::new(
        path,
        before.map(Into::into),
        after.map(Into::into),
    )))
}

fn refused(path: &Path, error: &ConfigError) -> InstallError {
    let path = path.to_owned();
    match error {
        ConfigError::Unreadable(why) => InstallError::Unreadable {
            path,
            why: why.clone(),
        },
        other => InstallError::Taken {
            path,
            what: other.to_string(),
        },
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests set files up")]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use session_host::process::FakeProcesses;

    use super::*;

    const CONFIG: &str = "// mine\ntheme \"x\"\n\nplugins {\n    a location=\"b\"\n}";

    fn scene(config: Option<&str>) -> (tempfile::TempDir, Places) {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(".config/zellij")).unwrap();
        if let Some(config) = config {
            fs::write(root.path().join(".config/zellij/config.kdl"), config).unwrap();
        }
        let env = [("HOME", root.path())].into_iter().collect();
        let places = Places::of(&env).unwrap();
        (root, places)
    }

    fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                } else {
                    found.insert(entry.path(), fs::read(entry.path()).unwrap());
                }
            }
        }
        found
    }

    fn make(edits: &[Edit]) {
        for edit in edits {
            edit.make().unwrap();
        }
    }

    const WANTED: Wanted<'static> = Wanted {
        plugin: b"\0asm",
        zellij: None,
        key: Some(PickerKey {
            key: "Alt a",
            program: "/usr/bin/tally",
        }),
    };

    #[test]
    fn install_and_uninstall_give_back_the_same_files() {
        let (root, places) = scene(Some(CONFIG));
        let before = files(root.path());
        let edits = install(&places, WANTED).unwrap();
        assert_eq!(files(root.path()), before, "nothing is written yet");
        make(&edits);
        assert_eq!(fs::read(&places.plugin).unwrap(), b"\0asm");
        assert!(
            places
                .layouts
                .join(format!("{}.kdl", layout::name()))
                .exists()
        );
        assert!(
            install(&places, WANTED)
                .unwrap()
                .iter()
                .all(|edit| !edit.is_needed())
        );
        make(&uninstall(&places).unwrap());
        assert_eq!(files(root.path()), before);
    }

    #[test]
    fn no_configuration_is_made_where_there_is_none() {
        let (root, places) = scene(None);
        make(&install(&places, WANTED).unwrap());
        assert!(!places.config.exists());
        make(&uninstall(&places).unwrap());
        assert!(files(root.path()).is_empty());
    }

    #[test]
    fn case_e12_a_layout_that_the_person_keeps_is_left_alone() {
        let (_root, places) = scene(Some(CONFIG));
        let path = places.layouts.join(format!("{}.kdl", layout::name()));
        fs::create_dir_all(&places.layouts).unwrap();
        fs::write(&path, "layout {\n}\n").unwrap();
        make(&install(&places, WANTED).unwrap());
        assert_eq!(kept(&places).unwrap(), std::slice::from_ref(&path));
        make(&uninstall(&places).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "layout {\n}\n");
    }

    #[test]
    fn the_grant_is_refused_while_a_session_starts() {
        let (_root, places) = scene(Some(CONFIG));
        let quiet = FakeProcesses::default();
        let env = Env::default();
        let now = Time(1_000_000_000);
        make(&[grant(&places, &env, &quiet, now).unwrap()]);
        let text = fs::read_to_string(&places.permissions).unwrap();
        assert!(permissions::is_granted(&text, places.plugin_text().unwrap()).unwrap());
        make(&[revoke(&places, &env, &quiet, now).unwrap()]);
        assert_eq!(fs::read_to_string(&places.permissions).unwrap(), "");
    }
}
