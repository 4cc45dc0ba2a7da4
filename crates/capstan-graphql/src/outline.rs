//! The names in the answer to an operation and their nesting: its selection without types.

use apollo_compiler::ast::Selection;

use crate::document::Document;
use crate::error::MergeError;
use crate::fragments::reachable;

/// The maximum number of fields. Fragments that spread others several times grow exponentially.
const MAX_FIELDS: usize = 10_000;

/// A field of the answer, by its response key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectedField {
    pub key: String,
    /// The fields below it; empty for a leaf.
    pub fields: Vec<SelectedField>,
}

/// Returns the top-level fields of the answer to the document's only operation. Fields of fragments
/// are inlined, and a field that is selected twice appears once.
pub fn outline(text: &str) -> Result<Vec<SelectedField>, MergeError> {
    let document = Document::parse_part(text, 0)?;
    let operation = document.operation(None, 0)?;
    // This refuses fragments that contain themselves; following them below would never end.
    reachable(&document, operation, 0)?;
    let mut fields = Vec::new();
    let mut room = MAX_FIELDS;
    add(&document, &operation.selection_set, &mut fields, &mut room)?;
    Ok(fields)
}

fn add(
    document: &Document,
    selections: &[Selection],
    fields: &mut Vec<SelectedField>,
    room: &mut usize,
) -> Result<(), MergeError> {
    for selection in selections {
        let Some(left) = room.checked_sub(1) else {
            return Ok(());
        };
        *room = left;
        match selection {
            Selection::Field(field) => {
                let key = field.response_name().as_str();
                let known = fields.iter().position(|known| known.key == key);
                let at = known.unwrap_or_else(|| {
                    fields.push(SelectedField {
                        key: key.to_owned(),
                        fields: Vec::new(),
                    });
                    fields.len() - 1
                });
                add(document, &field.selection_set, &mut fields[at].fields, room)?;
            }
            Selection::InlineFragment(inline) => {
                add(document, &inline.selection_set, fields, room)?;
            }
            Selection::FragmentSpread(spread) => {
                let fragment = document.fragment(&spread.fragment_name, 0)?;
                add(document, &fragment.selection_set, fields, room)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(fields: &[SelectedField]) -> Vec<&str> {
        fields.iter().map(|field| field.key.as_str()).collect()
    }

    #[test]
    fn fragments_and_aliases_are_followed() {
        let fields = outline(
            "{ repository { it: issue { id ...F ... on Issue { id title } } } } \
             fragment F on Issue { number author { login } }",
        )
        .unwrap();
        assert_eq!(keys(&fields), ["repository"]);
        assert_eq!(keys(&fields[0].fields), ["it"]);
        let issue = &fields[0].fields[0].fields;
        assert_eq!(keys(issue), ["id", "number", "author", "title"]);
        assert_eq!(keys(&issue[2].fields), ["login"]);
    }

    #[test]
    fn fragments_that_multiply_end_somewhere() {
        let mut text = "{ ...F0 }".to_owned();
        for n in 0..40 {
            let next = n + 1;
            text.push_str(&format!(
                "fragment F{n} on Q {{ ...F{next} a{n}: x ...F{next} }}"
            ));
        }
        text.push_str("fragment F40 on Q { x }");
        assert!(outline(&text).unwrap().len() <= 41);
        assert!(outline("{ ...F } fragment F on Q { ...F }").is_err());
    }
}
