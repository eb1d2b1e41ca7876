//! The rules of the extensions against payloads that the agents really sent, and the turns they add up to.
//!
//! Claude Code's, which are many more, have a file of their own.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

mod codex;
mod gemini;
mod kimi;
mod opencode;
mod pi;
mod qwen;
mod reader;
