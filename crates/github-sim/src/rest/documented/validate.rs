//! Refuses requests whose query or body does not fit the documented inputs, in GitHub's words.

use http::StatusCode;
use serde_json::{Value, json};

use super::operation::DocumentedOperation;
use super::schema::InputSchema;
use crate::http::HttpResponse;
use crate::rest::request::RestRequest;

const DOCS: &str = "https://docs.github.com/rest";

/// Returns GitHub's 422 if a required input is missing or an input has the wrong type.
pub(super) fn refusal(
    operation: &DocumentedOperation,
    request: &RestRequest<'_>,
) -> Option<HttpResponse> {
    let missing: Vec<Value> = operation
        .query
        .keys()
        .filter(|name| request.param(name).is_none())
        .map(|name| json!({ "resource": resource_of(operation), "field": name, "code": "missing" }))
        .collect();
    if !missing.is_empty() {
        return Some(unprocessable("Validation Failed", Some(missing)));
    }
    let schema = operation.body.as_ref()?;
    if operation.body_type.is_some() {
        return None;
    }
    if request.body.is_null() {
        let empty = json!({});
        let wanted = operation.body_required && !schema.required.is_empty();
        return wanted.then(|| invalid(&problems(schema, &empty)));
    }
    let problems = problems(schema, request.body);
    (!problems.is_empty()).then(|| invalid(&problems))
}

/// Returns what is wrong with `value`, a sentence for each problem.
fn problems(schema: &InputSchema, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, value, "", &mut found);
    found
}

fn check(schema: &InputSchema, value: &Value, place: &str, found: &mut Vec<String>) {
    if !schema.alternatives.is_empty() {
        check_alternatives(schema, value, place, found);
        return;
    }
    if !schema.allows_type_of(value) {
        found.push(format!(
            "For '{}', {} is not {}.",
            name_of(place),
            inspect(value),
            schema.type_phrase()
        ));
        return;
    }
    if !schema.allowed.is_empty() && !schema.allowed.contains(value) {
        let allowed: Vec<String> = schema.allowed.iter().map(inspect).collect();
        found.push(format!(
            "For '{}', {} is not a member of [{}].",
            name_of(place),
            inspect(value),
            allowed.join(", ")
        ));
    }
    match value {
        Value::Object(fields) => {
            let absent = schema
                .required
                .iter()
                .filter(|name| !fields.contains_key(*name));
            let absent: Vec<String> = absent.map(|name| format!("\"{name}\"")).collect();
            match absent.as_slice() {
                [] => {}
                [one] => found.push(format!("{one} wasn't supplied.")),
                several => found.push(format!("{} weren't supplied.", several.join(", "))),
            }
            for (name, value) in fields {
                if let Some(schema) = schema.properties.get(name) {
                    check(schema, value, &format!("{place}/properties/{name}"), found);
                }
            }
        }
        Value::Array(items) => {
            if items.len() < schema.min_items {
                found.push(format!(
                    "For '{}', expected at least {} items; {} were supplied.",
                    name_of(place),
                    schema.min_items,
                    items.len()
                ));
            }
            if let Some(schema) = &schema.items {
                for item in items {
                    check(schema, item, &format!("{place}/items"), found);
                }
            }
        }
        _ => {}
    }
}

fn check_alternatives(schema: &InputSchema, value: &Value, place: &str, found: &mut Vec<String>) {
    let fits_one = schema.alternatives.iter().any(|alternative| {
        let mut problems = Vec::new();
        check(alternative, value, place, &mut problems);
        problems.is_empty()
    });
    if !fits_one {
        found.push(format!(
            "No subschema in \"anyOf\" matched for '{}'.",
            name_of(place)
        ));
    }
    let own = InputSchema {
        alternatives: Vec::new(),
        ..schema.clone()
    };
    check(&own, value, place, found);
}

/// The place as GitHub writes it: `properties/labels`.
fn name_of(place: &str) -> &str {
    let place = place.trim_start_matches('/');
    if place.is_empty() {
        "links/0/schema"
    } else {
        place
    }
}

/// Writes a value as GitHub does in messages: null is `nil`, long values are cut.
fn inspect(value: &Value) -> String {
    let text = match value {
        Value::Null => "nil".to_owned(),
        value => value.to_string(),
    };
    if text.len() <= 100 {
        return text;
    }
    let start: String = text.chars().take(97).collect();
    format!("{start}...")
}

fn invalid(problems: &[String]) -> HttpResponse {
    unprocessable(
        &format!("Invalid request.\n\n{}", problems.join("\n")),
        None,
    )
}

fn unprocessable(message: &str, errors: Option<Vec<Value>>) -> HttpResponse {
    let mut body = json!({ "message": message });
    if let Some(errors) = errors {
        body["errors"] = Value::Array(errors);
    }
    body["documentation_url"] = json!(DOCS);
    body["status"] = json!("422");
    HttpResponse::json(StatusCode::UNPROCESSABLE_ENTITY, &body)
}

/// Returns the name of the object for an error: `Search` for `search/code`.
fn resource_of(operation: &DocumentedOperation) -> String {
    let domain = operation.id.split('/').next().unwrap_or_default();
    let mut letters = domain.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
