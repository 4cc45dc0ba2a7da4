//! Splits a document into one self-contained document for each operation.

use apollo_compiler::ast::{self, Definition, OperationDefinition};
use apollo_compiler::{Name, Node};

use crate::document::{self, Document};
use crate::error::{DocumentError, MergeError};
use crate::fragments::reachable;
use crate::part::OperationKind;

/// An operation with only the fragments that it uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleOperation {
    pub name: Option<String>,
    /// Whether the document has the name; [`split_operations_named`] adds one to operations without.
    pub has_own_name: bool,
    pub kind: OperationKind,
    /// The names of its variables, in their order.
    pub variables: Vec<String>,
    /// The document, printed compactly.
    pub text: String,
    /// The byte offset in the original document.
    pub offset: Option<usize>,
}

/// Returns the operations of a document, in its order.
pub fn split_operations(text: &str) -> Result<Vec<SingleOperation>, DocumentError> {
    let document = Document::parse(text)?;
    let operations = document.operations().iter();
    operations
        .map(|operation| single(&document, operation).map_err(|error| refused(operation, error)))
        .collect()
}

/// Splits like [`split_operations`], and gives `name` to an operation that has none. A name does not change the
/// answer, and code that sends, traces or merges operations can rely on it.
pub fn split_operations_named(
    text: &str,
    name: &str,
) -> Result<Vec<SingleOperation>, DocumentError> {
    let document = Document::parse(text)?;
    let operations = document.operations().iter();
    operations
        .map(|operation| single_named(&document, operation, name))
        .collect()
}

/// Returns one operation by itself, with `name` if it has none.
pub(crate) fn single_named(
    document: &Document,
    operation: &Node<OperationDefinition>,
    name: &str,
) -> Result<SingleOperation, DocumentError> {
    let mut named = operation.clone();
    if named.name.is_none() {
        let name = Name::new(name).map_err(|error| DocumentError {
            message: error.to_string(),
            offset: None,
        })?;
        named.make_mut().name = Some(name);
    }
    let single = single(document, &named).map_err(|error| refused(operation, error))?;
    Ok(SingleOperation {
        has_own_name: operation.name.is_some(),
        ..single
    })
}

fn single(
    document: &Document,
    operation: &Node<OperationDefinition>,
) -> Result<SingleOperation, MergeError> {
    let kind = document::kind(operation, 0)?;
    let mut alone = ast::Document::new();
    let definition = Definition::OperationDefinition(operation.clone());
    alone.definitions.push(definition);
    // A fragment comes after its use, as people write it.
    for fragment in reachable(document, operation, 0)?.into_iter().rev() {
        let definition = Definition::FragmentDefinition(fragment.clone());
        alone.definitions.push(definition);
    }
    let variables = operation.variables.iter();
    Ok(SingleOperation {
        name: operation.name.as_ref().map(ToString::to_string),
        has_own_name: operation.name.is_some(),
        kind,
        variables: variables
            .map(|variable| variable.name.to_string())
            .collect(),
        text: alone.serialize().no_indent().to_string(),
        offset: operation.location().map(|at| at.offset()),
    })
}

pub(crate) fn refused(operation: &Node<OperationDefinition>, error: MergeError) -> DocumentError {
    let whole = operation.location();
    let name = operation.name.as_ref();
    let named = name.and_then(|name| name.location()).or(whole);
    let (message, place) = match error {
        MergeError::Subscription { .. } => {
            let name = name.map_or("subscription", |name| name.as_str());
            let message =
                format!("`{name}` is a subscription; GitHub answers queries and mutations");
            (message, whole)
        }
        MergeError::UnknownFragment { name, .. } => {
            (format!("there is no fragment `{name}`"), named)
        }
        MergeError::RecursiveFragment { name, .. } => {
            (format!("the fragment `{name}` contains itself"), named)
        }
        other => (other.to_string(), whole),
    };
    DocumentError {
        message,
        offset: place.map(|at| at.offset()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_gets_its_own_fragments() {
        let singles = split_operations(
            "query A($n: Int!) { viewer { ...F } }
            mutation B { closeIssue(input: {issueId: \"x\"}) { issue { ...G } } }
            { viewer { login } }
            fragment G on Issue { number }
            fragment F on User { followers(first: $n) { totalCount } ...H }
            fragment H on User { id }",
        )
        .unwrap();
        let texts: Vec<&str> = singles.iter().map(|single| single.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "query A($n: Int!) { viewer { ...F } } fragment F on User { followers(first: $n) { totalCount } ...H } fragment H on User { id }",
                "mutation B { closeIssue(input: {issueId: \"x\"}) { issue { ...G } } } fragment G on Issue { number }",
                "{ viewer { login } }",
            ]
        );
        assert_eq!(singles[0].variables, ["n"]);
        assert_eq!(singles[1].kind, OperationKind::Mutation);
        assert_eq!(singles[2].name, None);
    }

    #[test]
    fn operations_without_a_name_get_one() {
        let singles = split_operations_named("{ x } query A { y }", "Given").unwrap();
        let texts: Vec<&str> = singles.iter().map(|single| single.text.as_str()).collect();
        assert_eq!(texts, ["query Given { x }", "query A { y }"]);
        assert_eq!(singles[0].name.as_deref(), Some("Given"));
        assert!(split_operations_named("{ x }", "no name").is_err());
    }

    #[test]
    fn errors_have_a_place() {
        for (text, offset, message) in [
            ("query A { x ", 12, "expected"),
            ("{ x } subscription S { x }", 6, "`S` is a subscription"),
            ("{ x } query A { ...F }", 12, "no fragment `F`"),
            (
                "query A { ...F } fragment F on Query { ...F }",
                6,
                "`F` contains itself",
            ),
            (
                "{ x } fragment F on Q { x } fragment F on Q { x }",
                28,
                "another fragment `F`",
            ),
            (
                "{ x } type Q { x: Int }",
                6,
                "only operations and fragments",
            ),
        ] {
            let error = split_operations(text).unwrap_err();
            assert_eq!(error.offset, Some(offset), "{error}");
            assert!(error.message.contains(message), "{error}");
        }
    }
}
