//! Runs a program to its end, with a deadline. Blocking.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};

/// More than this is no answer of a multiplexer to us.
const LONGEST_ANSWER: usize = 64 << 20;

/// What a process printed, and how it ended.
#[derive(Debug)]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// All of its standard output.
    pub stdout: Vec<u8>,
    /// All of its standard error.
    pub stderr: Vec<u8>,
}

/// A program that did not run to its end.
#[derive(Debug)]
pub enum Failure {
    /// It did not start, or could not be read.
    Io(std::io::Error),
    /// It was killed at the deadline.
    Deadline,
}

impl From<std::io::Error> for Failure {
    fn from(err: std::io::Error) -> Self {
        Self::Io(err)
    }
}

/// Runs a command to its end, or kills it at the deadline; it is reaped in either case. Its standard input is as the
/// command says.
///
/// # Errors
/// When it does not start or does not end in time.
pub fn output(mut command: Command, limit: Duration) -> Result<Output, Failure> {
    let until = Instant::now() + limit;
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut child = Reaped(child);
    let mut pipes = [
        Pipe::new(child.0.stdout.take().map(OwnedFd::from)),
        Pipe::new(child.0.stderr.take().map(OwnedFd::from)),
    ];
    while pipes.iter().any(|pipe| pipe.file.is_some()) {
        wait_readable(&pipes, until)?;
        for pipe in &mut pipes {
            pipe.take()?;
        }
    }
    let status = wait(&mut child.0, until)?;
    let [stdout, stderr] = pipes.map(|pipe| pipe.read);
    Ok(Output {
        status,
        stdout,
        stderr,
    })
}

/// A child that is killed and reaped when it is dropped; nothing happens to one that has been reaped.
struct Reaped(Child);

impl Drop for Reaped {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}

struct Pipe {
    file: Option<File>,
    read: Vec<u8>,
}

impl Pipe {
    fn new(fd: Option<OwnedFd>) -> Self {
        let file = fd.map(File::from);
        if let Some(file) = &file {
            let _ = rustix::io::ioctl_fionbio(file, true);
        }
        Self {
            file,
            read: Vec::new(),
        }
    }

    /// Reads what is there.
    fn take(&mut self) -> Result<(), Failure> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let mut buffer = [0; 16 << 10];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => {
                    self.file = None;
                    return Ok(());
                }
                Ok(count) => {
                    self.read
                        .extend_from_slice(buffer.get(..count).unwrap_or_default());
                    if self.read.len() > LONGEST_ANSWER {
                        return Err(std::io::Error::from(ErrorKind::FileTooLarge).into());
                    }
                }
                Err(err) if err.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(err) if err.kind() == ErrorKind::Interrupted => {}
                Err(err) => return Err(err.into()),
            }
        }
    }
}

fn wait_readable(pipes: &[Pipe], until: Instant) -> Result<(), Failure> {
    let mut fds: Vec<PollFd<'_>> = pipes
        .iter()
        .filter_map(|pipe| pipe.file.as_ref())
        .map(|file| PollFd::from_borrowed_fd(file.as_fd(), PollFlags::IN))
        .collect();
    let left = until
        .checked_duration_since(Instant::now())
        .ok_or(Failure::Deadline)?;
    let timeout = rustix::event::Timespec::try_from(left).ok();
    match poll(&mut fds, timeout.as_ref()) {
        Ok(0) => Err(Failure::Deadline),
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(errno) => Err(std::io::Error::from(errno).into()),
    }
}

/// Waits for a child that has closed its pipes: it is about to end.
fn wait(child: &mut Child, until: Instant) -> Result<ExitStatus, Failure> {
    let mut pause = Duration::from_micros(50);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= until {
            return Err(Failure::Deadline);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEADLINE: Duration = Duration::from_secs(2);

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null());
        command
    }

    #[test]
    fn both_streams_and_the_status_come_back() {
        let output = output(shell("echo out; echo err >&2; exit 3"), DEADLINE).unwrap();
        assert_eq!(
            (output.stdout.as_slice(), output.stderr.as_slice()),
            (&b"out\n"[..], &b"err\n"[..])
        );
        assert_eq!(output.status.code(), Some(3));
    }

    #[test]
    fn a_long_answer_does_not_block() {
        let output = output(
            shell("yes | head -c 1000000; yes | head -c 1000000 >&2"),
            DEADLINE,
        )
        .unwrap();
        assert_eq!(
            (output.stdout.len(), output.stderr.len()),
            (1_000_000, 1_000_000)
        );
    }

    #[test]
    fn a_process_that_does_not_end_is_killed_at_the_deadline() {
        let begun = Instant::now();
        let limit = Duration::from_millis(100);
        assert!(matches!(
            output(shell("exec sleep 60"), limit),
            Err(Failure::Deadline)
        ));
        assert!(matches!(
            output(shell("exec >&- 2>&-; exec sleep 60"), limit),
            Err(Failure::Deadline)
        ));
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
}
