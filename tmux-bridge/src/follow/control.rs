//! Reads the stream of a control-mode client (facts §2), as far as a follower needs it.
//!
//! Each release of tmux adds lines and fields, so everything that is not understood is passed over. Bytes, not text:
//! a pane's output may break in the middle of a character.

/// A longer line is no notification that matters; the rest of it is dropped.
const LONGEST_LINE: usize = 64 << 10;

/// What a stream said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Something changed: the notification's name, without its `%`.
    Changed(String),
    /// A command ended, well or not.
    Replied(bool),
    /// The server says good-bye. The end of the stream is what counts; this is for the log.
    Exit(String),
}

/// The reader of one stream.
#[derive(Debug, Default)]
pub struct ControlReader {
    line: Vec<u8>,
    too_long: bool,
    /// The fields of the `%begin` that has not ended yet.
    block: Option<String>,
}

impl ControlReader {
    /// Takes in some bytes and returns what they complete.
    pub fn read(&mut self, bytes: &[u8]) -> Vec<Notice> {
        let mut notices = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, ended) = match piece.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (piece, false),
            };
            self.too_long |= self.line.len() + text.len() > LONGEST_LINE;
            if !self.too_long {
                self.line.extend_from_slice(text);
            }
            if ended {
                let line = std::mem::take(&mut self.line);
                if !std::mem::take(&mut self.too_long) {
                    notices.extend(self.notice(&String::from_utf8_lossy(&line)));
                }
            }
        }
        notices
    }

    fn notice(&mut self, line: &str) -> Option<Notice> {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if let Some(begun) = &self.block {
            // In a block anything may begin with `%`; only its own end closes it.
            let ends = matches!(word, "%end" | "%error") && rest == begun;
            if ends {
                self.block = None;
            }
            return ends.then_some(Notice::Replied(word == "%end"));
        }
        let name = word.strip_prefix('%').filter(|name| !name.is_empty())?;
        match name {
            "begin" => {
                self.block = Some(rest.to_owned());
                None
            }
            "end" | "error" => None,
            "exit" => Some(Notice::Exit(rest.to_owned())),
            _ => Some(Notice::Changed(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn changed(name: &str) -> Notice {
        Notice::Changed(name.to_owned())
    }

    #[test]
    fn notifications_replies_and_the_end_are_told_apart() {
        let stream = b"%begin 1 2 0\n%7 a pane in a reply\n%end 1 3 0\n%end 1 2 0\n%sessions-changed\n\
            %window-pane-changed @1 %2\n%begin 1 4 1\nparse error: x\n%error 1 4 1\n%exit server exited\n";
        assert_eq!(
            ControlReader::default().read(stream),
            [
                Notice::Replied(true),
                changed("sessions-changed"),
                changed("window-pane-changed"),
                Notice::Replied(false),
                Notice::Exit("server exited".to_owned()),
            ]
        );
    }

    #[test]
    fn an_endless_line_is_dropped_and_the_next_one_is_read() {
        let mut reader = ControlReader::default();
        for _ in 0..100 {
            assert_eq!(reader.read(&[b'%'; 4096]), []);
        }
        assert!(reader.line.len() <= LONGEST_LINE);
        assert_eq!(reader.read(b"\n%sessions-changed\n"), [changed("sessions-changed")]);
    }

    /// Lines that mean nothing outside a block, whatever a later tmux makes of them.
    fn noise() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            Just(Vec::new()),
            "%[a-z-]{1,20}( [^\n]{0,20})?".prop_map(String::into_bytes),
            "[^%\n][^\n]{0,30}".prop_map(String::into_bytes),
            proptest::collection::vec(any::<u8>().prop_filter("no line break", |byte| *byte != b'\n'), 0..40),
        ]
        .prop_filter("it opens no block", |line| !line.starts_with(b"%begin"))
    }

    proptest! {
        #[test]
        fn no_stream_makes_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            ControlReader::default().read(&bytes);
        }

        #[test]
        fn unknown_lines_and_odd_pieces_never_cost_a_notification(
            lines in proptest::collection::vec(noise(), 0..12),
            block in proptest::collection::vec(noise(), 0..4),
            cut in 1_usize..50,
        ) {
            let mut stream = Vec::new();
            for line in &lines {
                stream.extend_from_slice(line);
                stream.push(b'\n');
            }
            stream.extend_from_slice(b"%begin 12 34 0\n");
            for line in block.iter().filter(|line| !line.ends_with(b" 12 34 0")) {
                stream.extend_from_slice(line);
                stream.push(b'\n');
            }
            stream.extend_from_slice(b"%end 12 34 0\n%session-window-changed $1 @2\n");
            let mut reader = ControlReader::default();
            let notices: Vec<_> = stream.chunks(cut).flat_map(|piece| reader.read(piece)).collect();
            prop_assert!(notices.ends_with(&[Notice::Replied(true), changed("session-window-changed")]));
        }
    }
}
