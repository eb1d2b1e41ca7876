//! What is told of a change of an agent's state.

use super::event::HookEvent;
use super::fact::{AgentFact, Happening, PlaceFact};
use crate::machine::Transition;
use crate::place::ServerView;
use crate::session::Session;
use crate::view::clean;

/// The longest message that is told, in graphemes.
const MESSAGE: usize = 400;
/// The longest name that is told, in graphemes.
const NAME: usize = 120;

impl Happening {
    /// What is told of a change of state: `session` is the one that changed, `view` its server as it was seen last.
    #[must_use]
    pub fn of_agent(
        transition: &Transition,
        session: Option<&Session>,
        view: Option<&ServerView>,
    ) -> Self {
        let mut told = Self::new(HookEvent::AfterAgentState, transition.at);
        told.agent = AgentFact {
            session: Some(transition.session),
            state: Some(transition.to),
            before: Some(transition.from),
            harness: session.and_then(|session| session.agent.clone()),
            message: clean(transition.message.as_deref().unwrap_or_default(), MESSAGE),
        };
        if let Some(session) = session {
            told.place = place_of(session, view);
        }
        told
    }

    /// What is told when a person has settled a session; see [`Happening::of_agent`].
    #[must_use]
    pub fn of_settle(
        transition: &Transition,
        session: Option<&Session>,
        view: Option<&ServerView>,
    ) -> Self {
        Self {
            event: HookEvent::AfterSettle,
            settle_reason: "person".to_owned(),
            ..Self::of_agent(transition, session, view)
        }
    }

    /// Whether its pane is known, and nothing of where that is: its server had not been seen yet.
    #[must_use]
    pub const fn lacks_place(&self) -> bool {
        self.place.pane.is_some() && self.place.window.is_none()
    }

    /// Tells where it happened, by a later look at the server.
    pub fn place_by(&mut self, session: &Session, view: &ServerView) {
        self.place = place_of(session, Some(view));
    }
}

fn place_of(session: &Session, view: Option<&ServerView>) -> PlaceFact {
    let Some(key) = &session.pane else {
        return PlaceFact {
            folder: session.cwd.clone().unwrap_or_default(),
            ..PlaceFact::default()
        };
    };
    let place = view
        .filter(|view| view.server == key.server)
        .and_then(|view| view.pane(key.pane));
    let folder = session
        .cwd
        .clone()
        .or_else(|| place.and_then(|place| place.cwd.clone()));
    PlaceFact {
        mux: Some(key.server.mux),
        server: key.server.socket.clone(),
        mux_session: place
            .and_then(|place| place.mux_sessions.first())
            .map(|(_, name)| clean(name, NAME))
            .unwrap_or_default(),
        window: place.map(|place| place.window),
        window_name: clean(place.map_or("", |place| place.window_name.as_str()), NAME),
        pane: Some(key.pane),
        workspace: place.map_or(0, |place| place.window_index),
        folder: folder.unwrap_or_default(),
        ..PlaceFact::default()
    }
}
