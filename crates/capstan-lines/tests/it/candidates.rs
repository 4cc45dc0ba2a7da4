//! Tests of the capabilities that a line may refer to.

use serde_json::{Value, json};

use capstan_lines::parse;

fn candidates(line: &str) -> Vec<(String, usize)> {
    let candidates = parse(line).expect(line).candidates();
    candidates
        .into_iter()
        .map(|it| (it.name, it.words))
        .collect()
}

fn named(names: &[(&str, usize)]) -> Vec<(String, usize)> {
    names
        .iter()
        .map(|(name, words)| ((*name).to_owned(), *words))
        .collect()
}

#[test]
fn the_longest_name_comes_first() {
    assert_eq!(
        candidates("gh issue close 43"),
        named(&[
            ("issue.close", 3),
            ("issue close", 3),
            ("issue_close", 3),
            ("issue", 2)
        ])
    );
    assert_eq!(candidates("issue.close now"), named(&[("issue.close", 1)]));
    assert_eq!(
        candidates("issue_write method=get"),
        named(&[("issue_write", 1)])
    );
    assert_eq!(
        candidates("Issue.Close 43"),
        named(&[("issue.close", 1), ("Issue.Close", 1)])
    );
    assert_eq!(candidates("'my skill' now"), named(&[("my skill", 1)]));
    assert_eq!(candidates("gh"), named(&[("gh", 1)]));
    assert_eq!(candidates("--title x"), []);
    let found = candidates("pr threads reply X --body y");
    let place = |name: &str| found.iter().position(|(it, _)| it == name).unwrap();
    assert!(place("pr.threads.reply") < place("pr.threads"));
    assert_eq!(found[place("pr.threads.reply")].1, 3);
    assert_eq!(found[place("pr.threads")].1, 2);
}

#[test]
fn what_flags_say_is_known_without_a_card() {
    let line = "issue_write method=get --state open --full --x=1 -R a/b 'not this=1' -- --y z";
    assert_eq!(
        Value::Object(parse(line).unwrap().flag_values(1)),
        json!({ "method": "get", "state": "open", "full": "true", "x": "1", "R": "a/b" })
    );
    assert!(parse("a").unwrap().flag_values(9).is_empty());
}
