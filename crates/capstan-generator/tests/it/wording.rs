//! Descriptions: short sentences in plain words that start with a verb.

use serde_json::json;

use crate::support::{build, description, outline, rules};

#[track_caller]
fn check(summary: &str, text: &str, expected: &str) {
    let operation = json!({"summary": summary, "description": text});
    let (_, outline) = outline("get", "/things", &operation);
    assert_eq!(outline.description, expected);
}

#[test]
fn the_first_sentence_counts() {
    check("X", "Lists the things. There are many.", "List the things.");
    check("X", "Creates a thing", "Create a thing.");
}

#[test]
fn marks_of_markdown_are_left_out() {
    check(
        "X",
        "Lists `things` of [a **user**](https://x.y/z).",
        "List things of a user.",
    );
    check(
        "X",
        "> [!NOTE]\n> Closed.\n\nGets a <b>thing</b>.",
        "Get a thing.",
    );
    check("X", "Lists\nthe  things\n\nMore", "List the things.");
    check("X", "Gets [what] it < 3 [is](", "Get [what] it < 3 [is](.");
}

#[test]
fn without_a_verb_the_summary_counts() {
    check("List things", "Anyone can list the things.", "List things.");
    check("Get a thing", "", "Get a thing.");
}

#[test]
fn long_sentences_lose_what_only_adds() {
    let tail = "which is a very long clause that nobody wants to read until its very end, ever";
    check(
        "X",
        &format!("Gets a thing that somebody made, {tail}"),
        "Get a thing that somebody made.",
    );
    check(
        "X",
        &format!("Gets a thing ({tail}) of a user"),
        "Get a thing of a user.",
    );
}

#[test]
fn words_become_the_usual_ones() {
    check("X", "Returns a thing.", "Get a thing.");
    check(
        "X",
        "Returns whether it is one.",
        "Check whether it is one.",
    );
    check(
        "X",
        "Use this to get a list of things in secret.",
        "List things.",
    );
    check(
        "X",
        "Creates or updates a thing.",
        "Create or update a thing.",
    );
}

#[test]
fn no_words_are_a_problem() {
    let silent = json!({"summary": "Things", "description": "There are things."});
    let problems = build(&description("get", "/things", &silent), &rules()).unwrap_err();
    assert_eq!(problems[0].pointer, "/paths/~1things/get");
    assert!(
        problems[0].message.contains("no short sentence"),
        "{}",
        problems[0]
    );
}

#[test]
fn equal_descriptions_are_told_apart() {
    let mut both = description("get", "/things", &json!({"operationId": "things/one"}));
    let other = description("get", "/words", &json!({"operationId": "others/two"}));
    both["paths"]["/words"] = other["paths"]["/words"].clone();
    let third = description(
        "get",
        "/users/{user}/things",
        &json!({"operationId": "others/three"}),
    );
    both["paths"]["/users/{user}/things"] = third["paths"]["/users/{user}/things"].clone();
    let outlines = build(&both, &rules()).unwrap();
    let words: Vec<_> = outlines
        .values()
        .map(|it| it.description.as_str())
        .collect();
    let expected = [
        "Get a thing (the others).",
        "Get a thing.",
        "Get a thing (the others, user).",
    ];
    assert_eq!(words, expected);
}
