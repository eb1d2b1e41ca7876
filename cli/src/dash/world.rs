//! The world in which effects are carried out, behind a trait, so that a test can have one of its own.

use std::io::{self, Write};
use std::sync::mpsc::Sender;

use session_core::{Event, SessionId, Time};

use super::event::PutAway;
use super::lookout::Ask;
use crate::commands::{Reached, reach, tell};
use crate::context::Context;
use crate::failure::Failure;
use session_host::config::Config;

/// What the dashboard can do.
pub(crate) trait World {
    /// Shows a session's pane to the person.
    ///
    /// # Errors
    /// When the pane is gone, or its multiplexer does not answer.
    fn go(&mut self, id: SessionId) -> anyhow::Result<Reached>;

    /// Acknowledges a turn.
    ///
    /// # Errors
    /// When the session is gone, or the store cannot be written.
    fn acknowledge(&mut self, id: SessionId, turn: u64) -> anyhow::Result<()>;

    /// Settles, snoozes or takes back a session, at a time in milliseconds since the Unix epoch.
    ///
    /// # Errors
    /// When the session is gone, or the store cannot be written.
    fn put_away(&mut self, id: SessionId, what: PutAway, now_ms: i64) -> anyhow::Result<()>;

    /// Puts a text on the clipboard.
    ///
    /// # Errors
    /// When the terminal is gone.
    fn copy(&mut self, text: &str) -> io::Result<()>;

    /// Has more told about a session from now on, or about none.
    fn watch(&mut self, id: Option<SessionId>);
}

/// The real one.
pub(super) struct Real<'c> {
    /// The world of this process.
    pub(super) context: &'c Context,
    /// The settings.
    pub(super) config: &'c Config,
    /// The terminal to switch, when one was named.
    pub(super) client: Option<&'c str>,
    /// Who looks.
    pub(super) lookout: Sender<Ask>,
}

impl World for Real<'_> {
    fn go(&mut self, id: SessionId) -> anyhow::Result<Reached> {
        let picture = self.context.picture(self.config, None, false)?;
        let session = picture.sessions.iter().find(|session| session.id == id);
        let session = session.ok_or_else(|| Failure::failed("that session has ended"))?;
        let pane = session
            .pane
            .as_ref()
            .ok_or_else(|| Failure::failed("that session is in no pane that one could go to"))?;
        reach(pane, self.client, &picture.servers, self.context)
    }

    fn acknowledge(&mut self, id: SessionId, turn: u64) -> anyhow::Result<()> {
        let event = Event::Acknowledge { turn: Some(turn) };
        Ok(tell(id, event, &self.config.policy, self.context)?)
    }

    fn put_away(&mut self, id: SessionId, what: PutAway, now_ms: i64) -> anyhow::Result<()> {
        let event = match what {
            PutAway::Settle => Event::Settle,
            PutAway::Snooze(ms) => Event::Snooze {
                until: Time::from_ms(now_ms.saturating_add(ms)),
            },
            PutAway::Back => Event::Unsettle,
        };
        Ok(tell(id, event, &self.config.policy, self.context)?)
    }

    /// By the terminal itself (OSC 52), which works through ssh as well.
    fn copy(&mut self, text: &str) -> io::Result<()> {
        let mut stdout = io::stdout();
        write!(stdout, "\u{1b}]52;c;{}\u{7}", base64(text.as_bytes()))?;
        stdout.flush()
    }

    fn watch(&mut self, id: Option<SessionId>) {
        // Without anybody who looks nothing more is told, which is no reason to end.
        let _ = self.lookout.send(Ask::Watch(id));
    }
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The only form in which OSC 52 takes a text.
fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4_usize {
            let index = usize::try_from(bits >> (18 - 6 * place) & 63).unwrap_or(0);
            let letter = LETTERS.get(index).copied().unwrap_or(b'=');
            text.push(if place <= chunk.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_put_into_the_form_of_the_clipboard() {
        for (text, form) in [
            ("", ""),
            ("f", "Zg=="),
            ("ab", "YWI="),
            ("foo", "Zm9v"),
            ("01908f5e", "MDE5MDhmNWU="),
        ] {
            assert_eq!(base64(text.as_bytes()), form);
        }
    }
}
