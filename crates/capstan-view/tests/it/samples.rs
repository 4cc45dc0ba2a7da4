//! Cards and envelopes as the engine makes them.

use capstan_core::card::{CallRoute, Card, List, Operation};
use capstan_core::expr::Template;
use capstan_core::{
    CapabilityId, ChainMeta, ChainResultEnvelope, ChainStatus, ChainStepMeta, ChainStepResult,
    ErrorCode, Pagination, ResultEnvelope, ResultError, ResultMeta, Route, RouteReason,
};
use capstan_view::{ViewContext, view_result};
use serde_json::{Map, Value, json};

pub(crate) fn card(id: &str, operation: Operation) -> Card {
    let call = CallRoute {
        route: Route::Local,
        target: String::new(),
    };
    let mut card = Card::of_call(CapabilityId::parse(id).unwrap(), call, operation);
    card.call = None;
    card
}

pub(crate) fn read(id: &str) -> Card {
    card(id, Operation::Read)
}

pub(crate) fn write(id: &str) -> Card {
    card(id, Operation::Write)
}

pub(crate) fn list(
    id: &str,
    field: &str,
    title: Option<&str>,
    order: Option<&str>,
    columns: &[&str],
) -> Card {
    let mut card = read(id);
    card.list = Some(List {
        field: field.to_owned(),
        empty: Template::parse("none").unwrap(),
        title: title.map(|title| Template::parse(title).unwrap()),
        order: order.map(str::to_owned),
        columns: columns.iter().map(|name| (*name).to_owned()).collect(),
        always: Vec::new(),
    });
    card
}

pub(crate) fn issue_list() -> Card {
    let columns = ["number", "title", "state", "author", "labels"];
    list(
        "issue.list",
        "issues",
        Some("{state} issues"),
        Some("newest first"),
        &columns,
    )
}

pub(crate) fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is no object"),
    }
}

pub(crate) fn issues_input() -> Map<String, Value> {
    map(json!({"owner": "acme", "repo": "rocket", "state": "open", "first": 30}))
}

pub(crate) fn issue_rows() -> Vec<Value> {
    let rows = [
        (
            48,
            "Tank pressure sensor reads 0.0 after brown-out",
            "priya-nair",
            vec!["bug", "flight-critical"],
            0,
        ),
        (
            47,
            "Update the README's build instructions",
            "tomas-silva",
            vec!["documentation"],
            0,
        ),
        (
            45,
            "Telemetry drops | frames over 2 kHz",
            "maya-chen",
            vec![],
            4,
        ),
    ];
    rows.into_iter()
        .map(|(number, title, author, labels, comments)| {
            json!({
                "number": number, "title": title, "state": "open", "author": author, "labels": labels,
                "comments": comments, "updated_at": "2026-05-26T14:06:07Z",
            })
        })
        .collect()
}

/// The metadata of every success.
pub(crate) fn meta() -> ResultMeta {
    ResultMeta {
        capability_id: "some.card".to_owned(),
        route_used: Some(Route::Rest),
        reason: Some(RouteReason::CardFallback),
        ..ResultMeta::default()
    }
}

pub(crate) fn ok(data: Value) -> ResultEnvelope {
    ResultEnvelope::success(data, meta())
}

pub(crate) fn paged(data: Value, pagination: Pagination) -> ResultEnvelope {
    let meta = ResultMeta {
        pagination: Some(pagination),
        ..meta()
    };
    ResultEnvelope::success(data, meta)
}

pub(crate) fn page(total: u64, cursor: Option<&str>) -> Pagination {
    Pagination {
        has_next_page: cursor.is_some(),
        end_cursor: cursor.map(str::to_owned),
        total: Some(total),
        incomplete: false,
    }
}

pub(crate) fn failed(code: ErrorCode, message: &str, details: Value) -> ResultEnvelope {
    ResultEnvelope::failure(error(code, message, details), meta())
}

pub(crate) fn error(code: ErrorCode, message: &str, details: Value) -> ResultError {
    let mut error = ResultError::new(code, message);
    error.details = map(details);
    error
}

/// As it is read with this card and input.
pub(crate) fn shown(envelope: &ResultEnvelope, card: Option<&Card>, input: Value) -> String {
    let input = map(input);
    let context = ViewContext {
        card,
        input: &input,
        fields: None,
        sort: None,
        feeds_each: false,
    };
    view_result(envelope, &context)
}

pub(crate) fn with_fields(envelope: &ResultEnvelope, card: &Card, fields: &[&str]) -> String {
    let input = issues_input();
    let fields: Vec<_> = fields.iter().map(|name| (*name).to_owned()).collect();
    let context = ViewContext {
        card: Some(card),
        input: &input,
        fields: Some(&fields),
        sort: None,
        feeds_each: false,
    };
    view_result(envelope, &context)
}

pub(crate) fn step(name: Option<&str>, result: Result<Value, ResultError>) -> ChainStepResult {
    let (data, error) = match result {
        Ok(data) => (Some(data), None),
        Err(error) => (None, Some(error)),
    };
    ChainStepResult {
        task: "some.card".to_owned(),
        name: name.map(str::to_owned),
        ok: data.is_some(),
        data,
        error,
        meta: ChainStepMeta::default(),
    }
}

pub(crate) fn chain_of(results: Vec<ChainStepResult>) -> ChainResultEnvelope {
    let total = results.len();
    let succeeded = results.iter().filter(|it| it.ok).count();
    ChainResultEnvelope {
        status: ChainStatus::of(succeeded, total),
        results,
        meta: ChainMeta {
            route_used: Some(Route::Graphql),
            total,
            succeeded,
            failed: total - succeeded,
            requests: 2,
            chunks: 2,
            ..ChainMeta::default()
        },
    }
}
