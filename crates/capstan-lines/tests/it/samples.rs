//! Sample cards.

use serde_json::{Map, Value, json};

use capstan_core::card::{CallRoute, Card, FlagMeaning, List, Operation, OtherName};
use capstan_core::expr::Template;
use capstan_core::{CapabilityId, Route};
use capstan_lines::{BoundLine, Correction, Defaults, parse};

/// Builds a card with this input schema.
pub(crate) fn card(id: &str, schema: Value) -> Card {
    let call = CallRoute {
        route: Route::Local,
        target: id.to_owned(),
    };
    let id = CapabilityId::given(id);
    let mut card = Card::of_call(id, call, Operation::Write);
    card.input_schema = schema;
    card
}

/// Builds a schema with a repository, these required names and these properties.
pub(crate) fn of_repository(required: &[&str], properties: &Value) -> Value {
    let mut all = json!({
        "owner": { "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]*$" },
        "repo": { "type": "string", "pattern": "^[A-Za-z0-9._-]+$" },
    });
    let more = properties.as_object().unwrap().clone();
    all.as_object_mut().unwrap().extend(more);
    let required: Vec<_> = ["owner", "repo"].iter().chain(required).collect();
    json!({ "type": "object", "required": required, "additionalProperties": false, "properties": all })
}

pub(crate) fn flags(card: &mut Card, flags: &[(&str, Value)]) {
    for (flag, meaning) in flags {
        let meaning = match meaning {
            Value::String(input) => FlagMeaning::Input(input.clone()),
            sets => FlagMeaning::Sets(sets.as_object().unwrap().clone()),
        };
        card.line.flags.insert((*flag).to_owned(), meaning);
    }
}

pub(crate) fn issue_close() -> Card {
    let mut card = card(
        "issue.close",
        of_repository(
            &["issue_number"],
            &json!({
                "issue_number": { "type": "integer", "minimum": 1 },
                "reason": { "enum": ["completed", "not_planned"], "default": "completed" },
                "comment": { "type": "string" },
            }),
        ),
    );
    flags(
        &mut card,
        &[("r", json!("reason")), ("c", json!("comment"))],
    );
    card
}

pub(crate) fn issue_create() -> Card {
    let mut card = card(
        "issue.create",
        of_repository(
            &["title"],
            &json!({
                "title": { "type": "string", "minLength": 1 },
                "body": { "type": "string" },
                "labels": { "type": "array", "items": { "type": "string" } },
                "assignees": { "type": "array", "items": { "type": "string" } },
                "milestone": { "type": ["integer", "string", "null"] },
            }),
        ),
    );
    flags(
        &mut card,
        &[
            ("t", json!("title")),
            ("b", json!("body")),
            ("label", json!("labels")),
            ("l", json!("labels")),
            ("a", json!("assignees")),
            ("assignee", json!("assignees")),
        ],
    );
    card.names.push(OtherName {
        name: "issue_write".to_owned(),
        with: Map::from_iter([("method".to_owned(), json!("create"))]),
        sets: serde_json::Map::new(),
        single: Vec::new(),
    });
    card
}

pub(crate) fn issue_list() -> Card {
    let mut card = card(
        "issue.list",
        of_repository(
            &[],
            &json!({
                "state": { "enum": ["open", "closed", "all"], "default": "open" },
                "label": { "type": "string" },
                "first": { "type": "integer", "minimum": 1, "maximum": 100, "default": 30 },
                "after": { "type": "string", "minLength": 1 },
            }),
        ),
    );
    card.output_schema = json!({ "properties": { "issues": { "type": "array", "items": {
        "properties": { "number": {}, "title": { "type": "string" }, "comments": {}, "created_at": {}, "isPinned": {}, "checks": {} },
    } } } });
    card.list = Some(List {
        field: "issues".to_owned(),
        empty: Template::parse("no issues").expect("a text"),
        title: None,
        order: None,
        columns: Vec::new(),
        always: Vec::new(),
    });
    let of_gh = ("statusCheckRollup".to_owned(), "checks".to_owned());
    card.line.fields.extend([of_gh]);
    flags(&mut card, &[("s", json!("state"))]);
    card
}

pub(crate) fn pr_merge() -> Card {
    let mut card = card(
        "pr.merge",
        of_repository(
            &["pr_number"],
            &json!({
                "pr_number": { "type": "integer", "minimum": 1 },
                "method": { "enum": ["merge", "squash", "rebase"], "default": "merge" },
                "expected_head_sha": { "type": "string" },
                "admin": { "type": "boolean", "default": false },
            }),
        ),
    );
    flags(
        &mut card,
        &[
            ("squash", json!({ "method": "squash" })),
            ("rebase", json!({ "method": "rebase" })),
            ("match-head-commit", json!("expected_head_sha")),
        ],
    );
    card
}

pub(crate) fn threads_reply() -> Card {
    let mut card = card(
        "pr.threads.reply",
        json!({
            "type": "object",
            "required": ["thread_id", "body"],
            "additionalProperties": false,
            "properties": { "thread_id": { "type": "string" }, "body": { "type": "string" } },
        }),
    );
    // A card for GitHub, and not a call of something else.
    card.call = None;
    card.line.positional = vec!["thread_id".to_owned(), "body".to_owned()];
    card
}

pub(crate) fn repo_view() -> Card {
    card("repo.view", of_repository(&[], &json!({})))
}

/// Builds a card with one input of every kind.
pub(crate) fn kinds() -> Card {
    card(
        "a.kinds",
        json!({
            "type": "object",
            "additionalProperties": false,
            "$defs": { "level": { "enum": ["low", "high"] } },
            "properties": {
                "text": { "type": "string" },
                "nullable_text": { "type": ["string", "null"] },
                "count": { "type": "integer" },
                "nullable_count": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
                "ratio": { "type": "number" },
                "draft": { "type": "boolean" },
                "numbers": { "type": "array", "items": { "type": "integer" } },
                "levels": { "type": "array", "items": { "$ref": "#/$defs/level" } },
                "level": { "oneOf": [{ "$ref": "#/$defs/level" }, { "type": "null" }] },
                "filter": { "type": "object" },
                "rows": { "type": "array", "items": { "type": "object" } },
                "one_or_many": { "type": ["string", "array"], "items": { "type": "string" } },
                "whatever": {},
            },
        }),
    )
}

pub(crate) fn defaults() -> Defaults {
    Defaults {
        repository: Some(("acme".to_owned(), "rocket".to_owned())),
    }
}

/// Binds a line whose first word is the capability, in the repository acme/rocket.
pub(crate) fn bind(card: &Card, line: &str) -> Result<BoundLine, Correction> {
    parse(line).expect(line).bind(1, card, &defaults())
}

/// Returns the input of a correct line, without the repository if that is acme/rocket.
pub(crate) fn input(card: &Card, line: &str) -> Value {
    let bound = bind(card, line).expect(line);
    let mut input = bound.input;
    if input.get("owner") == Some(&json!("acme")) && input.get("repo") == Some(&json!("rocket")) {
        input.remove("owner");
        input.remove("repo");
    }
    Value::Object(input)
}

/// Returns the problem of a wrong line, without the form.
pub(crate) fn problem(card: &Card, line: &str) -> String {
    bind(card, line).expect_err(line).problem
}
