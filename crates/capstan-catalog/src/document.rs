//! Cuts a `.graphql` file into one self-contained document for each operation in it.

use std::collections::BTreeSet;

use apollo_compiler::ast::{self, Definition, OperationType, Selection};
use apollo_compiler::diagnostic::ToCliReport as _;
use indexmap::IndexMap;

use capstan_core::card::{GraphqlDocument, Operation};

/// What is wrong with a document, and the byte offset where.
#[derive(Debug)]
pub(crate) struct DocumentError {
    pub message: String,
    pub offset: Option<usize>,
}

/// The operations of a document by name, each with just the fragments that it uses, compactly
/// printed.
pub(crate) fn split(text: &str) -> Result<IndexMap<String, GraphqlDocument>, DocumentError> {
    let parsed = ast::Document::parse(text, "document.graphql").map_err(|failed| {
        let first = failed.errors.iter().next();
        DocumentError {
            message: first.as_ref().map_or_else(
                || "not a GraphQL document".to_owned(),
                |diagnostic| diagnostic.error.to_string(),
            ),
            offset: first
                .and_then(|diagnostic| diagnostic.error.location())
                .map(|at| at.offset()),
        }
    })?;
    let mut operations = IndexMap::new();
    for definition in &parsed.definitions {
        let Definition::OperationDefinition(operation) = definition else {
            continue;
        };
        let Some(name) = &operation.name else {
            return Err(DocumentError {
                message: "every operation of a card's document needs a name".to_owned(),
                offset: definition.location().map(|at| at.offset()),
            });
        };
        let kind = match operation.operation_type {
            OperationType::Query => Operation::Read,
            OperationType::Mutation => Operation::Write,
            OperationType::Subscription => {
                return Err(DocumentError {
                    message: format!(
                        "`{name}` is a subscription; GitHub answers queries and mutations"
                    ),
                    offset: definition.location().map(|at| at.offset()),
                });
            }
        };
        let mut alone = ast::Document::new();
        alone.definitions.push(definition.clone());
        alone.definitions.extend(fragments_of(&parsed, operation)?);
        let document = GraphqlDocument {
            operation_name: name.to_string(),
            text: alone.serialize().no_indent().to_string().trim().to_owned(),
            operation: kind,
            variables: operation
                .variables
                .iter()
                .map(|variable| variable.name.to_string())
                .collect(),
        };
        if operations.insert(name.to_string(), document).is_some() {
            return Err(DocumentError {
                message: format!("there is another operation `{name}`"),
                offset: definition.location().map(|at| at.offset()),
            });
        }
    }
    Ok(operations)
}

fn fragments_of(
    document: &ast::Document,
    operation: &ast::OperationDefinition,
) -> Result<Vec<Definition>, DocumentError> {
    let mut wanted = Vec::new();
    spreads(&operation.selection_set, &mut wanted);
    let mut seen = BTreeSet::new();
    let mut fragments = Vec::new();
    while let Some(name) = wanted.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let found = document
            .definitions
            .iter()
            .find_map(|definition| match definition {
                Definition::FragmentDefinition(fragment) if fragment.name.as_str() == name => {
                    Some(fragment)
                }
                _ => None,
            });
        let Some(fragment) = found else {
            return Err(DocumentError {
                message: format!("there is no fragment `{name}`"),
                offset: operation
                    .name
                    .as_ref()
                    .and_then(|name| Some(name.location()?.offset())),
            });
        };
        spreads(&fragment.selection_set, &mut wanted);
        fragments.push(Definition::FragmentDefinition(fragment.clone()));
    }
    Ok(fragments)
}

fn spreads(selections: &[Selection], names: &mut Vec<String>) {
    for selection in selections {
        match selection {
            Selection::Field(field) => spreads(&field.selection_set, names),
            Selection::InlineFragment(inline) => spreads(&inline.selection_set, names),
            Selection::FragmentSpread(spread) => names.push(spread.fragment_name.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_gets_its_own_fragments() {
        let text = "
            query A($n: Int!) { repository(owner: \"a\", name: \"b\") { issue(number: $n) { ...F } } }
            mutation B { closeIssue(input: {issueId: \"x\"}) { issue { ...G } } }
            fragment F on Issue { id ...G }
            fragment G on Issue { number }";
        let operations = split(text).unwrap();
        assert_eq!(operations["A"].variables, ["n"]);
        assert_eq!(operations["A"].operation, Operation::Read);
        assert!(operations["A"].text.contains("fragment G"));
        assert!(operations["A"].text.contains("fragment F"));
        assert_eq!(operations["B"].operation, Operation::Write);
        assert!(!operations["B"].text.contains("fragment F"));
        assert!(!operations["A"].text.contains('\n'));
    }

    #[test]
    fn errors_have_a_place() {
        assert!(split("query A { x ").unwrap_err().offset.is_some());
        let twice = split("query A { x } query A { y }").unwrap_err();
        assert_eq!(twice.offset, Some(14), "{}", twice.message);
        assert!(split("{ x }").unwrap_err().message.contains("needs a name"));
        assert!(
            split("query A { ...F }")
                .unwrap_err()
                .message
                .contains("no fragment `F`")
        );
        assert!(
            split("subscription S { x }")
                .unwrap_err()
                .message
                .contains("subscription")
        );
    }
}
