//! What is put away, and what brings it back.

use rstest::rstest;

use super::play::{Play, ask, end, fail, ms, start, stop, tool};
use crate::{
    Act, AwayBy, AwayChange, AwayView, BlockedKind, Event, RegistryStatus, Session, Shelf, Signal,
    SignalSource, State, ToolRef, Transition,
};

const HOUR: i64 = 3_600_000;

/// What the journal says of putting away, in order.
fn changes(play: &Play) -> Vec<(AwayChange, &str)> {
    let of = |row: &'_ Transition| Some(row.away).flatten();
    play.journal
        .iter()
        .filter_map(|row| Some((of(row)?, row.reason.as_str())))
        .collect()
}

fn is(play: &Play, at: i64) -> Option<(Shelf, AwayBy)> {
    play.away(at).map(|away| (away.is, away.by))
}

const SETTLED: Option<(Shelf, AwayBy)> = Some((Shelf::Settled, AwayBy::Person));
const SNOOZED: Option<(Shelf, AwayBy)> = Some((Shelf::Snoozed, AwayBy::Person));
const AGED: Option<(Shelf, AwayBy)> = Some((Shelf::Settled, AwayBy::Age));

/// A session that has just become so.
fn blocked() -> Play {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(10, ask(tool("1")));
    play
}

fn done() -> Play {
    let mut play = Play::new();
    play.at(0, Act::Prompt).at(10, stop(None));
    play
}

#[test]
fn a_settled_session_is_away_until_a_new_turn_begins() {
    let mut play = done();
    play.event(100, Event::Settle);
    assert_eq!((is(&play, 200), play.state(200)), (SETTLED, State::Done));
    assert_eq!(is(&play, 40 * HOUR), SETTLED);
    play.at(300, Act::Prompt);
    assert_eq!((is(&play, 300), play.state(300)), (None, State::Working));
    // For good: the end of that turn is news as well.
    play.at(400, stop(None));
    assert_eq!(is(&play, 500), None);
    assert_eq!(
        changes(&play),
        [
            (AwayChange::Settled, "settled by the person"),
            (AwayChange::Back, "a new turn began")
        ]
    );
}

#[test]
fn the_end_of_the_turn_that_was_put_away_brings_nothing_back() {
    let mut play = Play::new();
    play.at(0, Act::Prompt);
    play.event(100, Event::Settle);
    play.at(200, start("1"))
        .at(300, end("1"))
        .at(400, stop(None));
    assert_eq!((is(&play, 500), play.state(500)), (SETTLED, State::Done));
}

#[rstest]
#[case::settled(Event::Settle, SETTLED)]
#[case::snoozed(Event::Snooze { until: ms(HOUR) }, SNOOZED)]
fn a_question_that_was_put_away_stays_and_another_one_comes_back(
    #[case] event: Event,
    #[case] away: Option<(Shelf, AwayBy)>,
) {
    let mut play = blocked();
    play.event(100, event);
    assert_eq!((is(&play, 200), play.state(200)), (away, State::Blocked));
    // The same state and kind, so that no row of a state tells of it.
    play.at(300, ask(tool("2")));
    assert_eq!((is(&play, 300), play.state(300)), (None, State::Blocked));
    let row = play.journal.last().unwrap();
    assert_eq!(
        (row.away, row.reason.as_str(), row.from, row.to),
        (
            Some(AwayChange::Back),
            "it asks anew",
            State::Blocked,
            State::Blocked
        )
    );
    // The new one is answered: the old one has been seen again meanwhile, and stays.
    play.at(400, end("2"));
    assert_eq!((is(&play, 500), play.state(500)), (None, State::Blocked));
}

#[test]
fn an_answered_question_is_no_news_and_the_next_one_of_the_same_turn_is() {
    let mut play = blocked();
    play.event(100, Event::Settle);
    play.at(200, end("1"));
    assert_eq!((is(&play, 200), play.state(200)), (SETTLED, State::Working));
    play.at(300, ask(tool("2")));
    assert_eq!(is(&play, 300), None);
}

#[test]
fn a_question_from_before_that_arrives_late_has_not_been_seen() {
    let mut play = Play::new();
    play.at(0, Act::Prompt);
    play.event(100, Event::Settle);
    play.signal(90, 120, None, ask(tool("1")));
    assert_eq!((is(&play, 120), play.state(120)), (None, State::Blocked));
}

#[test]
fn what_an_agent_adds_to_its_question_is_no_new_one_and_what_a_script_asks_instead_is() {
    let notice = |at: i64, source, message: &str| {
        Event::Signal(Signal {
            at: ms(at),
            source,
            fingerprint: at.unsigned_abs(),
            act: ask(ToolRef::default()),
            actor: None,
            agent: None,
            agent_session: None,
            message: Some(message.to_owned()),
            event: "test".into(),
        })
    };
    let mut play = blocked();
    play.event(100, Event::Settle);
    play.event(
        200,
        notice(200, SignalSource::Wired, "needs your permission"),
    );
    assert_eq!(is(&play, 200), SETTLED);

    let mut play = Play::new();
    play.event(0, notice(0, SignalSource::Script, "Deploy?"));
    play.event(100, Event::Settle);
    assert_eq!(is(&play, 150), SETTLED);
    play.event(200, notice(200, SignalSource::Script, "And the database?"));
    assert_eq!(is(&play, 200), None);
}

#[test]
fn a_failure_comes_back_and_the_one_that_was_put_away_does_not() {
    let mut play = Play::new();
    play.at(0, Act::Prompt);
    play.event(100, Event::Settle);
    play.at(200, fail());
    assert_eq!((is(&play, 300), play.state(300)), (None, State::Error));
    play.event(400, Event::Settle);
    assert_eq!(is(&play, 40 * HOUR), SETTLED);
    play.event(500, Event::Tick);
    assert_eq!(is(&play, 500), SETTLED);
}

#[test]
fn a_turn_that_goes_on_after_a_rest_comes_back_although_its_number_is_the_same() {
    let mut play = Play::new();
    play.at(0, Act::Prompt);
    assert_eq!(play.verdict(20_000).reason, "quiet");
    play.event(20_000, Event::Settle);
    assert_eq!(is(&play, 20_000), SETTLED);
    play.at(30_000, start("1"));
    assert_eq!((is(&play, 30_000), play.session.turn.number), (None, 1));
}

#[test]
fn a_question_that_only_the_registry_tells_of_comes_back_once() {
    let kind = Some(BlockedKind::Question);
    let mut play = Play::new();
    play.at(0, Act::Prompt);
    play.registry(1_000, 100, RegistryStatus::Blocked, kind);
    play.event(1_100, Event::Settle);
    // Read again and written again it is the same one.
    play.registry(2_000, 1_500, RegistryStatus::Blocked, kind);
    assert_eq!(
        (is(&play, 2_000), play.state(2_000)),
        (SETTLED, State::Blocked)
    );
    play.registry(3_000, 2_500, RegistryStatus::Working, None);
    assert_eq!(
        (is(&play, 3_000), play.state(3_000)),
        (SETTLED, State::Working)
    );
    play.registry(4_000, 3_500, RegistryStatus::Blocked, kind);
    assert_eq!(
        (is(&play, 4_000), play.state(4_000)),
        (None, State::Blocked)
    );
}

#[test]
fn a_snooze_ends_by_itself_and_what_is_at_rest_is_not_put_away_by_age_at_once() {
    let mut play = done();
    play.event(
        2 * HOUR,
        Event::Snooze {
            until: ms(3 * HOUR),
        },
    );
    assert_eq!(is(&play, 3 * HOUR - 1), SNOOZED);
    assert_eq!(
        play.away(2 * HOUR).and_then(|away| away.until_ms),
        Some(ms(3 * HOUR).ms())
    );
    assert_eq!(is(&play, 3 * HOUR), None);
    assert_eq!(is(&play, 4 * HOUR - 1), None);
    assert_eq!(is(&play, 4 * HOUR), AGED);
    assert_eq!(play.verdict(2 * HOUR).until, Some(ms(3 * HOUR)));
    // Whoever keeps time writes it down, once.
    play.event(3 * HOUR, Event::Tick);
    play.event(3 * HOUR + 1, Event::Tick);
    assert_eq!(
        changes(&play).last(),
        Some(&(AwayChange::Back, "the snooze is over"))
    );
    assert_eq!(changes(&play).len(), 2);
    assert_eq!(play.verdict(3 * HOUR + 1).until, None);
    assert_eq!(is(&play, 4 * HOUR - 1), None);
    assert_eq!(is(&play, 4 * HOUR), AGED);
}

#[test]
fn an_hour_at_rest_settles_without_a_word_and_only_what_is_at_rest() {
    let mut play = done();
    assert_eq!(is(&play, HOUR + 9), None);
    assert_eq!(is(&play, HOUR + 10), AGED);
    play.event(2 * HOUR, Event::Tick);
    assert_eq!(changes(&play), []);
    for mut play in [blocked(), {
        let mut failed = Play::new();
        failed.at(0, Act::Prompt).at(10, fail());
        failed
    }] {
        play.event(2 * HOUR, Event::Tick);
        assert_eq!(is(&play, 9 * HOUR), None);
    }
    // Acknowledged, it is at rest anew.
    play.event(2 * HOUR, Event::Acknowledge { turn: None });
    assert_eq!(is(&play, 2 * HOUR), None);
    assert_eq!(is(&play, 3 * HOUR), AGED);
    play.policy.settle_after_ms = 0;
    assert_eq!(is(&play, 300 * HOUR), None);
}

#[test]
fn what_is_taken_back_stays_for_another_hour_whoever_put_it_away() {
    for by_person in [true, false] {
        let mut play = done();
        if by_person {
            play.event(2 * HOUR, Event::Settle);
        }
        play.event(2 * HOUR + 5, Event::Unsettle);
        assert_eq!(is(&play, 3 * HOUR), None);
        assert_eq!(is(&play, 3 * HOUR + 5), AGED);
        let last = changes(&play).last().copied();
        assert_eq!(last, Some((AwayChange::Back, "taken back by the person")));
    }
}

#[test]
fn what_is_so_already_is_not_told_twice() {
    let mut play = done();
    assert!(!play.event(50, Event::Unsettle).changed);
    play.event(100, Event::Settle);
    assert!(!play.event(200, Event::Settle).changed);
    let until = ms(900);
    play.event(300, Event::Snooze { until });
    assert!(!play.event(400, Event::Snooze { until }).changed);
    assert!(!play.event(400, Event::Snooze { until: ms(400) }).changed);
    play.event(500, Event::Snooze { until: ms(950) });
    play.event(600, Event::Unsettle);
    assert!(!play.event(700, Event::Unsettle).changed);
    assert_eq!(
        changes(&play)
            .iter()
            .map(|(change, _)| *change)
            .collect::<Vec<_>>(),
        [
            AwayChange::Settled,
            AwayChange::Snoozed { until },
            AwayChange::Snoozed { until: ms(950) },
            AwayChange::Back
        ]
    );
}

#[test]
fn a_record_and_a_row_of_an_older_tallylight_read_and_one_of_a_newer_does() {
    let play = done();
    let record = serde_json::to_string(&play.session).unwrap();
    assert!(!record.contains("away"), "{record}");
    let mut settled = done();
    settled.event(100, Event::Settle);
    let record = serde_json::to_string(&settled.session).unwrap();
    assert_eq!(
        serde_json::from_str::<Session>(&record).unwrap(),
        settled.session
    );
    let row = serde_json::to_value(settled.journal.last().unwrap()).unwrap();
    assert_eq!(row["away"]["is"], "settled");
    assert_eq!((&row["from"], &row["to"]), (&"done".into(), &"done".into()));
    let mut newer = row.clone();
    newer["away"] = serde_json::json!({ "is": "archived", "where": "there" });
    let newer: Transition = serde_json::from_value(newer).unwrap();
    assert_eq!(
        (newer.away, newer.is_of_state()),
        (Some(AwayChange::Other), false)
    );
    let mut older = row;
    older.as_object_mut().unwrap().remove("away");
    assert!(
        serde_json::from_value::<Transition>(older)
            .unwrap()
            .is_of_state()
    );
}

#[test]
fn what_is_over_is_not_away() {
    let mut play = done();
    play.event(100, Event::Settle);
    play.event(200, Event::Gone(crate::GoneWhy::PaneClosed));
    let rows = play.journal.len();
    play.event(2 * HOUR, Event::Tick);
    assert_eq!(
        (play.away(2 * HOUR), play.journal.len()),
        (None::<AwayView>, rows)
    );
}
