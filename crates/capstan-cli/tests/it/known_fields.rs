//! Every field that `gh … --json` takes is understood as a column, or is known not to be there.

use std::collections::BTreeSet;
use std::process::Command;

use capstan_catalog::Catalog;
use capstan_core::card::Card;
use capstan_lines::requested_fields;
use serde_json::Value;

use crate::support::gh_program;

fn rows() -> Vec<Value> {
    let rows = include_str!("known_words/fields.jsonl").lines();
    rows.map(|row| serde_json::from_str(row).unwrap()).collect()
}

/// The field that a name is understood as.
fn understood(card: &Card, name: &str) -> Option<String> {
    requested_fields(card, [name]).known.pop()
}

#[test]
fn fields_of_gh_are_columns_or_known_to_lack() {
    let catalog = Catalog::new(&capstan_cards::CARDS);
    let mut wrong = Vec::new();
    for row in rows() {
        let card = catalog.get(row["card"].as_str().unwrap()).unwrap();
        for (field, wanted) in row["fields"].as_object().unwrap() {
            let understood = understood(&card, field);
            if understood.as_deref() != wanted.as_str() {
                wrong.push(format!("{}: {field} is {understood:?}", row["command"]));
            }
        }
        for field in row["lacks"].as_array().unwrap() {
            if let Some(understood) = understood(&card, field.as_str().unwrap()) {
                wrong.push(format!("{}: {field} is {understood}", row["command"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the real gh is asked which fields it has"
)]
fn the_list_of_fields_is_that_of_gh() {
    let home = tempfile::tempdir().unwrap();
    for row in rows() {
        let command = row["command"].as_str().unwrap();
        let mut gh = Command::new(gh_program());
        gh.args(command.split(' '));
        if command.ends_with("view") || command.ends_with("checks") {
            gh.arg("1");
        }
        // Without a value, gh says which there are, and sends nothing.
        let output = gh
            .args(["--repo", "acme/rocket", "--json"])
            .env_clear()
            .env("HOME", home.path())
            .env("GH_TOKEN", "none")
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let there: BTreeSet<_> = said.lines().skip(1).map(str::trim).collect();
        let lacks = row["lacks"].as_array().unwrap().iter();
        let lacks = lacks.map(|field| field.as_str().unwrap());
        let fields = row["fields"].as_object().unwrap().keys();
        let known: BTreeSet<_> = fields.map(String::as_str).chain(lacks).collect();
        assert_eq!(known, there, "gh {command}");
    }
}
