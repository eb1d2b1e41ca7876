//! `tally tmux install` and `uninstall`: one line in a file of the person's.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use session_core::view::clean;
use session_host::files::{LARGEST, read_regular, remove_if_unchanged, replace_if_unchanged};
use tmux_bridge::conf;

use crate::args::ConfArgs;
use crate::context::Context;
use crate::failure::{Failure, exit};

/// How often a file that somebody else changes at the same time is read again.
const TRIES: usize = 3;
/// How much of a line is told, in graphemes.
const LONGEST_LINE: usize = 200;

/// What a text, or no file, is to become; it may refuse.
type Change<'c> = dyn Fn(Option<&str>) -> Result<Option<String>, Failure> + 'c;

/// A file's text before and after; `None` is no file.
struct Edit {
    before: Option<String>,
    after: Option<String>,
}

impl Edit {
    /// The lines of one side that the other does not have.
    fn only_in(one: Option<&str>, other: Option<&str>) -> Vec<String> {
        let (one, other) = (one.unwrap_or_default(), other.unwrap_or_default());
        one.lines()
            .filter(|line| !other.lines().any(|known| known == *line))
            .map(str::to_owned)
            .collect()
    }

    fn added(&self) -> Vec<String> {
        Self::only_in(self.after.as_deref(), self.before.as_deref())
    }

    fn gone(&self) -> Vec<String> {
        Self::only_in(self.before.as_deref(), self.after.as_deref())
    }
}

/// Adds the line, with a key that opens the picker where one is named.
pub(super) fn install(args: &ConfArgs, key: Option<&str>, context: &Context) -> anyhow::Result<u8> {
    let key: Option<conf::Key> = key
        .map(str::parse)
        .transpose()
        .map_err(|error: conf::KeyError| Failure::new(exit::USAGE, error.to_string()))?;
    let file = conf_file(args, context)?;
    let program = context.program();
    let change = |text: Option<&str>| {
        conf::install_with_key(text, &program, key.as_ref())
            .map(Some)
            .map_err(|error| Failure::failed(format!("{}: {error}", file.display())))
    };
    let added = edit(&file, args.dry_run, &change)?.added();
    if added.is_empty() {
        context
            .out
            .note(&format!("{}: the line is there already.", file.display()));
        return Ok(exit::OK);
    }
    tell(&file, '+', &added, context)?;
    if !args.dry_run {
        let now = match &key {
            Some(_) => format!("tmux source-file {}", file.display()),
            None => "tally tmux load".to_owned(),
        };
        context.out.note(&format!(
            "It works from the next start of tmux on; for a running server: {now}"
        ));
    }
    Ok(exit::OK)
}

/// Takes the line out, and the file with it if there was none before: wherever it is, since the file that tmux reads may
/// be another one by now. Ends with status 1 where something looks like the line and is not.
pub(super) fn uninstall(args: &ConfArgs, context: &Context) -> anyhow::Result<u8> {
    let files = match &args.file {
        Some(file) => vec![file.clone()],
        None => each_once(conf::files(&context.env)),
    };
    if files.is_empty() {
        return Err(unknown().into());
    }
    let change = |text: Option<&str>| Ok(text.and_then(conf::uninstall));
    let (mut found, mut doubts) = (false, 0);
    for file in &files {
        let edit = match edit(file, args.dry_run, &change) {
            Ok(edit) => edit,
            // What is the matter with one must not keep the line in another.
            Err(error) if files.len() > 1 => {
                context.out.error(&format!("{error:#}"));
                doubts += 1;
                continue;
            }
            Err(error) => return Err(error),
        };
        let gone = edit.gone();
        if !gone.is_empty() {
            found = true;
            tell(file, '-', &gone, context)?;
        }
        for doubt in conf::doubtful(edit.after.as_deref().unwrap_or_default()) {
            doubts += 1;
            context.out.note(&format!(
                "{}:{}: this looks like our line and is not as we wrote it; it is left to you: {}",
                file.display(),
                doubt.number,
                clean(&doubt.text, LONGEST_LINE)
            ));
        }
    }
    if doubts > 0 {
        return Ok(exit::FAILED);
    }
    if !found {
        let names: Vec<String> = files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        context
            .out
            .note(&format!("{}: there is no line of ours.", names.join(", ")));
    }
    Ok(exit::OK)
}

/// The files, without those that are one and the same by a link.
fn each_once(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut known = Vec::new();
    let new = |file: &PathBuf| {
        let real = file.canonicalize().unwrap_or_else(|_| file.clone());
        let new = !known.contains(&real);
        known.push(real);
        new
    };
    files.into_iter().filter(new).collect()
}

fn tell(file: &Path, sign: char, lines: &[String], context: &Context) -> anyhow::Result<()> {
    context.out.note(&format!("{}:", file.display()));
    let lines: String = lines.iter().map(|line| format!("{sign}{line}\n")).collect();
    Ok(context.out.data(&lines)?)
}

/// The file that has the line, else the one for it.
fn conf_file(args: &ConfArgs, context: &Context) -> Result<PathBuf, Failure> {
    let has_it = |file: &PathBuf| {
        read_regular(file, LARGEST)
            .is_ok_and(|text| conf::is_installed(&String::from_utf8_lossy(&text)))
    };
    let known = || conf::files(&context.env).into_iter().find(has_it);
    let file = args.file.clone().or_else(known);
    file.or_else(|| conf::file(&context.env))
        .ok_or_else(unknown)
}

fn unknown() -> Failure {
    Failure::failed("cannot tell which tmux.conf is yours").hint("Name it: --file PATH.")
}

/// Changes a text file of the person's: nothing but what `change` changes, and not if somebody else does so at the
/// same time.
fn edit(file: &Path, dry_run: bool, change: &Change<'_>) -> anyhow::Result<Edit> {
    for _ in 0..TRIES {
        let before = match read_regular(file, LARGEST) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                return Err(Failure::failed(format!("{}: {error}", file.display())).into());
            }
        };
        let text = before.clone().map(String::from_utf8).transpose();
        let text = text.map_err(|_| {
            Failure::failed(format!(
                "{}: the file is not UTF-8; it is left alone",
                file.display()
            ))
        })?;
        let after = change(text.as_deref())?;
        if dry_run || after == text || put(file, before.as_deref(), after.as_deref())? {
            return Ok(Edit {
                before: text,
                after,
            });
        }
    }
    Err(Failure::failed(format!(
        "{}: somebody else keeps changing the file",
        file.display()
    ))
    .into())
}

/// Puts the new text in the place of the old one, or removes the file; says whether it was still the old one.
fn put(file: &Path, before: Option<&[u8]>, after: Option<&str>) -> anyhow::Result<bool> {
    match (before, after) {
        (_, Some(after)) => replace_if_unchanged(file, before, after.as_bytes())
            .with_context(|| format!("cannot write {}", file.display())),
        (Some(before), None) => remove_if_unchanged(file, before)
            .with_context(|| format!("cannot remove {}", file.display())),
        (None, None) => Ok(true),
    }
}
