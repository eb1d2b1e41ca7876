//! Reading the configuration, however bad it is.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::Config;
use super::hooks;
use super::key::KEYS;
use crate::files::read_regular_text;

/// The largest configuration that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// What the person's file came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// The settings.
    pub config: Config,
    /// What is wrong with the file, in the order of its lines.
    pub notes: Vec<Note>,
    /// The names of the keys whose values are the file's, with their lines; a value that cannot be used is not one.
    pub given: Vec<(&'static str, usize)>,
    /// Whether a mistake touches the hooks, or may: then a table that was read before is the better one.
    pub hooks_doubtful: bool,
    /// The file, whether it is there or not.
    pub file: PathBuf,
}

/// Something that is wrong with the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line, counted from 1; `None` when it is about the whole file.
    pub line: Option<usize>,
    /// The column, counted from 1 in characters, where it helps to find it.
    pub column: Option<usize>,
    /// What is wrong, and what is done about it.
    pub text: String,
}

impl Loaded {
    /// The notes, each in one line that begins with the file and the line.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.notes.iter().map(|note| match note.line {
            Some(line) => {
                let column = note.column.map(|column| format!("{column}:"));
                let column = column.unwrap_or_default();
                format!("{}:{line}:{column} {}", self.file.display(), note.text)
            }
            None => format!("{}: {}", self.file.display(), note.text),
        })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => match self.column {
                Some(column) => write!(f, "line {line}, column {column}: {}", self.text),
                None => write!(f, "line {line}: {}", self.text),
            },
            None => f.write_str(&self.text),
        }
    }
}

/// Reads a configuration file; a missing one is an empty one.
#[must_use]
pub fn load(file: &Path) -> Loaded {
    let unreadable = |why: String| Loaded {
        hooks_doubtful: true,
        notes: vec![Note {
            line: None,
            column: None,
            text: format!("{why}; the defaults are used"),
        }],
        file: file.to_owned(),
        ..Loaded::default()
    };
    match read_regular_text(file, LARGEST) {
        Ok(text) => Loaded {
            file: file.to_owned(),
            ..parse(&text)
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Loaded {
            file: file.to_owned(),
            ..Loaded::default()
        },
        Err(error) => unreadable(error.to_string()),
    }
}

/// Reads a configuration's text.
#[must_use]
pub fn parse(text: &str) -> Loaded {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader {
        text,
        loaded: Loaded::default(),
    };
    for error in errors {
        let at = error.span().map(|span| span.start);
        let text = format!("{}; what cannot be read is left out", error.message());
        reader.loaded.hooks_doubtful = true;
        reader.loaded.notes.push(Note {
            line: at.map(|at| reader.line(at)),
            column: at.map(|at| reader.column(at)),
            text,
        });
    }
    reader.table("", table.get_ref());
    reader.loaded.notes.sort_by_key(|note| note.line);
    reader.loaded.given.sort_by_key(|(_, line)| *line);
    reader.loaded
}

struct Reader<'t> {
    text: &'t str,
    loaded: Loaded,
}

impl Reader<'_> {
    fn table(&mut self, prefix: &str, table: &DeTable<'_>) {
        for (key, value) in table {
            let name = if prefix.is_empty() {
                key.get_ref().to_string()
            } else {
                format!("{prefix}.{}", key.get_ref())
            };
            let line = self.line(key.span().start);
            if let ("hooks", Some(table)) = (name.as_str(), value.get_ref().as_table()) {
                self.hooks(table);
                continue;
            }
            self.entry(&name, value.get_ref(), line);
        }
    }

    fn entry(&mut self, name: &str, value: &DeValue<'_>, line: usize) {
        if let Some(key) = KEYS.iter().find(|key| key.name == name) {
            match (key.set)(&mut self.loaded.config, value) {
                Ok(()) => self.loaded.given.push((key.name, line)),
                Err(why) => {
                    let default = (key.show)(&Config::default());
                    let text = format!("{name}: {why}; {default} is used");
                    self.loaded.hooks_doubtful |= name.starts_with("notifications.");
                    self.loaded.notes.push(Note {
                        line: Some(line),
                        column: None,
                        text,
                    });
                }
            }
            return;
        }
        let inside = |key: &str| {
            key.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('.'))
        };
        let is_table = KEYS.iter().any(|key| inside(key.name));
        let text = match value.as_table() {
            Some(table) if is_table => return self.table(name, table),
            None if is_table => format!("{name} is a table: write [{name}]"),
            _ => format!("unknown key {name}{}", suggestion(name)),
        };
        self.loaded.hooks_doubtful |= name == "hooks" || name.starts_with("notifications");
        self.loaded.notes.push(Note {
            line: Some(line),
            column: None,
            text,
        });
    }

    /// The table of the hooks: its keys are events, and a mistake in one leaves the others as they are.
    fn hooks(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let read = hooks::event(key.get_ref()).and_then(|event| {
                let commands = hooks::commands(value);
                commands.map(|commands| (event, commands))
            });
            let at = key.span().start;
            match read {
                Ok((event, commands)) => self.loaded.config.hooks.set(event, commands),
                Err((inside, why)) => {
                    let at = inside.unwrap_or(at);
                    self.loaded.hooks_doubtful = true;
                    self.loaded.notes.push(Note {
                        line: Some(self.line(at)),
                        column: Some(self.column(at)),
                        text: format!("hooks.{}: {why}", key.get_ref()),
                    });
                }
            }
        }
    }

    fn column(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or_default();
        1 + before
            .chars()
            .rev()
            .take_while(|char| *char != '\n')
            .count()
    }

    fn line(&self, offset: usize) -> usize {
        1 + self
            .text
            .bytes()
            .take(offset)
            .filter(|byte| *byte == b'\n')
            .count()
    }
}

/// The key that was probably meant.
fn suggestion(name: &str) -> String {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let near = |key: &&str| last(key) == last(name) || distance(key, name) <= 2;
    let keys = || KEYS.iter().map(|key| key.name);
    let tables = || keys().filter_map(|key| Some(key.rsplit_once('.')?.0));
    match keys().chain(tables()).find(near) {
        Some(key) => format!("; did you mean {key}?"),
        None => String::new(),
    }
}

/// How many letters must change to make one name of the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.bytes().enumerate() {
        let mut next = vec![index + 1];
        for ((diagonal, above), known) in row.iter().zip(row.iter().skip(1)).zip(other.bytes()) {
            let left = next.last().copied().unwrap_or_default();
            let swapped = diagonal + usize::from(letter != known);
            next.push(swapped.min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use session_core::State;
    use session_core::happening::HookEvent;

    use super::super::{Colour, DEFAULT_TOML};
    use super::*;

    #[test]
    fn a_table_that_was_probably_meant_is_told_as_a_key_is() {
        let loaded = parse("[look.colors]\nblocked = 'red'\n");
        let told: Vec<&str> = loaded.notes.iter().map(|note| note.text.as_str()).collect();
        assert!(
            told.iter()
                .any(|text| text.ends_with("did you mean look.colours?")),
            "{told:?}"
        );
    }

    #[test]
    fn a_hook_is_a_text_a_list_or_a_table() {
        let loaded = parse(
            "[hooks]\nafter-agent-state = ['a', { run = 'b', timeout = '10s' }, { run = 'c', timeout = '250ms' }]\n",
        );
        assert_eq!(loaded.notes, []);
        let event = HookEvent::AfterAgentState;
        let told: Vec<(&str, u64)> = loaded
            .config
            .hooks
            .of(event)
            .iter()
            .map(|command| (command.run.as_str(), command.timeout_ms))
            .collect();
        assert_eq!(told, [("a", 60_000), ("b", 10_000), ("c", 250)]);
        let one = parse("hooks.after-agent-state = 'x'\n").config.hooks;
        assert_eq!(one.of(event).len(), 1);
    }

    #[rstest]
    #[case("[hooks]\nafter-lunch = 'x'\n", 2, 1, "no event")]
    #[case("[hooks]\n  after-theme-change = 'x'\n", 2, 3, "nothing fires it")]
    #[case("[hooks]\nafter-agent-state = 7\n", 2, 21, "neither")]
    #[case("[hooks]\nafter-agent-state = ['a', '']\n", 2, 27, "empty")]
    #[case(
        "[hooks]\nafter-agent-state = { run = 'a', timeout = '0s' }\n",
        2,
        44,
        "timeout"
    )]
    #[case(
        "[hooks]\nafter-agent-state = { run = 'a', folder = '1s' }\n",
        2,
        34,
        "unknown key folder"
    )]
    fn a_mistake_in_a_hook_is_told_with_line_and_column(
        #[case] text: &str,
        #[case] line: usize,
        #[case] column: usize,
        #[case] why: &str,
    ) {
        let loaded = parse(text);
        let [note] = &loaded.notes[..] else {
            panic!("{:?}", loaded.notes)
        };
        assert_eq!(
            (note.line, note.column),
            (Some(line), Some(column)),
            "{note}"
        );
        assert!(note.text.contains(why), "{note}");
        assert!(loaded.hooks_doubtful);
        assert!(loaded.config.hooks.is_empty());
    }

    #[test]
    fn the_reference_holds_every_key_with_its_default() {
        let loaded = parse(DEFAULT_TOML);
        assert_eq!(loaded.notes, []);
        assert_eq!(loaded.config, Config::default());
        let given: Vec<&str> = loaded.given.iter().map(|(name, _)| *name).collect();
        assert_eq!(given, KEYS.map(|key| key.name));
    }

    #[test]
    fn what_is_shown_reads_back() {
        let mut shown = String::new();
        for key in &KEYS {
            shown.push_str(&format!(
                "{} = {}\n",
                key.name,
                (key.show)(&Config::default())
            ));
        }
        assert_eq!(parse(&shown).config, Config::default());
    }

    #[test]
    fn values_are_taken_over() {
        let text = "[timing]\nquiet_ms = 60_000\n[look]\nglyphs = 'ascii'\norder = ['done']\n\
                    colours.blocked = '#ff0000'\n[tmux]\nwake_hooks = false\n";
        let loaded = parse(text);
        assert_eq!(loaded.notes, []);
        assert_eq!(loaded.config.policy.quiet_ms, 60_000);
        assert_eq!(loaded.config.policy.urgency.first(), Some(&State::Done));
        assert_eq!(loaded.config.policy.urgency.len(), 8);
        assert_eq!(
            loaded.config.look.colour(State::Blocked),
            Colour::Rgb(255, 0, 0)
        );
        assert!(!loaded.config.tmux.wake_hooks);
    }

    #[rstest]
    #[case(
        "\n[timing]\nquit_ms = 1",
        "line 3: unknown key timing.quit_ms; did you mean timing.quiet_ms?"
    )]
    #[case(
        "quiet_ms = 1",
        "line 1: unknown key quiet_ms; did you mean timing.quiet_ms?"
    )]
    #[case("[nonsense]\na = 1", "line 1: unknown key nonsense")]
    #[case("timing = 1", "line 1: timing is a table: write [timing]")]
    #[case(
        "[timing]\n# x\nquiet_ms = 1",
        "line 3: timing.quiet_ms: 1 is not from 1000 to 3600000; 10000 is used"
    )]
    #[case(
        "[timing]\nquiet_ms = 'a'",
        "line 2: timing.quiet_ms: a value of type string is not a whole number; 10000 is used"
    )]
    #[case(
        "[look]\nglyphs = 'emoji'",
        "line 2: look.glyphs: \"emoji\" is not a glyph set (nerd, unicode, ascii); \"unicode\" is used"
    )]
    #[case(
        "[look]\norder = ['done', 'done']",
        "line 2: look.order: done is listed twice; [\"blocked\", \"error\", \"working\", \"done\", \"running\", \
         \"idle\", \"unknown\"] is used"
    )]
    fn a_mistake_is_reported_with_its_line_and_changes_nothing(
        #[case] text: &str,
        #[case] note: &str,
    ) {
        let loaded = parse(text);
        assert_eq!(
            loaded.notes.iter().map(Note::to_string).collect::<Vec<_>>(),
            [note]
        );
        assert_eq!(loaded.config, Config::default());
        assert_eq!(loaded.given, [], "what holds is a default");
    }

    #[test]
    fn a_file_that_is_no_toml_is_reported_and_what_can_be_read_is() {
        let loaded = parse("[timing]\nquiet_ms = 20000\nthis is not toml\n");
        assert_eq!(loaded.config.policy.quiet_ms, 20_000);
        assert!(
            loaded.notes.iter().all(|note| note.line == Some(3)),
            "{:?}",
            loaded.notes
        );
        assert!(!loaded.notes.is_empty());
    }

    #[test]
    fn a_missing_file_is_an_empty_one_and_a_folder_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(load(&folder.path().join("config.toml")).notes, []);
        let loaded = load(folder.path());
        assert_eq!(
            loaded.lines().collect::<Vec<_>>(),
            [format!(
                "{}: it is a folder, and not a regular file; the defaults are used",
                folder.path().display()
            )]
        );
    }
}
