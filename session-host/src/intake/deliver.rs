//! One delivery into the book: which session it belongs to, and what follows.

use session_core::{
    Act, Effect, Event, MachineId, Outcome, PaneKey, Policy, Session, SessionId, Time, apply,
};
use uuid::{NoContext, Timestamp, Uuid};

use super::book::Book;
use super::delivery::{Delivered, Delivery};
use super::fit::Fit;
use super::locate::Located;
use crate::identity::{Origin, Place};
use crate::process::ProcessTable;
use crate::query;
use crate::store::{Counter, Row, StoreError, UnroutedReason};

/// What a delivery is checked against.
pub struct Desk<'d> {
    /// Where it is written.
    pub book: &'d dyn Book,
    /// The processes.
    pub processes: &'d dyn ProcessTable,
    /// This machine.
    pub machine: &'d MachineId,
    /// The time.
    pub now: Time,
}

impl Desk<'_> {
    /// Takes one delivery in.
    ///
    /// # Errors
    /// When the book cannot be read or written; nothing has changed then.
    pub fn deliver(&self, delivery: &Delivery) -> Result<Delivered, StoreError> {
        let policy = self.book.policy()?;
        if let Some(reference) = &delivery.session {
            return self.for_named(delivery, reference, &policy);
        }
        if let Some(row) = self.claimed(&delivery.origin)? {
            return self.for_claimed(delivery, row, &policy);
        }
        let Some(place) = &delivery.origin.place else {
            let why = delivery.origin.why.clone().unwrap_or_default();
            return self.unrouted(delivery, why);
        };
        match self.locate(place, delivery.probed)? {
            Located::Pane { key, row } => {
                self.in_pane(delivery, place, key, row.map(|row| *row), &policy)
            }
            Located::Nowhere(why) => self.unrouted(delivery, why),
            Located::AskFirst => Ok(Delivered::AskFirst),
        }
    }

    /// The person named the session.
    fn for_named(
        &self,
        delivery: &Delivery,
        reference: &str,
        policy: &Policy,
    ) -> Result<Delivered, StoreError> {
        let live = self.book.live()?;
        let id = match query::resolve(reference, &live) {
            Ok(session) => session.id,
            Err(error) => return Ok(Delivered::Refused(error.to_string())),
        };
        match self.book.by_id(id)? {
            Some(row) => self.take(delivery, row, Vec::new(), policy),
            None => Ok(Delivered::Refused("the session is gone".to_owned())),
        }
    }

    /// The session of `TALLY_SESSION`: live, and its agent's process an ancestor of ours, where that can be seen.
    fn claimed(&self, origin: &Origin) -> Result<Option<Row>, StoreError> {
        let Some(id) = origin.claim else {
            return Ok(None);
        };
        let Some(row) = self.book.by_id(id)? else {
            return Ok(None);
        };
        let ours = !origin.readable
            || row
                .session
                .process
                .is_some_and(|process| origin.ancestors.contains(&process));
        Ok((row.session.gone.is_none() && ours).then_some(row))
    }

    fn for_claimed(
        &self,
        delivery: &Delivery,
        row: Row,
        policy: &Policy,
    ) -> Result<Delivered, StoreError> {
        if let Some(nested) = &delivery.origin.nested {
            return self.nested(delivery, Some(row), nested);
        }
        self.take(delivery, row, Vec::new(), policy)
    }

    fn in_pane(
        &self,
        delivery: &Delivery,
        place: &Place,
        key: PaneKey,
        row: Option<Row>,
        policy: &Policy,
    ) -> Result<Delivered, StoreError> {
        if let Some(nested) = &delivery.origin.nested {
            return self.nested(delivery, row, nested);
        }
        let mut effects = Vec::new();
        if let Some(mut row) = row {
            row.session.pane = Some(key.clone());
            let seen = Event::Pane {
                pid: place.pane_pid,
                dead: None,
            };
            effects.extend(apply(&mut row.session, seen, policy, self.now).effects);
            if row.session.gone.is_none() {
                match self.fits(&row.session, delivery) {
                    Fit::Same => return self.take(delivery, row, effects, policy),
                    Fit::Refused(why) => return self.refuse(delivery, row, why),
                    Fit::Over(why) => effects.extend(
                        apply(&mut row.session, Event::Gone(why), policy, self.now).effects,
                    ),
                }
            }
            if delivery.signal.act == Act::Exit {
                self.book.save(&row, &effects)?;
                return Ok(Delivered::Refused(
                    "it ends a session that is over".to_owned(),
                ));
            }
            self.book.save(&row, &effects)?;
            effects.clear();
        } else if let Some(why) = self.not_worth_a_session(delivery, &key)? {
            return Ok(Delivered::Refused(why.to_owned()));
        }
        let born = delivery.signal.at.min(self.now);
        let mut session = Session::new(new_id(self.now), self.machine.clone(), Some(key), born);
        session.pane_pid = place.pane_pid;
        session.reports_as.clone_from(&delivery.reports_as);
        self.take(delivery, Row::new(session), effects, policy)
    }

    fn take(
        &self,
        delivery: &Delivery,
        mut row: Row,
        mut effects: Vec<Effect>,
        policy: &Policy,
    ) -> Result<Delivered, StoreError> {
        let session = &mut row.session;
        let before = session.clone();
        if delivery.session.is_none() {
            if session.agent.is_none() {
                session.agent.clone_from(&delivery.origin.agent);
            }
            session.process = delivery.origin.process.or(session.process);
            session.registry_path = delivery
                .registry_path
                .clone()
                .or(session.registry_path.take());
            session.cwd = delivery.cwd.clone().or(session.cwd.take());
        }
        let applied = apply(
            session,
            Event::Signal(delivery.signal.clone()),
            policy,
            self.now,
        );
        effects.extend(applied.effects);
        let id = session.id;
        if applied.changed || *session != before || !effects.is_empty() {
            self.book.save(&row, &effects)?;
        }
        if delivery.sandboxed {
            self.book.count(Counter::Sandboxed)?;
        }
        Ok(match applied.outcome {
            Outcome::Taken => Delivered::Taken(id),
            Outcome::Repeated => Delivered::Repeated(id),
            Outcome::Refused(why) => Delivered::Refused(why),
        })
    }

    fn nested(
        &self,
        delivery: &Delivery,
        row: Option<Row>,
        why: &str,
    ) -> Result<Delivered, StoreError> {
        self.book.count(Counter::Nested)?;
        match row {
            Some(row) => self.refuse(delivery, row, why),
            None => Ok(Delivered::Refused(why.to_owned())),
        }
    }

    /// Notes a report that changes nothing in the record.
    fn refuse(
        &self,
        delivery: &Delivery,
        mut row: Row,
        why: &str,
    ) -> Result<Delivered, StoreError> {
        let event = delivery.signal.event.clone();
        row.session.refuse(event, why, self.now);
        self.book.save(&row, &[])?;
        Ok(Delivered::Refused(why.to_owned()))
    }

    fn unrouted(&self, delivery: &Delivery, why: String) -> Result<Delivered, StoreError> {
        self.book.unrouted(&UnroutedReason {
            at: delivery.signal.at,
            event: delivery.signal.event.clone(),
            agent: delivery.signal.agent.as_ref().map(ToString::to_string),
            why: why.clone(),
        })?;
        Ok(Delivered::Unrouted(why))
    }
}

/// A new session's id: a UUIDv7, which sorts by time.
#[must_use]
pub fn new_id(now: Time) -> SessionId {
    let secs = u64::try_from(now.secs()).unwrap_or(0);
    let nanos = u32::try_from(now.0.rem_euclid(1_000_000) * 1_000).unwrap_or(0);
    SessionId(Uuid::new_v7(Timestamp::from_unix(NoContext, secs, nanos)))
}
