//! The protocols that the stub model speaks, told apart by the path of a call.

use std::io;
use std::net::TcpStream;

use serde_json::Value;

use super::script::Step;
use super::{anthropic, chat, responses};

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Anthropic,
    Chat,
    Responses,
}

impl Dialect {
    /// The protocol of a call to this path; `None` when it is no model call.
    pub(super) fn of_path(path: &str) -> Option<Self> {
        [
            (anthropic::PATH, Self::Anthropic),
            (chat::PATH, Self::Chat),
            (responses::PATH, Self::Responses),
        ]
        .into_iter()
        .find(|(end, _)| path.ends_with(end))
        .map(|(_, dialect)| dialect)
    }

    /// The step that answers a request.
    pub(super) fn step_for(self, request: &Value) -> Step {
        match self {
            Self::Anthropic => anthropic::step_for(request),
            Self::Chat => chat::step_for(request),
            Self::Responses => responses::step_for(request),
        }
    }

    /// Sends a step.
    pub(super) fn answer(
        self,
        stream: &mut TcpStream,
        request: &Value,
        step: &Step,
        number: usize,
    ) -> io::Result<()> {
        match self {
            Self::Anthropic => anthropic::answer(stream, request, step, number),
            Self::Chat => chat::answer(stream, request, step, number),
            Self::Responses => responses::answer(stream, request, step, number),
        }
    }

    /// The name of the list of messages in a request.
    pub(super) fn messages(self) -> &'static str {
        match self {
            Self::Anthropic | Self::Chat => "messages",
            Self::Responses => "input",
        }
    }
}
