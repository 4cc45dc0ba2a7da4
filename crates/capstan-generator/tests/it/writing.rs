//! The files: narrow lines, and nothing lost on the way back.

use std::collections::BTreeMap;
use std::fs;

use capstan_catalog::outline::{Outline, read_outlines};
use capstan_generator::{Catalogue, Drift};
use serde_json::{Value, json};

fn catalogue(outlines: &[(&str, Value)]) -> Catalogue {
    let outlines = outlines.iter().map(|(id, more)| {
        let mut outline = json!({"description": "Get it.", "call": "GET /x", "source": "x/get"});
        for (key, value) in more.as_object().unwrap() {
            outline[key] = value.clone();
        }
        (
            (*id).to_owned(),
            serde_json::from_value::<Outline>(outline).unwrap(),
        )
    });
    Catalogue {
        outlines: outlines.collect::<BTreeMap<_, _>>(),
        ..Catalogue::default()
    }
}

#[track_caller]
fn check_round_trip(catalogue: &Catalogue) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in catalogue.files() {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let drift = Drift::new(catalogue, folder.path());
    assert!(drift.is_empty(), "{drift}");
}

#[test]
fn a_file_per_domain() {
    let catalogue = catalogue(&[
        ("b.view", json!({"answer": "any"})),
        (
            "a.view",
            json!({"input": {"id": "integer"}, "output": {"id": "integer", "user": "string = user.login"}}),
        ),
        (
            "a.list",
            json!({"rows": {"id": "integer"}, "pages": "page"}),
        ),
    ]);
    let files = catalogue.files();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["a.yaml", "b.yaml"]);
    let expected = "\
# Outlines of `a`, generated from GitHub's description of its REST API.
# Do not edit: change catalogue/rules.yaml and run `make catalogue`.

a.list:
  description: Get it.
  call: GET /x
  source: x/get
  pages: page
  rows: { id: integer }

a.view:
  description: Get it.
  call: GET /x
  source: x/get
  input: { id: integer }
  output: { id: integer, user: string = user.login }
";
    assert_eq!(files["a.yaml"], expected);
    check_round_trip(&catalogue);
}

#[test]
fn long_values_take_several_lines() {
    let fields: serde_json::Map<_, _> = (0..40)
        .map(|number| (format!("field_number_{number}"), json!(["string"])))
        .collect();
    let catalogue = catalogue(&[("a.view", json!({"output": {"inner": fields}}))]);
    let text = &catalogue.files()["a.yaml"];
    assert!(text.lines().all(|line| line.len() <= 120), "{text}");
    check_round_trip(&catalogue);
}

#[test]
fn unusual_texts_come_back() {
    let texts = [
        "",
        " ",
        "null",
        "~",
        "yes",
        "1",
        "1.5e3",
        "0x1F",
        "2027-01-31",
        "a: b",
        "a #b",
        "a:",
        "#a",
        "-",
        "- a",
        "? a",
        "[a]",
        "{a}",
        "a, b",
        "'a'",
        "\"a\"",
        "&a",
        "*a",
        "!a",
        "%a",
        "@a",
        "`a`",
        "|",
        ">",
        "<<",
        "=",
        "a\nb",
        "a\tb",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "\u{ffff}",
        "🦀",
        "a\\b",
        "---",
        "...",
        ".inf",
        "+1",
        "true",
    ];
    let fields: serde_json::Map<_, _> = texts
        .iter()
        .map(|text| ((*text).to_owned(), json!(text)))
        .collect();
    let mut outlines = vec![(
        "a.view".to_owned(),
        json!({"output": fields, "input": {"x": texts.to_vec()}}),
    )];
    for (index, text) in texts.iter().enumerate() {
        outlines.push((
            format!("a.view{index}"),
            json!({"description": text, "source": text, "query": [text]}),
        ));
    }
    let outlines: Vec<_> = outlines
        .iter()
        .map(|(id, it)| (id.as_str(), it.clone()))
        .collect();
    check_round_trip(&catalogue(&outlines));
}

#[test]
fn drift_is_told_by_id() {
    let folder = tempfile::tempdir().unwrap();
    let old = catalogue(&[
        ("a.gone", json!({})),
        ("a.same", json!({})),
        ("b.other", json!({})),
    ]);
    for (name, text) in old.files() {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let new = catalogue(&[("a.new", json!({})), ("a.same", json!({"answer": "any"}))]);
    let drift = Drift::new(&new, folder.path());
    let expected = "added (1):\n  a.new\nremoved (2):\n  a.gone\n  b.other\nchanged (1):\n  a.same\n\
                    files that differ: a.yaml, b.yaml\n";
    assert_eq!(drift.to_string(), expected);
    assert!(!read_outlines(folder.path()).unwrap().is_empty());
}
