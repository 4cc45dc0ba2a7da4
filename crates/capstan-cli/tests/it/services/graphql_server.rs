//! A server that behaves as a GraphQL schema says: it validates documents and answers with values that fit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use apollo_compiler::ast::OperationType;
use apollo_compiler::executable::{Selection, SelectionSet};
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};
use serde_json::{Map, Value, json};

use super::http::{Received, Reply, Server};

/// Starts a server for a schema that takes this token.
pub(super) fn start(schema: Valid<Schema>, token: &'static str) -> Server {
    let schema = Arc::new(schema);
    let is_slowed_down = AtomicBool::new(false);
    Server::start(move |request| {
        let is_too_fast = request.body.contains("too fast");
        if is_too_fast && !is_slowed_down.swap(true, Ordering::Relaxed) {
            return Reply {
                headers: vec![("retry-after", "1".to_owned())],
                ..Reply::json(429, &json!({"errors": [{"message": "Throttled"}]}))
            };
        }
        answer(&schema, request, token)
    })
}

fn answer(schema: &Valid<Schema>, request: &Received, token: &str) -> Reply {
    if request.header("authorization") != Some(&format!("Bearer {token}")) {
        return Reply::json(401, &json!({"errors": [{"message": "Invalid token"}]}));
    }
    let body: Value = serde_json::from_str(&request.body).unwrap();
    let document = body["query"].as_str().unwrap();
    let parsed = ExecutableDocument::parse_and_validate(schema, document, "request.graphql");
    let document = match parsed {
        Ok(document) => document,
        Err(wrong) => {
            let message = wrong.errors.to_string();
            return Reply::json(200, &json!({"errors": [{"message": message}]}));
        }
    };
    let variables = &body["variables"];
    if variables.to_string().contains("gid://missing") {
        return Reply::json(
            200,
            &json!({"data": null, "errors": [{
                "message": "Could not find it",
                "extensions": {"code": "NOT_FOUND"},
            }]}),
        );
    }
    if variables.to_string().contains("not json") {
        return Reply {
            status: 200,
            headers: Vec::new(),
            body: "{\"data\": ".to_owned(),
        };
    }
    let operation = document
        .operations
        .get(body["operationName"].as_str())
        .unwrap();
    assert_ne!(operation.operation_type, OperationType::Subscription);
    let data = object(schema, &document, &operation.selection_set, variables);
    Reply::json(200, &json!({"data": data}))
}

/// Returns a value for each selected field.
fn object(
    schema: &Valid<Schema>,
    document: &ExecutableDocument,
    selections: &SelectionSet,
    variables: &Value,
) -> Value {
    let mut fields = Map::new();
    add_fields(schema, document, selections, variables, &mut fields);
    Value::Object(fields)
}

fn add_fields(
    schema: &Valid<Schema>,
    document: &ExecutableDocument,
    selections: &SelectionSet,
    variables: &Value,
    fields: &mut Map<String, Value>,
) {
    for selection in &selections.selections {
        match selection {
            Selection::Field(field) => {
                let key = field.response_key().to_string();
                let ty = &field.definition.ty;
                let one = if field.selection_set.is_empty() {
                    leaf(schema, ty.inner_named_type(), &key, variables)
                } else {
                    object(schema, document, &field.selection_set, variables)
                };
                fields.insert(key, if ty.is_list() { json!([one]) } else { one });
            }
            Selection::InlineFragment(fragment) => {
                add_fields(schema, document, &fragment.selection_set, variables, fields);
            }
            Selection::FragmentSpread(spread) => {
                let fragment = spread.fragment_def(document).unwrap();
                add_fields(schema, document, &fragment.selection_set, variables, fields);
            }
        }
    }
}

fn leaf(schema: &Valid<Schema>, ty: &str, key: &str, variables: &Value) -> Value {
    match schema.types.get(ty) {
        Some(ExtendedType::Enum(values)) => json!(values.values.keys().next().unwrap().as_str()),
        _ => match ty {
            "Int" => json!(3),
            "Float" => json!(1.5),
            // The second page of a list is the last one.
            "Boolean" if key == "hasNextPage" => json!(variables["after"].is_null()),
            "Boolean" => json!(true),
            "String" if key == "endCursor" => json!("cursor 1"),
            "ID" => json!("gid://thing/1"),
            _ => json!("text"),
        },
    }
}

/// Writes a schema that an introspection query described.
pub(super) fn schema_text(schema: &Value) -> String {
    let mut text = format!(
        "schema {{ query: {}",
        schema["queryType"]["name"].as_str().unwrap()
    );
    if let Some(mutation) = schema["mutationType"]["name"].as_str() {
        text.push_str(&format!(" mutation: {mutation}"));
    }
    text.push_str(" }\n");
    for ty in schema["types"].as_array().unwrap() {
        let name = ty["name"].as_str().unwrap();
        let is_built_in = ["Int", "Float", "String", "Boolean", "ID"].contains(&name);
        if is_built_in || name.starts_with("__") {
            continue;
        }
        let fields = |key: &str| joined(&ty[key], "\n", field);
        let names = |key: &str, between: &str| {
            joined(&ty[key], between, |it| {
                it["name"].as_str().unwrap().to_owned()
            })
        };
        let implements = match names("interfaces", " & ") {
            names if names.is_empty() => names,
            names => format!("implements {names} "),
        };
        text.push_str(&match ty["kind"].as_str().unwrap() {
            "SCALAR" => format!("scalar {name}"),
            "OBJECT" => format!("type {name} {implements}{{ {} }}", fields("fields")),
            "INTERFACE" => format!("interface {name} {implements}{{ {} }}", fields("fields")),
            "UNION" => format!("union {name} = {}", names("possibleTypes", " | ")),
            "ENUM" => format!("enum {name} {{ {} }}", names("enumValues", " ")),
            _ => format!("input {name} {{ {} }}", fields("inputFields")),
        });
        text.push('\n');
    }
    text
}

fn joined(list: &Value, between: &str, write: impl Fn(&Value) -> String) -> String {
    let items = list.as_array().into_iter().flatten().map(write);
    items.collect::<Vec<_>>().join(between)
}

fn field(field: &Value) -> String {
    let arguments = joined(&field["args"], ", ", self::field);
    let arguments = if arguments.is_empty() {
        arguments
    } else {
        format!("({arguments})")
    };
    let usual = field["defaultValue"].as_str();
    let usual = usual.map_or(String::new(), |usual| format!(" = {usual}"));
    let name = field["name"].as_str().unwrap();
    format!("{name}{arguments}: {}{usual}", type_text(&field["type"]))
}

fn type_text(ty: &Value) -> String {
    match ty["kind"].as_str().unwrap() {
        "NON_NULL" => format!("{}!", type_text(&ty["ofType"])),
        "LIST" => format!("[{}]", type_text(&ty["ofType"])),
        _ => ty["name"].as_str().unwrap().to_owned(),
    }
}
