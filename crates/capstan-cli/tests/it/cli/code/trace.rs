//! `capstan trace` in a pipe and on a terminal.

use serde_json::Value;

use super::workshop::Workshop;
use crate::cli::harness::timeless;

fn rows(listed: &Value) -> &Vec<Value> {
    listed["data"]["traces"].as_array().unwrap()
}

/// Successes, a failure, a call, and a chain of which a part fails.
fn busy() -> Workshop {
    let workshop = Workshop::new();
    workshop.run(&[
        "exec",
        "-e",
        "console.log('so'); throw new Error('no')",
        "--intent",
        "fail",
    ]);
    workshop.json(&["call", "report", "first=1"]);
    let steps = r#"[{"task": "issue.view", "input": {"issue_number": 1}}, {"task": "issue.view", "input": {"issue_number": 4242}}]"#;
    workshop.place.write("steps.json", steps);
    workshop.run(&["chain", "steps.json"]);
    workshop
}

#[test]
fn lists_are_filtered() {
    let workshop = busy();
    let all = workshop.json(&["trace", "list"]);
    let modes: Vec<_> = rows(&all)
        .iter()
        .map(|row| row["mode"].as_str().unwrap())
        .collect();
    assert_eq!(
        modes,
        ["chain", "by_name", "direct", "direct", "direct"],
        "{all}"
    );
    let failed = workshop.json(&["trace", "list", "--failed"]);
    let intents: Vec<_> = rows(&failed)
        .iter()
        .map(|row| row["intent"].as_str())
        .collect();
    assert_eq!(intents, [None, Some("fail")], "{failed}");
    assert_eq!(rows(&workshop.json(&["trace", "list", "--ok"])).len(), 3);
    assert_eq!(
        rows(&workshop.json(&["trace", "list", "--limit", "2"])).len(),
        2
    );
    let called = workshop.json(&["trace", "list", "--capability", "issue.list"]);
    assert_eq!(rows(&called).len(), 2, "{called}");
    let newest = rows(&all)[0]["id"].as_str().unwrap();
    let older = workshop.json(&["trace", "list", "--before", newest]);
    assert_eq!(rows(&older)[..], rows(&all)[1..]);
}

#[test]
fn one_is_shown_by_its_id_by_its_beginning_and_as_the_last() {
    let workshop = busy();
    let all = workshop.json(&["trace", "list"]);
    let id = rows(&all)[0]["id"].as_str().unwrap();
    let shown = workshop.json(&["trace", "show", id]);
    assert_eq!(shown["data"]["id"], id);
    assert_eq!(
        workshop.json(&["trace", "show", &id[..15]])["data"],
        shown["data"]
    );
    assert_eq!(
        workshop.json(&["trace", "show", "last"])["data"],
        shown["data"]
    );
    // Looking at traces leaves none.
    assert_eq!(workshop.json(&["trace", "list"])["data"], all["data"]);
}

#[test]
fn old_ones_are_forgotten() {
    let workshop = busy();
    let pruned = workshop.json(&["trace", "prune", "--keep", "2"]);
    assert_eq!(pruned["data"]["forgotten"], 3, "{pruned}");
    assert_eq!(rows(&workshop.json(&["trace", "list"])).len(), 2);
}

#[test]
fn without_any() {
    let workshop = Workshop::empty();
    assert_eq!(rows(&workshop.json(&["trace", "list"])).len(), 0);
    let last = workshop.run(&["trace", "show", "last"]);
    assert_eq!(last.code, 1);
    assert_eq!(last.json()["error"]["code"], "NOT_FOUND");
}

#[test]
fn a_list_on_a_terminal() {
    let _timeless = timeless();
    insta::assert_snapshot!(busy().screen(&["trace", "list"]));
}

#[test]
fn none_on_a_terminal() {
    let workshop = Workshop::empty();
    insta::assert_snapshot!(workshop.screen(&["trace", "list"]));
}

#[test]
fn a_chain_as_a_timeline() {
    let _timeless = timeless();
    insta::assert_snapshot!(busy().screen(&["trace", "show", "last"]));
}

#[test]
fn a_call_as_a_timeline() {
    let _timeless = timeless();
    let workshop = Workshop::new();
    // One after the other: of two that are called at once, either may be found first.
    let code = "const all = [await caps.double({ n: 1 }), await caps.report({ first: 1 })];
        return all.length";
    workshop.learn("both", "call code", code);
    workshop.json(&["call", "both"]);
    insta::assert_snapshot!(workshop.screen(&["trace", "show", "last"]));
}

#[test]
fn a_failure_as_a_timeline() {
    let _timeless = timeless();
    let workshop = Workshop::empty();
    let code = "console.log('before'); console.error('two\\nlines');
        await capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 4242 })";
    workshop.run(&["exec", "-e", code, "--intent", "look for an issue"]);
    insta::assert_snapshot!(workshop.screen(&["trace", "show", "last"]));
}

/// Names of any length leave room for a bar, and the line stays within 80 columns.
#[test]
fn a_timeline_is_80_columns_wide() {
    let workshop = busy();
    let name = "a-name:that_is-as-long-as-names-may-be-and-then-some-more-of-it";
    workshop.json(&["cap", "rename", "report", name]);
    workshop.json(&["call", name]);
    let shown = workshop.screen(&["trace", "show", "last"]);
    let bars: Vec<_> = shown.lines().filter(|line| line.contains('━')).collect();
    assert_eq!(bars.len(), 4, "{shown}");
    assert!(
        bars.iter().all(|line| line.chars().count() <= 80),
        "{shown}"
    );
    assert!(bars[0].contains("…"), "{shown}");
}
