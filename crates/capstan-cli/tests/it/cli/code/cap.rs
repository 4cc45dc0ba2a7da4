//! `capstan cap` in a pipe: the envelope of the capability behind it.

use serde_json::{Value, json};

use super::workshop::{DOUBLE, REPORT, Workshop};

fn names(listed: &Value) -> Vec<&str> {
    let rows = listed["data"]["capabilities"].as_array().unwrap();
    rows.iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect()
}

#[test]
fn every_command_is_a_front_of_its_capability() {
    let workshop = Workshop::new();
    for (args, capability) in [
        (&["list"][..], "cap.list"),
        (&["show", "double"], "cap.show"),
        (&["rename", "double", "twice"], "cap.rename"),
        (&["name", "twice", "twice"], "cap.name"),
        (&["alias", "twice", "x2"], "cap.alias"),
        (&["share", "twice", "org"], "cap.share"),
        (&["lookup", "twice"], "cap.lookup"),
        (&["delete", "twice"], "cap.delete"),
    ] {
        let answer = workshop.json(&[&["cap"], args].concat());
        assert_eq!(answer["ok"], true, "{args:?}");
        assert_eq!(answer["meta"]["capability_id"], capability);
        assert!(answer["data"].is_object(), "{answer}");
    }
}

#[test]
fn json_on_a_terminal_is_what_a_pipe_gets() {
    let workshop = Workshop::new();
    for args in [
        &["--demo", "--json", "cap", "list"][..],
        &["--demo", "--json", "cap", "show", "report"],
        &["--demo", "--json", "cap", "lookup", "nothing"],
        &["--demo", "--json", "trace", "list"],
        &["--demo", "--json", "trace", "show", "last"],
        &["--demo", "--json", "list", "--kind", "code"],
        &["--demo", "--json", "explain", "report"],
    ] {
        let (code, text) = workshop.place.raw_terminal(args);
        let piped = workshop.place.run(args);
        assert_eq!((code, text), (piped.code, piped.stdout), "{args:?}");
    }
}

#[test]
fn lists_are_filtered() {
    let workshop = Workshop::new();
    workshop.json(&["exec", "-e", "1 + 1", "--intent", "add"]);
    workshop.json(&["cap", "share", "report", "project"]);
    for (filter, expected) in [
        (&["dou*"][..], &["double"][..]),
        (&["?eport"], &["report"]),
        (&["--named"], &["double", "report"]),
        (&["--namespace", "issue"], &["report"]),
        (&["--calls", "issue.list"], &["report"]),
        (&["--visibility", "project"], &["report"]),
        (&["--named", "--limit", "1"], &["double"]),
        (&["--named", "--limit", "1", "--offset", "1"], &["report"]),
        (&["nothing*"], &[]),
    ] {
        let listed = workshop.json(&[&["cap", "list"], filter].concat());
        assert_eq!(names(&listed), expected, "{filter:?}");
    }
    let unnamed = workshop.json(&["cap", "list", "--unnamed"]);
    assert_eq!(names(&unnamed).len(), 1);
    assert!(names(&unnamed)[0].starts_with("unnamed_"), "{unnamed}");
}

#[test]
fn one_is_shown_in_full() {
    let workshop = Workshop::new();
    let long = format!("{}\nreturn 1", "// a long story\n".repeat(500));
    workshop.learn("long", "tell a story", &long);
    let shown = workshop.json(&["cap", "show", "long"]);
    assert_eq!(shown["data"]["code"], long.as_str());
    let shown = workshop.json(&["cap", "show", "report"]);
    assert_eq!(shown["data"]["code"], REPORT);
    assert_eq!(shown["data"]["calls"], json!(["issue.view", "issue.list"]));
    assert_eq!(shown["data"]["statistics"]["usage_count"], 1);
    assert_eq!(shown["data"]["history"].as_array().unwrap().len(), 2);
}

#[test]
fn two_become_one() {
    let workshop = Workshop::new();
    workshop.learn("twofold", "double too", "return 2 * (args.n ?? 21)");
    let merged = workshop.json(&["cap", "merge", "twofold", "double"]);
    assert_eq!(merged["data"]["statistics"]["usage_count"], 2, "{merged}");
    let found = workshop.json(&["cap", "lookup", "twofold"]);
    assert_eq!(found["data"]["name"], "double");
    assert_eq!(found["data"]["via"], "alias");
    assert_eq!(workshop.json(&["call", "double", "n=4"])["data"], 8);
    let kept = workshop.json(&["cap", "show", "double"]);
    assert_eq!(kept["data"]["code"], DOUBLE);
}

/// Nobody is there to answer a question.
#[test]
fn a_pipe_is_not_asked() {
    let workshop = Workshop::new();
    let deleted = workshop.json(&["cap", "delete", "double"]);
    assert_eq!(deleted["data"]["name"], "double");
    assert_eq!(names(&workshop.json(&["cap", "list"])), ["report"]);
}

#[test]
fn on_a_terminal_a_question_comes_first() {
    let workshop = Workshop::new();
    let delete = ["--demo", "cap", "delete", "double"];
    for (typed, code, left) in [
        ("\n", 1, 2),
        ("n\n", 1, 2),
        ("yess\n", 1, 2),
        ("\u{4}", 1, 2),
        ("y\n", 0, 1),
    ] {
        let (ended, said) = workshop.place.typing(&delete, typed);
        assert!(
            said.contains("delete `double` (local.default.code."),
            "{said}"
        );
        assert_eq!(ended, code, "{typed:?}: {said}");
        assert_eq!(said.contains("nothing was deleted"), code == 1, "{said}");
        let listed = workshop.json(&["cap", "list"]);
        assert_eq!(names(&listed).len(), left, "{typed:?}");
    }
    // Nothing to ask about.
    let (ended, said) = workshop.place.typing(&delete, "");
    assert_eq!(ended, 1);
    assert!(said.contains("Capability not found: double"), "{said}");
    let (ended, said) = workshop
        .place
        .raw_terminal(&["--demo", "cap", "delete", "report", "--yes"]);
    assert_eq!(ended, 0, "{said}");
    assert!(!said.contains("delete `"), "{said}");
}
