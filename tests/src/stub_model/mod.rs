//! A model server that needs no model: an agent's own prompt is the script.
//!
//! The server answers on `127.0.0.1`, keeps no conversation, and speaks just enough of three
//! streaming protocols for coding agents to run real turns ([`anthropic`], [`chat`],
//! [`responses`]; they share [`script`]). The newest prompt that contains `stub:` is the
//! script; its steps are separated by ` ; `, and step N answers the Nth model call of that turn:
//!
//! ```text
//! stub: bash touch x ; text all done
//! ```
//!
//! | step | answer |
//! |---|---|
//! | `text WORDS` | a plain answer |
//! | `bash CMD` | a shell tool call |
//! | `bg CMD` | a shell tool call that runs in the background |
//! | `two CMD` | two parallel shell calls, `CMD-a` and `CMD-b` |
//! | `tool NAME JSON` | any other tool call |
//! | `ask` | a multiple-choice question to the person |
//! | `task <<a \| b>>` | a subagent whose own script is `a ; b` |
//! | `slow N` | a word at once and every quarter second, for N seconds |
//! | `hang N` | not a byte for N seconds, then an answer |
//! | `err CODE [TYPE]` | HTTP error CODE |
//! | `cut` | a word, then the connection drops |
//!
//! It is for tests: any request that is not a model call is answered with an empty object, and
//! nothing is checked that an agent sends.

pub mod anthropic;
pub mod chat;
mod dialect;
mod http;
pub mod responses;
pub mod script;
mod server;
mod words;

pub use server::{ModelCall, StubModel};
