//! Cuts a stream into lines, and drops those that are longer than any that is meant.

use session_core::wire::MAX_LINE;

#[derive(Debug, Default)]
pub(super) struct Lines {
    line: Vec<u8>,
    too_long: bool,
}

impl Lines {
    /// Takes in some bytes and returns the lines they complete.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let text = piece.strip_suffix(b"\n");
            let part = text.unwrap_or(piece);
            self.too_long |= self.line.len() + part.len() > MAX_LINE;
            if !self.too_long {
                self.line.extend_from_slice(part);
            }
            if text.is_some() {
                let line = std::mem::take(&mut self.line);
                if !std::mem::take(&mut self.too_long) {
                    lines.push(String::from_utf8_lossy(&line).into_owned());
                }
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_endless_line_is_dropped_and_the_next_one_is_read() {
        let mut lines = Lines::default();
        for _ in 0..=MAX_LINE / 4096 {
            assert!(lines.read(&[b'x'; 4096]).is_empty());
        }
        assert!(lines.line.len() <= MAX_LINE);
        assert_eq!(lines.read(b"\nnext\n"), ["next"]);
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_they_come(
            lines in proptest::collection::vec("[^\n]{0,20}", 0..8),
            cut in 1_usize..30,
        ) {
            let stream: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let mut reader = Lines::default();
            let read: Vec<String> = stream.as_bytes().chunks(cut).flat_map(|piece| reader.read(piece)).collect();
            prop_assert_eq!(read, lines);
        }
    }
}
