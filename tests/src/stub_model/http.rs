//! As much HTTP/1.1 as an agent's client needs: one request with a length, one answer.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// A request as it came in.
pub(super) struct Request {
    pub(super) method: String,
    /// The path without its query.
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

/// Reads the next request of a connection; `None` when the peer is done with it.
pub(super) fn read_request(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let target = words.next().unwrap_or_default();
    let path = target.split('?').next().unwrap_or_default().to_owned();
    let mut length = 0;
    loop {
        let mut header = String::new();
        if stream.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(Some(Request { method, path, body }))
}

/// Answers with a JSON document and keeps the connection.
pub(super) fn answer(
    stream: &mut TcpStream,
    code: u16,
    body: &Value,
    head_only: bool,
) -> io::Result<()> {
    let body = body.to_string();
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {code} Stub\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    if !head_only {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()
}

/// An answer that streams server-sent events until the connection is dropped.
pub(super) struct EventStream<'a>(&'a mut TcpStream);

impl<'a> EventStream<'a> {
    /// Sends the head of the answer.
    ///
    /// # Errors
    ///
    /// When the peer is gone, as for every write.
    pub(super) fn start(stream: &'a mut TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.write_all(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n",
        )?;
        Ok(Self(stream))
    }

    /// Sends one event without a name.
    ///
    /// # Errors
    ///
    /// When the peer is gone.
    pub(super) fn send_data(&mut self, data: &str) -> io::Result<()> {
        self.0.write_all(format!("data: {data}\n\n").as_bytes())?;
        self.0.flush()
    }

    /// Sends one event whose `type` is its name.
    ///
    /// # Errors
    ///
    /// When the peer is gone.
    pub(super) fn send(&mut self, name: &str, mut data: Value) -> io::Result<()> {
        data["type"] = name.into();
        self.0
            .write_all(format!("event: {name}\ndata: {data}\n\n").as_bytes())?;
        self.0.flush()
    }
}
