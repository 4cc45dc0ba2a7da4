//! The outline of a document, read without the schema: read or write, the name of the operation, its root fields.

use apollo_compiler::ast::{Definition, Document, OperationDefinition, OperationType, Selection};

use super::request::Request;

/// The operation that a request would run; empty for a document that cannot be parsed.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) is_mutation: bool,
    pub(crate) name: Option<String>,
    /// The root fields in document order, each alias once, including those in fragments.
    pub(crate) fields: Vec<RootField>,
}

/// A root field of an operation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RootField {
    pub(crate) name: String,
    /// The alias, or the name if the document gives none.
    pub(crate) alias: String,
}

impl Outline {
    pub(crate) fn from_request(request: &Request) -> Self {
        let document = request.document();
        let mut outline = Self::default();
        if let Some(operation) = find_operation(document, request.operation_name()) {
            outline.is_mutation = operation.operation_type == OperationType::Mutation;
            outline.name = operation.name.as_ref().map(ToString::to_string);
            outline.collect(document, &operation.selection_set, 0);
        }
        outline
    }

    fn collect(&mut self, document: &Document, selections: &[Selection], depth: usize) {
        if depth > MAX_FRAGMENT_DEPTH {
            return;
        }
        for selection in selections {
            match selection {
                Selection::Field(field) => self.add(RootField {
                    name: field.name.to_string(),
                    alias: field.response_name().to_string(),
                }),
                Selection::InlineFragment(inline) => {
                    self.collect(document, &inline.selection_set, depth + 1);
                }
                Selection::FragmentSpread(spread) => {
                    for definition in &document.definitions {
                        if let Definition::FragmentDefinition(fragment) = definition
                            && fragment.name == spread.fragment_name
                        {
                            self.collect(document, &fragment.selection_set, depth + 1);
                        }
                    }
                }
            }
        }
    }

    /// Adds a field, unless there is one with the same alias: GraphQL merges them.
    fn add(&mut self, field: RootField) {
        if !self.fields.iter().any(|known| known.alias == field.alias) {
            self.fields.push(field);
        }
    }
}

/// Fragments at the root rarely nest; the limit only guards against fragments that include themselves.
const MAX_FRAGMENT_DEPTH: usize = 16;

fn find_operation<'d>(
    document: &'d Document,
    name: Option<&str>,
) -> Option<&'d OperationDefinition> {
    document
        .definitions
        .iter()
        .filter_map(|definition| match definition {
            Definition::OperationDefinition(operation) => Some(operation.as_ref()),
            _ => None,
        })
        .find(|operation| match name {
            Some(name) => operation.name.as_ref().is_some_and(|n| n == name),
            None => true,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn check(document: &str, expected: &[(&str, &str)]) {
        let outline = Outline::from_request(&Request::parse(json!({ "query": document })));
        let fields = outline.fields.iter();
        let fields: Vec<_> = fields
            .map(|field| (field.alias.as_str(), field.name.as_str()))
            .collect();
        assert_eq!(fields, expected, "{document}");
    }

    #[test]
    fn root_fields_are_found_in_fragments_too() {
        check("{ viewer { login } }", &[("viewer", "viewer")]);
        check(
            "{ b: viewer { x: login } a: meta { sha: __typename } }",
            &[("b", "viewer"), ("a", "meta")],
        );
        check(
            "{ a: viewer { login } ... { b: viewer { id } ... on Query { c: meta { __typename } } } ...F }
             fragment F on Query { d: viewer { id } ...G } fragment G on Query { e: viewer { id } }",
            &[("a", "viewer"), ("b", "viewer"), ("c", "meta"), ("d", "viewer"), ("e", "viewer")],
        );
    }

    #[test]
    fn one_alias_is_one_field() {
        check(
            "{ a: viewer { login } ...F ... { a: viewer { id } } } fragment F on Query { a: viewer { name } }",
            &[("a", "viewer")],
        );
    }

    #[test]
    fn an_invalid_document_has_no_fields() {
        check("", &[]);
        check("nonsense", &[]);
        check("{ ...F } fragment F on Query { ...F }", &[]);
        assert!(
            Outline::from_request(&Request::parse(Value::Null))
                .fields
                .is_empty()
        );
    }
}
