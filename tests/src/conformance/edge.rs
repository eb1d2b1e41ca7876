//! The edges of an agent's life.

/// Something that an agent may come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// It is started.
    Start,
    /// It is given a prompt.
    Prompt,
    /// It uses a tool.
    Tool,
    /// It asks for a permission.
    Asked,
    /// The person gives it.
    Approved,
    /// The person refuses it.
    Denied,
    /// It asks the person a question.
    Question,
    /// A subagent of it ends before it does.
    Subagent,
    /// The person interrupts it.
    Interrupt,
    /// A call of the model fails.
    ModelError,
    /// Its turn ends.
    Stop,
    /// It is left.
    Exit,
    /// It is killed.
    Kill,
}

impl Edge {
    /// All edges, in the order of the table.
    pub const ALL: [Self; 13] = [
        Self::Start,
        Self::Prompt,
        Self::Tool,
        Self::Asked,
        Self::Approved,
        Self::Denied,
        Self::Question,
        Self::Subagent,
        Self::Interrupt,
        Self::ModelError,
        Self::Stop,
        Self::Exit,
        Self::Kill,
    ];

    /// The word for it in the table.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Prompt => "prompt",
            Self::Tool => "tool",
            Self::Asked => "asked",
            Self::Approved => "approved",
            Self::Denied => "denied",
            Self::Question => "question",
            Self::Subagent => "subagent",
            Self::Interrupt => "interrupt",
            Self::ModelError => "model error",
            Self::Stop => "stop",
            Self::Exit => "exit",
            Self::Kill => "kill",
        }
    }
}

/// What came of trying an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The lamp showed what it must.
    Verified,
    /// The agent has no such thing, or no way to tell.
    NotExpressible(&'static str),
    /// It cannot be tried against a stub model.
    NotReachable(&'static str),
}

impl Verdict {
    /// Its cell in the table.
    #[must_use]
    pub const fn cell(self) -> &'static str {
        match self {
            Self::Verified => "✓",
            Self::NotExpressible(_) => "–",
            Self::NotReachable(_) => "?",
        }
    }

    /// Why it was not verified.
    #[must_use]
    pub const fn why(self) -> Option<&'static str> {
        match self {
            Self::Verified => None,
            Self::NotExpressible(why) | Self::NotReachable(why) => Some(why),
        }
    }
}
