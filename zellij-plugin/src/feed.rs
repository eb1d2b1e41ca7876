//! The newest picture that came from the daemon.

use session_core::wire::{Down, Elsewhere, WireError};

/// How long after the daemon's end its last picture is still shown: a daemon that is replaced is back by then.
const GRACE_MS: i64 = 3_000;

/// What is known of the agents, which is what the daemon said last.
#[derive(Clone, Debug, Default)]
pub struct Feed {
    held: Option<Down>,
    elsewhere: Vec<Elsewhere>,
    /// The pipe the picture came by; none for the file.
    pipe: Option<String>,
    ended_at: Option<i64>,
    newer: bool,
    /// A line that nobody needs yet, and its pipe.
    unread: Option<(String, Option<String>)>,
}

impl Feed {
    /// Takes a line that came by a pipe; whether anything is different afterwards.
    pub fn take(&mut self, line: &str, pipe: Option<&str>, server_pid: u32) -> bool {
        let down = match Down::read(line) {
            Ok(down) => down,
            Err(error) => return self.refuse(&error),
        };
        if !meant_for(&down, server_pid) {
            return false;
        }
        let stale = self.held.as_ref().is_some_and(|held| {
            self.pipe.is_some() && held.run == down.run && held.seq >= down.seq
        });
        if stale {
            return false;
        }
        self.pipe = Some(pipe.unwrap_or_default().to_owned());
        self.hold(down);
        true
    }

    /// Keeps a line unread: reading costs more than all else, and most instances are in tabs that nobody sees.
    pub fn put_off(&mut self, line: String, pipe: Option<String>) {
        self.unread = Some((line, pipe));
    }

    /// Reads what was put off; whether anything is different afterwards.
    pub fn catch_up(&mut self, server_pid: u32) -> bool {
        let unread = self.unread.take();
        unread.is_some_and(|(line, pipe)| self.take(&line, pipe.as_deref(), server_pid))
    }

    /// Takes the line that the daemon keeps for new instances; a picture that came by the pipe is never older.
    pub fn take_kept(&mut self, line: &str, server_pid: u32) -> bool {
        match Down::read(line) {
            Ok(down) if self.held.is_none() && meant_for(&down, server_pid) => {
                self.hold(down);
                true
            }
            Ok(_) => false,
            Err(error) => self.refuse(&error),
        }
    }

    /// A pipe has ended; if the pictures came by it, the daemon has.
    pub fn end(&mut self, pipe: Option<&str>, server_pid: u32, now_ms: i64) {
        self.catch_up(server_pid);
        if self.pipe.is_some() && self.pipe.as_deref() == pipe && self.ended_at.is_none() {
            self.ended_at = Some(now_ms);
        }
    }

    fn refuse(&mut self, error: &WireError) -> bool {
        let newer = matches!(error, WireError::Newer(_));
        let changed = newer && !self.newer;
        self.newer |= newer;
        changed
    }

    fn hold(&mut self, mut down: Down) {
        if let Some(elsewhere) = down.elsewhere.take() {
            self.elsewhere = elsewhere;
        }
        self.newer = false;
        self.ended_at = down.bye.then_some(down.at_ms);
        self.held = Some(down);
    }

    /// The picture, unless there is none that can be believed.
    #[must_use]
    pub fn picture(&self, now_ms: i64) -> Option<&Down> {
        self.held.as_ref().filter(|_| !self.is_lost(now_ms))
    }

    /// What the daemon said last, believed or not: for the look, and for the up pipe's id.
    #[must_use]
    pub const fn last(&self) -> Option<&Down> {
        self.held.as_ref()
    }

    /// The sessions of other servers.
    #[must_use]
    pub fn elsewhere(&self) -> &[Elsewhere] {
        &self.elsewhere
    }

    /// Whether the daemon has ended and none has come back.
    #[must_use]
    pub fn is_lost(&self, now_ms: i64) -> bool {
        self.loss_at().is_some_and(|at| now_ms >= at)
    }

    /// When the picture is not believed any more, if that is foreseeable.
    #[must_use]
    pub fn loss_at(&self) -> Option<i64> {
        self.ended_at.map(|at| at.saturating_add(GRACE_MS))
    }

    /// Whether the daemon speaks a later version than this plugin.
    #[must_use]
    pub const fn is_newer(&self) -> bool {
        self.newer
    }
}

fn meant_for(down: &Down, server_pid: u32) -> bool {
    down.server_pid == 0 || down.server_pid == server_pid
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIPE: Option<&str> = Some("p1");

    fn line(run: u64, seq: u64, server_pid: u32) -> String {
        let down = Down {
            v: 1,
            run,
            seq,
            server_pid,
            ..Down::default()
        };
        down.line().unwrap()
    }

    fn held(feed: &Feed) -> (u64, u64) {
        feed.last().map_or((0, 0), |down| (down.run, down.seq))
    }

    #[test]
    fn an_older_or_repeated_line_of_a_run_is_ignored() {
        let mut feed = Feed::default();
        assert!(feed.take(&line(1, 5, 0), PIPE, 10));
        assert!(!feed.take(&line(1, 5, 0), PIPE, 10));
        assert!(!feed.take(&line(1, 4, 0), PIPE, 10));
        assert!(feed.take(&line(1, 6, 10), PIPE, 10));
        assert_eq!(held(&feed), (1, 6));
    }

    #[test]
    fn a_new_daemon_is_believed_whatever_number_it_begins_with() {
        let mut feed = Feed::default();
        feed.take(&line(9, 500, 0), PIPE, 10);
        assert!(feed.take(&line(3, 1, 0), Some("p2"), 10));
        assert_eq!(held(&feed), (3, 1));
    }

    #[test]
    fn a_line_for_another_server_is_ignored() {
        let mut feed = Feed::default();
        assert!(!feed.take(&line(1, 1, 11), PIPE, 10));
        assert!(!feed.take_kept(&line(1, 1, 11), 10));
        assert!(feed.last().is_none());
    }

    #[test]
    fn the_kept_line_never_replaces_one_that_came_by_the_pipe() {
        let mut feed = Feed::default();
        feed.take(&line(1, 1, 0), PIPE, 10);
        assert!(!feed.take_kept(&line(2, 9, 0), 10));
        let mut feed = Feed::default();
        assert!(feed.take_kept(&line(2, 9, 0), 10));
        assert!(feed.take(&line(2, 9, 0), PIPE, 10), "the pipe confirms it");
    }

    #[test]
    fn a_line_that_was_put_off_is_read_later_and_the_last_one_counts() {
        let mut feed = Feed::default();
        for seq in 1..4 {
            feed.put_off(line(1, seq, 0), PIPE.map(str::to_owned));
        }
        assert_eq!(held(&feed), (0, 0));
        assert!(feed.catch_up(10));
        assert_eq!(held(&feed), (1, 3));
        assert!(!feed.catch_up(10));
        feed.put_off(line(1, 4, 0), PIPE.map(str::to_owned));
        feed.end(PIPE, 10, 1_000);
        assert_eq!(held(&feed), (1, 4));
        assert!(feed.is_lost(1_000 + GRACE_MS));
    }

    #[test]
    fn rubbish_is_ignored_and_a_later_version_is_told() {
        let mut feed = Feed::default();
        assert!(!feed.take("zjstatus::pipe::pipe_a::x", PIPE, 10));
        assert!(!feed.is_newer());
        assert!(feed.take(r#"{"v":99}"#, PIPE, 10));
        assert!(feed.is_newer());
        feed.take(&line(1, 1, 0), PIPE, 10);
        assert!(!feed.is_newer());
    }

    #[test]
    fn the_picture_outlives_the_daemon_by_the_grace_and_no_longer() {
        let mut feed = Feed::default();
        feed.take(&line(1, 1, 0), PIPE, 10);
        feed.end(Some("of another"), 10, 1_000);
        assert!(feed.picture(i64::MAX).is_some());
        feed.end(PIPE, 10, 1_000);
        assert!(feed.picture(1_000 + GRACE_MS - 1).is_some());
        assert!(feed.picture(1_000 + GRACE_MS).is_none());
        feed.take(&line(2, 1, 0), Some("p2"), 10);
        assert!(feed.picture(i64::MAX).is_some());
    }
}
