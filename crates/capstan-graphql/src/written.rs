//! Reads a document that a caller wrote: finds the operation that is meant, and what must be known before it is sent.

use apollo_compiler::Node;
use apollo_compiler::ast::{OperationDefinition, Selection};

use crate::document::{Document, kind};
use crate::error::{DocumentError, MergeError};
use crate::fragments::reachable;
use crate::operation::Operation;
use crate::part::OperationKind;
use crate::single_operation::{refused, single_named};

/// The operation of a document that is meant, with only the fragments that it uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenOperation {
    pub name: String,
    /// Whether the document has the name.
    pub has_own_name: bool,
    pub kind: OperationKind,
    /// In their order.
    pub variables: Vec<WrittenVariable>,
    /// The names of the fields at the root, each once. Fields in fragments are included.
    pub root_fields: Vec<String>,
    /// The document, printed compactly. It has no other operation.
    pub text: String,
}

/// A variable that an operation defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenVariable {
    pub name: String,
    /// Whether it must have a value: its type does not allow null, and it has no default.
    pub is_required: bool,
}

/// Reads the operation of this name; without a name, the only operation. An operation without a name gets `default_name`.
///
/// Everything that can be refused without a schema is refused: subscriptions, fragments that are missing or contain
/// themselves, and variables that are not defined, not used or defined twice.
pub fn read_operation(
    text: &str,
    name: Option<&str>,
    default_name: &str,
) -> Result<WrittenOperation, DocumentError> {
    let document = Document::parse(text)?;
    let operation = wanted(&document, name)?;
    let problem = |error: MergeError| refused(operation, error);
    let kind = kind(operation, 0).map_err(problem)?;
    let single = single_named(&document, operation, default_name)?;
    match Operation::from_definition(&document, operation, 0) {
        // A directive only keeps an operation from being merged with others.
        Ok(_) | Err(MergeError::Directives { .. }) => {}
        Err(error) => return Err(problem(error)),
    }
    let variables = operation.variables.iter().map(|variable| WrittenVariable {
        name: variable.name.to_string(),
        is_required: variable.ty.is_non_null() && variable.default_value.is_none(),
    });
    Ok(WrittenOperation {
        name: single.name.unwrap_or_else(|| default_name.to_owned()),
        has_own_name: operation.name.is_some(),
        kind,
        variables: variables.collect(),
        root_fields: root_fields(&document, operation).map_err(problem)?,
        text: single.text,
    })
}

fn wanted<'d>(
    document: &'d Document,
    name: Option<&str>,
) -> Result<&'d Node<OperationDefinition>, DocumentError> {
    let operations = document.operations();
    let named = |operation: &&Node<OperationDefinition>| match name {
        Some(name) => operation.name.as_ref().is_some_and(|it| it == name),
        None => true,
    };
    let mut fitting = operations.iter().filter(named);
    let at_second = |second: &Node<OperationDefinition>| second.location().map(|at| at.offset());
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(second)) => Err(DocumentError {
            message: match name {
                Some(name) => format!("there is another operation `{name}`"),
                None => format!(
                    "there are {} operations: send one, or name the one that is meant",
                    operations.len()
                ),
            },
            offset: at_second(second),
        }),
        (None, _) => Err(DocumentError {
            message: match name {
                Some(name) if !operations.is_empty() => {
                    let known = operations.iter().filter_map(|it| it.name.as_ref());
                    let known: Vec<_> = known.map(|name| name.as_str()).collect();
                    let known = if known.is_empty() {
                        "its operation has no name".to_owned()
                    } else {
                        format!("it has {}", known.join(", "))
                    };
                    format!("the document has no operation `{name}`: {known}")
                }
                _ => "the document has no operation".to_owned(),
            },
            offset: None,
        }),
    }
}

/// Returns the names of the fields at the root of a document's operations; empty for a document that cannot be parsed.
pub fn root_fields_of(text: &str) -> Vec<String> {
    let Ok(document) = Document::parse(text) else {
        return Vec::new();
    };
    let operations = document.operations().iter();
    let fields = operations.filter_map(|operation| root_fields(&document, operation).ok());
    fields.flatten().collect()
}

fn root_fields(
    document: &Document,
    operation: &OperationDefinition,
) -> Result<Vec<String>, MergeError> {
    // Fragments that contain themselves are refused here, so following them ends. Each is followed once.
    let fragments = reachable(document, operation, 0)?;
    let mut fields: Vec<String> = Vec::new();
    let mut open: Vec<&[Selection]> = vec![&operation.selection_set];
    let mut followed = Vec::new();
    while let Some(selections) = open.pop() {
        for selection in selections {
            match selection {
                Selection::Field(field) => {
                    if !fields.iter().any(|known| *known == field.name.as_str()) {
                        fields.push(field.name.to_string());
                    }
                }
                Selection::InlineFragment(inline) => open.push(&inline.selection_set),
                Selection::FragmentSpread(spread) => {
                    let name = &spread.fragment_name;
                    let fragment = fragments.iter().find(|it| it.name == *name);
                    if let Some(fragment) = fragment
                        && !followed.contains(&name)
                    {
                        followed.push(name);
                        open.push(&fragment.selection_set);
                    }
                }
            }
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operation_that_is_meant_decides_alone() {
        let text = "\u{feff}# mutation M { x }\nquery Q($a: Int!, $b: Int! = 1, $c: Int) { ...F }
            mutation M { closeIssue(input: {issueId: \"x\"}) { issue { id } } ...on Mutation { b: addStar(input: {starrableId: \"y\"}) { clientMutationId } } }
            fragment F on Query { s: search(first: $a, n: $b, m: $c) { x } viewer { ...G } }
            fragment G on User { login }";
        let query = read_operation(text, Some("Q"), "Given").unwrap();
        assert_eq!(query.kind, OperationKind::Query);
        assert!(!query.text.contains("mutation"), "{}", query.text);
        let variables = query.variables.iter();
        let variables: Vec<_> = variables
            .map(|it| (it.name.as_str(), it.is_required))
            .collect();
        assert_eq!(variables, [("a", true), ("b", false), ("c", false)]);
        assert_eq!(query.root_fields, ["search", "viewer"]);
        let mutation = read_operation(text, Some("M"), "Given").unwrap();
        assert_eq!(mutation.kind, OperationKind::Mutation);
        assert_eq!(mutation.root_fields, ["closeIssue", "addStar"]);
        let nameless = read_operation("{ viewer { login } }", None, "Given").unwrap();
        assert_eq!(nameless.text, "query Given { viewer { login } }");
        assert!(!nameless.has_own_name);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, name, offset, message) in [
            ("", None, Some(0), "Unexpected <EOF>"),
            ("{ a ", None, Some(4), "expected"),
            ("{ a } { b }", None, Some(6), "2 operations"),
            (
                "{ a } query Q { b }",
                Some("R"),
                None,
                "no operation `R`: it has Q",
            ),
            ("{ a }", Some("R"), None, "its operation has no name"),
            (
                "query Q { a } query Q { b }",
                Some("Q"),
                Some(14),
                "another operation `Q`",
            ),
            ("subscription S { a }", None, Some(0), "is a subscription"),
            ("fragment F on Q { a }", None, None, "no operation"),
            ("{ ...F }", None, Some(0), "no fragment `F`"),
            (
                "{ ...F } fragment F on Q { ...F }",
                None,
                Some(0),
                "contains itself",
            ),
            (
                "{ a(x: $y) }",
                None,
                Some(0),
                "`$y`, which it does not define",
            ),
            ("query($y: Int) { a }", None, Some(0), "never uses it"),
            (
                "query($y: Int, $y: Int) { a(x: $y) }",
                None,
                Some(0),
                "twice",
            ),
            (
                "type Query { a: Int }",
                None,
                Some(0),
                "only operations and fragments",
            ),
        ] {
            let error = read_operation(text, name, "Given").unwrap_err();
            assert!(error.message.contains(message), "{text}: {error}");
            assert_eq!(error.offset, offset, "{text}: {error}");
        }
    }

    #[test]
    fn deep_documents_are_an_error_or_an_operation() {
        for depth in [10, 1_000, 100_000] {
            let text = format!("{}a{}", "{a".repeat(depth), "}".repeat(depth));
            let _ = read_operation(&text, None, "Given");
            let _ = root_fields_of(&text);
        }
    }
}
