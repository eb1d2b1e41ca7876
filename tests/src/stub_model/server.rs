//! The listener: a thread a connection, a log of every request.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::dialect::Dialect;
use super::http::{Request, answer, read_request};
use super::script::Step;

/// One model call that an agent made.
#[derive(Clone, Debug)]
pub struct ModelCall {
    /// What the agent sent, in full.
    pub request: Value,
    /// The step that answered it.
    pub step: Step,
}

/// A model server on a free port of `127.0.0.1`, stopped when dropped.
#[derive(Debug)]
pub struct StubModel {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    stopped: AtomicBool,
    calls: Mutex<Vec<ModelCall>>,
    log: Mutex<File>,
}

impl StubModel {
    /// Starts a server that logs each request to `log`, one JSON object a line.
    #[must_use]
    pub fn start(log: &Path) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("the port of the stub model");
        let shared = Arc::new(Shared {
            stopped: AtomicBool::new(false),
            calls: Mutex::default(),
            log: Mutex::new(File::create(log).expect("the log of the stub model")),
        });
        let for_thread = Arc::clone(&shared);
        thread::spawn(move || accept(&listener, &for_thread));
        Self { address, shared }
    }

    /// The base URL to give to an agent.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every model call so far, helpers of the agent included.
    #[must_use]
    pub fn calls(&self) -> Vec<ModelCall> {
        self.shared.calls.lock().expect("the calls").clone()
    }
}

impl Drop for StubModel {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        // A last connection wakes the listener, so that it sees the flag.
        drop(TcpStream::connect_timeout(
            &self.address,
            Duration::from_secs(1),
        ));
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming().map_while(Result::ok) {
        if shared.stopped.load(Ordering::Relaxed) {
            return;
        }
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            if let Err(error) = serve(&stream, &shared) {
                shared.note(&json!({"gone": error.to_string()}));
            }
        });
    }
}

/// Serves a connection until the agent closes it or a stream ends it.
fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream.try_clone()?;
    while let Some(request) = read_request(&mut reader)? {
        let dialect = Dialect::of_path(&request.path).filter(|_| request.method == "POST");
        if let Some(dialect) = dialect {
            let (body, step, number) = shared.take_in(dialect, &request);
            dialect.answer(&mut writer, &body, &step, number)?;
            if !matches!(step, Step::Error(..)) {
                return stream.shutdown(std::net::Shutdown::Both);
            }
            continue;
        }
        shared.note(&json!({"method": request.method, "path": request.path}));
        let body = if request.path.ends_with("/count_tokens") {
            json!({"input_tokens": 10})
        } else if request.path.contains("/models") {
            json!({"data": [], "models": [], "has_more": false})
        } else {
            json!({})
        };
        answer(&mut writer, 200, &body, request.method == "HEAD")?;
    }
    Ok(())
}

impl Shared {
    /// Takes a model call in: its body, the step that answers it and its number.
    fn take_in(&self, dialect: Dialect, request: &Request) -> (Value, Step, usize) {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let step = dialect.step_for(&body);
        let mut calls = self.calls.lock().expect("the calls");
        calls.push(ModelCall {
            request: body.clone(),
            step: step.clone(),
        });
        let number = calls.len();
        drop(calls);
        let messages = &body[dialect.messages()];
        let count = messages.as_array().map_or(0, Vec::len);
        let last = messages.as_array().and_then(|all| all.last());
        self.note(&json!({
            "call": number, "step": format!("{step:?}"), "messages": count, "last": last,
        }));
        (body, step, number)
    }

    fn note(&self, line: &Value) {
        let mut log = self.log.lock().expect("the log");
        // The log is for reading after a failure; a full disk must not fail the test itself.
        let _ = writeln!(log, "{line}");
    }
}
