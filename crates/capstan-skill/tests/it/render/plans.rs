//! Sample plans.

use std::collections::HashMap;
use std::sync::Arc;

use capstan_core::Source;
use capstan_skill::{
    Contract, Library, OperationClass, OutsideCapability, Plan, Runs, check, read_text,
};
use serde_json::{Value, json};
use time::macros::date;

/// Two lookups that depend only on the input.
pub(super) const SIMPLE: &str = include_str!("simple.yaml");

/// Sequential and parallel steps, and a write that may be skipped.
pub(super) const REVIEW: &str = include_str!("review.yaml");

/// A composite, conditions, a diamond, and cards that share a request.
pub(super) const TRIAGE: &str = include_str!("triage.yaml");

pub(super) fn all() -> [(&'static str, Plan); 3] {
    [
        ("simple", plan(SIMPLE)),
        ("review", plan(REVIEW)),
        ("triage", plan(TRIAGE)),
    ]
}

/// Returns the plan of the first skill in a text.
pub(super) fn plan(text: &str) -> Plan {
    let source = Source::new("skills.yaml", text);
    let read = read_text(&source);
    assert_eq!(read.diagnostics, [], "{text}");
    let first = read.skills[0].clone();
    let (library, twice) = Library::new(read.skills);
    assert_eq!(twice, []);
    let outside = outside();
    let checked = check(&library, &outside, date!(2026 - 11 - 16));
    checked.plan(&first).unwrap()
}

fn outside() -> HashMap<String, OutsideCapability> {
    let issue = json!({
        "type": "object",
        "properties": {"repo": {"type": "string"}, "issue_number": {"type": "integer"}},
        "required": ["repo", "issue_number"],
    });
    let known = |runs: Runs, name: &str, input: &Value, operation, output| {
        let outsider = OutsideCapability {
            runs,
            contract: Contract {
                input: Some(Arc::new(input.clone())),
                output: Some(Arc::new(output)),
                operation,
                effects: Vec::new(),
            },
        };
        (name.to_owned(), outsider)
    };
    let card = |name: &str, operation, output| {
        known(Runs::Card(name.to_owned()), name, &issue, operation, output)
    };
    let text = json!({"type": "string"});
    HashMap::from([
        known(
            Runs::Tool("directory.lookup".to_owned()),
            "directory.lookup",
            &json!({"type": "object"}),
            OperationClass::Read,
            json!({"type": "object", "properties": {"address": text}, "required": ["address"]}),
        ),
        card(
            "issue.view",
            OperationClass::Read,
            json!({"type": "object", "properties": {"title": text, "author": text}, "required": ["title", "author"]}),
        ),
        card(
            "issue.comments",
            OperationClass::Read,
            json!({"type": "object", "properties": {"comments": {"type": "array", "items": text}}, "required": ["comments"]}),
        ),
        card(
            "issue.label",
            OperationClass::Write,
            json!({"type": "object", "properties": {"labels": {"type": "array"}}, "required": ["labels"]}),
        ),
        card(
            "issue.close",
            OperationClass::Write,
            json!({"type": "object", "properties": {"closed": {"type": "boolean"}}, "required": ["closed"]}),
        ),
    ])
}
