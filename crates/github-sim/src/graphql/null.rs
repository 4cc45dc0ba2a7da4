//! Losing a part of an answer, as the schema allows it: what may not be null takes what holds it along.

use apollo_compiler::ExecutableDocument;
use apollo_compiler::ast::Type;
use apollo_compiler::executable::{Field, Selection, SelectionSet};
use serde_json::Value;

/// Nulls what a path leads to, or the nearest thing above it that may be null; at last the data itself.
/// A path that leads nowhere changes nothing.
pub(super) fn null_at(
    document: &ExecutableDocument,
    root: &SelectionSet,
    data: &mut Value,
    path: &[Value],
) {
    if let Some(pointer) = nearest_nullable(document, root, data, path)
        && let Some(lost) = data.pointer_mut(&pointer)
    {
        *lost = Value::Null;
    }
}

/// The JSON pointer of the last place on the path that may be null.
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
    let mut here = data;
    let mut pointer = String::new();
    let mut nearest = String::new();
    for segment in path {
        let step = match segment {
            Value::String(key) => {
                let mut fields = Vec::new();
                for selection in &selections {
                    find(document, selection, key, &mut fields);
                }
                ty = Some(fields.first()?.ty());
                selections = fields.iter().map(|field| &field.selection_set).collect();
                here = here.get(key.as_str())?;
                key.clone()
            }
            Value::Number(index) => {
                ty = Some(ty.filter(|ty| ty.is_list())?.item_type());
                here = here.get(usize::try_from(index.as_u64()?).ok()?)?;
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

/// All selections of one response key; their sub-selections belong together.
fn find<'d>(
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
            Selection::InlineFragment(inline) => find(document, &inline.selection_set, key, found),
            Selection::FragmentSpread(spread) => {
                if let Some(fragment) = spread.fragment_def(document) {
                    find(document, &fragment.selection_set, key, found);
                }
            }
        }
    }
}
