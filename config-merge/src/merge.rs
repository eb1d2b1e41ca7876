//! The two changes: ours in, ours out.

use crate::document::{Document, Format, parse, without_mark};
use crate::entry::Entry;
use crate::error::{MergeError, shown};
use crate::made::Made;
use crate::node::{Kind, Member, Node};

/// More steps than any payload takes.
const MOST_STEPS: usize = 10_000;

/// Puts the wanted entries into a text; `None` is a file that is not there. What of ours is there already stays where it
/// is, what `made` says we have written earlier gets the new value in its place (case E7: the program has moved), and
/// doubles go.
///
/// Gives the new text and what must be known to take it out again.
///
/// # Errors
/// On any doubt; the file is then to be left alone.
pub fn install(
    format: Format,
    text: Option<&str>,
    wanted: &[Entry],
    made: &Made,
) -> Result<(String, Made), MergeError> {
    let mut now = Made {
        entries: wanted.to_vec(),
        ..made.clone()
    };
    let (mark, before) = without_mark(text.unwrap_or_default());
    let mut after = before.to_owned();
    if text.is_none() {
        now.file = true;
        if format == Format::Json {
            after = "{}\n".to_owned();
        }
    }
    let checked = after.clone();
    for _ in 0..MOST_STEPS {
        let document = parse(format, &after)?;
        let Some(next) = step_in(&*document, &after, wanted, made, &mut now)? else {
            drop(document);
            check(format, &checked, &after, &[wanted, &made.entries])?;
            return Ok((format!("{mark}{after}"), now));
        };
        drop(document);
        after = next;
    }
    Err(MergeError::Entangled("it has no end".to_owned()))
}

/// Takes out what `made` says we have written, as far as it is still there. `None` is the end of a file that was not there
/// before, and in which nothing else is now.
///
/// # Errors
/// On any doubt; the file is then to be left alone.
pub fn uninstall(format: Format, text: &str, made: &Made) -> Result<Option<String>, MergeError> {
    let (mark, before) = without_mark(text);
    let mut after = before.to_owned();
    for _ in 0..MOST_STEPS {
        let document = parse(format, &after)?;
        let Some(next) = step_out(&*document, &after, made)? else {
            if made.file && mark.is_empty() && document.is_bare() {
                return Ok(None);
            }
            drop(document);
            check(format, before, &after, &[&made.entries])?;
            return Ok(Some(format!("{mark}{after}")));
        };
        drop(document);
        after = next;
    }
    Err(MergeError::Entangled("it has no end".to_owned()))
}

/// The next thing to do for the entries to be in, and the text it gives; `None` when all is done.
fn step_in(
    document: &dyn Document,
    text: &str,
    wanted: &[Entry],
    made: &Made,
    now: &mut Made,
) -> Result<Option<String>, MergeError> {
    let old: Vec<&Entry> = made
        .entries
        .iter()
        .filter(|entry| !wanted.contains(entry))
        .collect();
    for (list, wanted) in by_list(wanted) {
        let elements = document
            .root()
            .list(text, list)?
            .map(Node::elements)
            .unwrap_or_default();
        let mut free: Vec<usize> = Vec::new();
        let mut there = vec![Vec::new(); wanted.len()];
        for (index, element) in elements.iter().enumerate() {
            let is = |entry: &Entry| element.same(&Node::from(&entry.value));
            match wanted.iter().position(|entry| is(entry)) {
                Some(which) => {
                    if let Some(there) = there.get_mut(which) {
                        there.push(index);
                    }
                }
                None if old.iter().any(|entry| entry.list == list && is(entry)) => free.push(index),
                None => {}
            }
        }
        for (entry, there) in wanted.iter().zip(&there) {
            // The place that was ours first stays ours.
            if let Some(index) = free.first()
                && there.first().is_none_or(|there| index < there)
            {
                return document.replace(entry, *index).map(Some);
            }
            match &there[..] {
                [] => return document.insert(entry, now).map(Some),
                [_] => {}
                [.., double] => return document.remove(list, *double).map(Some),
            }
        }
        if let Some(index) = free.last() {
            return document.remove(list, *index).map(Some);
        }
    }
    let left = old
        .iter()
        .filter(|entry| !wanted.iter().any(|wanted| wanted.list == entry.list));
    for entry in left {
        if let Some(index) = last_of(document, text, entry)? {
            return document.remove(&entry.list, index).map(Some);
        }
        if let Some(next) = emptied(document, &entry.list, made)? {
            return Ok(Some(next));
        }
    }
    Ok(None)
}

/// The next thing to take out, and the text it gives; `None` when nothing is left.
fn step_out(
    document: &dyn Document,
    text: &str,
    made: &Made,
) -> Result<Option<String>, MergeError> {
    let mut last: Option<(usize, &Entry, usize)> = None;
    for entry in &made.entries {
        // What is in the way there now is not ours, and ours is not there.
        let Ok(Some(list)) = document.root().list(text, &entry.list) else {
            continue;
        };
        let wanted = Node::from(&entry.value);
        for (index, element) in list.elements().iter().enumerate() {
            if element.same(&wanted) && last.is_none_or(|(at, ..)| at < element.span.start) {
                last = Some((element.span.start, entry, index));
            }
        }
    }
    if let Some((_, entry, index)) = last {
        return document.remove(&entry.list, index).map(Some);
    }
    // What came last goes first.
    for entry in made.entries.iter().rev() {
        if let Some(next) = emptied(document, &entry.list, made)? {
            return Ok(Some(next));
        }
    }
    Ok(None)
}

/// Takes out the innermost thing of ours on the way to a list that is empty by now.
fn emptied(
    document: &dyn Document,
    list: &[String],
    made: &Made,
) -> Result<Option<String>, MergeError> {
    for depth in (0..=list.len()).rev() {
        let path = list.get(..depth).unwrap_or_default();
        // Where the way is not clear any more, nothing of ours is at its end.
        if let Ok(Some(next)) = document.remove_empty(path, made) {
            return Ok(Some(next));
        }
    }
    Ok(None)
}

fn last_of(
    document: &dyn Document,
    text: &str,
    entry: &Entry,
) -> Result<Option<usize>, MergeError> {
    let list = document.root().list(text, &entry.list)?;
    let wanted = Node::from(&entry.value);
    Ok(list.and_then(|list| {
        list.elements()
            .iter()
            .rposition(|element| element.same(&wanted))
    }))
}

/// The entries, list by list, in their order.
fn by_list(entries: &[Entry]) -> Vec<(&[String], Vec<&Entry>)> {
    let mut lists: Vec<(&[String], Vec<&Entry>)> = Vec::new();
    for entry in entries {
        match lists.iter_mut().find(|(list, _)| *list == entry.list) {
            Some((_, known)) => known.push(entry),
            None => lists.push((&entry.list, vec![entry])),
        }
    }
    lists
}

/// Makes sure that nothing else than ours has changed.
///
/// # Errors
/// When something has.
fn check(format: Format, before: &str, after: &str, ours: &[&[Entry]]) -> Result<(), MergeError> {
    let ours: Vec<&Entry> = ours.iter().flat_map(|entries| entries.iter()).collect();
    let rest = |text: &str| -> Result<Node, MergeError> {
        let mut root = parse(format, text)?.root().clone();
        without(&mut root, &mut Vec::new(), &ours);
        Ok(root)
    };
    // What cannot be read before is told by where it is, what cannot be read after is our own doing.
    let (before, after) = (rest(before)?, rest(after));
    match after {
        Ok(after) if before.same(&after) => Ok(()),
        Ok(_) => Err(MergeError::Entangled(lists_of(&ours))),
        Err(error) => Err(MergeError::Entangled(format!(
            "{} ({error})",
            lists_of(&ours)
        ))),
    }
}

fn lists_of(ours: &[&Entry]) -> String {
    let mut lists: Vec<String> = ours.iter().map(|entry| shown(&entry.list)).collect();
    lists.dedup();
    lists.join(", ")
}

/// Takes our entries out of the values, and what is empty on the way to them.
fn without(node: &mut Node, path: &mut Vec<String>, ours: &[&Entry]) {
    match &mut node.kind {
        Kind::List(elements) => elements.retain(|element| {
            let is =
                |entry: &&&Entry| entry.list == *path && element.same(&Node::from(&entry.value));
            !ours.iter().any(|entry| is(&entry))
        }),
        Kind::Map(members) => {
            for Member { key, value, .. } in members.iter_mut() {
                path.push(key.clone());
                if ours.iter().any(|entry| entry.list.starts_with(path)) {
                    without(value, path, ours);
                }
                path.pop();
            }
            members.retain(|member| {
                path.push(member.key.clone());
                let ours = ours.iter().any(|entry| entry.list.starts_with(path));
                path.pop();
                let empty = match &member.value.kind {
                    Kind::List(elements) => elements.is_empty(),
                    Kind::Map(members) => members.is_empty(),
                    _ => false,
                };
                !(ours && empty)
            });
        }
        _ => {}
    }
}
