//! Sessions that are put away, on a real tmux server.

mod common;

use common::servers::{Servers, blocked, wait};
use serde_json::Value;

/// The list of those that need the person, as pairs of a pane and how it stands.
fn attention(servers: &Servers) -> Vec<(String, String)> {
    let said = servers.home.run(&["attention", "--json"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    let document: Value = serde_json::from_str(&said.stdout).unwrap_or_default();
    let word = |value: Option<&Value>| {
        let word = value.and_then(Value::as_str);
        word.unwrap_or_default().to_owned()
    };
    let entries = document.get("attention").and_then(Value::as_array);
    let entries = entries.cloned().unwrap_or_default();
    entries
        .iter()
        .map(|one| (word(one.pointer("/pane/pane_id")), word(one.get("need"))))
        .collect()
}

fn told(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let pairs = pairs.iter();
    pairs
        .map(|(pane, need)| ((*pane).to_owned(), (*need).to_owned()))
        .collect()
}

/// The session that `tally next` would go to.
fn next(servers: &Servers) -> String {
    servers.home.run(&["next", "--print"]).stdout
}

#[test]
fn a_settled_session_needs_nobody_until_it_asks_anew() {
    let servers = Servers::start(&["a"]);
    blocked(&servers, "a", "one");
    blocked(&servers, "a", "two");
    let run = |words: &[&str]| {
        let said = servers.home.run(words);
        assert_eq!(said.status, Some(0), "{said:?}");
        said
    };
    assert_eq!(attention(&servers), told(&[("%1", "now"), ("%2", "now")]));
    for daemon in [false, true] {
        if daemon {
            run(&["up"]);
        }
        run(&["settle", "%1"]);
        assert_eq!(
            attention(&servers),
            told(&[("%2", "now"), ("%1", "settled")])
        );
        let shown = run(&["attention"]).stdout;
        assert!(
            shown.contains("settled") && shown.contains("blocked"),
            "{shown}"
        );
        assert!(next(&servers).contains("%2"));
        // Its lamp is what it was, and so are the counts.
        let states = servers.states();
        assert!(
            states.iter().all(|(_, _, state)| state == "blocked"),
            "{states:?}"
        );
        run(&["snooze", "%2", "2h"]);
        assert_eq!(
            attention(&servers),
            told(&[("%1", "settled"), ("%2", "snoozed")])
        );
        let nobody = servers.home.run(&["next", "--print"]);
        assert_eq!(nobody.status, Some(1), "{nobody:?}");
        // Something new brings it back; what is said again does not.
        servers.type_in(
            "a",
            "%1",
            "tally signal --state working; tally signal --state blocked --message Another",
        );
        wait("the question", || {
            attention(&servers) == told(&[("%1", "now"), ("%2", "snoozed")])
        });
        run(&["unsettle", "%2"]);
        let all = attention(&servers);
        assert!(all.iter().all(|(_, need)| need == "now"), "{all:?}");
    }
}

#[test]
fn a_snooze_of_no_length_is_a_mistake() {
    let servers = Servers::start(&["a"]);
    blocked(&servers, "a", "one");
    for words in [&["snooze", "%1", "soon"][..], &["snooze", "%1"]] {
        let said = servers.home.run(words);
        assert_eq!(said.status, Some(2), "{said:?}");
        assert!(said.stderr.contains("10m"), "{said:?}");
    }
    let gone = servers.home.run(&["settle", "%9"]);
    assert_eq!(gone.status, Some(1), "{gone:?}");
}

#[test]
fn what_is_put_away_is_told_to_those_who_follow() {
    let servers = Servers::start(&["a"]);
    blocked(&servers, "a", "one");
    for words in [
        &["settle", "%1"][..],
        &["unsettle", "%1"],
        &["snooze", "%1", "90s"],
    ] {
        assert_eq!(servers.home.run(words).status, Some(0));
    }
    let log = servers.home.path("log");
    let script = format!(
        "tally events --follow > {0} & W=$!; until [ $(wc -l < {0}) -ge 4 ]; do sleep 0.1; done; kill $W",
        log.display()
    );
    servers.type_in("a", "%0", &script);
    let log = std::fs::read_to_string(log).unwrap_or_default();
    let events = servers.home.run(&["events"]);
    assert_eq!(events.stdout, log, "the same, and it ends");
    let later = servers
        .home
        .run(&["events", "--since", "2", "--json"])
        .stdout;
    let seqs: Vec<u64> = later
        .lines()
        .filter_map(|line| {
            serde_json::from_str::<Value>(line)
                .ok()?
                .get("seq")?
                .as_u64()
        })
        .collect();
    assert_eq!(seqs, [3, 4]);
    let words: Vec<&str> = log
        .lines()
        .filter_map(|line| line.split("  ").nth(3))
        .collect();
    assert_eq!(
        words,
        ["none -> blocked", "settled", "back", "snoozed"],
        "{log}"
    );
}
