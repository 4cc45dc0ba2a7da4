//! Partial errors: one nullable field of a response becomes null and gets an error.

use apollo_compiler::ExecutableDocument;
use apollo_compiler::executable::{Selection, SelectionSet};
use serde_json::{Value, json};

use super::interference::INTERNAL_ERROR_MESSAGE;
use super::request::Request;
use super::schema::schema;

/// Sets the deepest nullable field of the response to null (a root field only if there is no other) and adds an error
/// for it. Returns `None` if the document cannot be parsed or no field can be null.
pub(crate) fn null_one_field(request: &Request, response: &[u8]) -> Option<Value> {
    let mut body: Value = serde_json::from_slice(response).ok()?;
    let document = request.document().to_executable(schema());
    let document = document.unwrap_or_else(|errors| errors.partial);
    let operation = document.operations.get(request.operation_name()).ok()?;

    let mut search = NullableFieldSearch {
        document: &document,
        best: None,
    };
    search.visit(&operation.selection_set, &body["data"], &mut Vec::new());
    let path = search.best?;

    let pointer: String = std::iter::once("/data".to_owned())
        .chain(path.iter().map(|key| format!("/{key}")))
        .collect();
    *body.pointer_mut(&pointer)? = Value::Null;
    let error = json!({
        "path": path,
        "locations": [{ "line": 1, "column": 1 }],
        "message": INTERNAL_ERROR_MESSAGE,
    });
    match body.get_mut("errors").and_then(Value::as_array_mut) {
        Some(errors) => errors.push(error),
        None => body["errors"] = json!([error]),
    }
    Some(body)
}

/// Searches a response for the deepest nullable field.
struct NullableFieldSearch<'d> {
    document: &'d ExecutableDocument,
    /// The first of the deepest paths found so far.
    best: Option<Vec<String>>,
}

impl<'d> NullableFieldSearch<'d> {
    fn visit(&mut self, selections: &'d SelectionSet, data: &Value, path: &mut Vec<String>) {
        for selection in &selections.selections {
            match selection {
                Selection::Field(field) => {
                    let value = &data[field.response_key().as_str()];
                    if value.is_null() {
                        continue;
                    }
                    path.push(field.response_key().to_string());
                    let deeper = self
                        .best
                        .as_ref()
                        .is_none_or(|best| path.len() > best.len());
                    if deeper && !field.definition.ty.is_non_null() {
                        self.best = Some(path.clone());
                    }
                    if value.is_object() {
                        self.visit(&field.selection_set, value, path);
                    }
                    path.pop();
                }
                Selection::InlineFragment(inline) => self.visit(&inline.selection_set, data, path),
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = spread.fragment_def(self.document) {
                        self.visit(&fragment.selection_set, data, path);
                    }
                }
            }
        }
    }
}
