//! Sets parts of a response to null by GraphQL's rules: a non-null value makes its parent null instead.

use apollo_compiler::ExecutableDocument;
use apollo_compiler::ast::Type;
use apollo_compiler::executable::{Field, Selection, SelectionSet};
use serde_json::Value;

/// Sets the value at a path to null, or the nearest nullable value above it, or else the whole data.
/// Does nothing if the path does not exist.
pub(super) fn null_at(
    document: &ExecutableDocument,
    root: &SelectionSet,
    data: &mut Value,
    path: &[Value],
) {
    if let Some(pointer) = nearest_nullable(document, root, data, path)
        && let Some(value) = data.pointer_mut(&pointer)
    {
        *value = Value::Null;
    }
}

/// Returns the JSON pointer of the last nullable value on the path.
fn nearest_nullable(
    document: &ExecutableDocument,
    root: &SelectionSet,
    data: &Value,
    path: &[Value],
) -> Option<String> {
    if path.is_empty() {
        return None;
    }
    let mut selections = vec![root];
    let mut ty: Option<&Type> = None;
    let mut value = data;
    let mut pointer = String::new();
    let mut nearest = String::new();
    for segment in path {
        let step = match segment {
            Value::String(key) => {
                let mut fields = Vec::new();
                for selection in &selections {
                    collect_fields(document, selection, key, &mut fields);
                }
                ty = Some(fields.first()?.ty());
                selections = fields.iter().map(|field| &field.selection_set).collect();
                value = value.get(key.as_str())?;
                key.clone()
            }
            Value::Number(index) => {
                ty = Some(ty.filter(|ty| ty.is_list())?.item_type());
                value = value.get(usize::try_from(index.as_u64()?).ok()?)?;
                index.to_string()
            }
            _ => return None,
        };
        pointer = format!("{pointer}/{step}");
        if ty.is_some_and(|ty| !ty.is_non_null()) {
            nearest.clone_from(&pointer);
        }
    }
    Some(nearest)
}

/// Collects all fields with a response key. GraphQL merges their sub-selections.
fn collect_fields<'d>(
    document: &'d ExecutableDocument,
    selections: &'d SelectionSet,
    key: &str,
    found: &mut Vec<&'d Field>,
) {
    for selection in &selections.selections {
        match selection {
            Selection::Field(field) => {
                if field.response_key() == key {
                    found.push(field);
                }
            }
            Selection::InlineFragment(inline) => {
                collect_fields(document, &inline.selection_set, key, found);
            }
            Selection::FragmentSpread(spread) => {
                if let Some(fragment) = spread.fragment_def(document) {
                    collect_fields(document, &fragment.selection_set, key, found);
                }
            }
        }
    }
}
