//! Splits a card's `.graphql` file into operations by name.

use indexmap::IndexMap;

use capstan_core::card::{GraphqlDocument, Operation};
use capstan_graphql::{DocumentError, OperationKind, split_operations_named};

/// The documents of a card by operation name.
pub(crate) type Documents = IndexMap<String, GraphqlDocument>;

/// Returns the operations of a document by name, each with only the fragments that it uses. An
/// operation without a name gets the name `given`, and must be the only one.
pub(crate) fn split(text: &str, given: &str) -> Result<Documents, DocumentError> {
    let singles = split_operations_named(text, given)?;
    let nameless = singles.iter().find(|single| !single.has_own_name);
    if let Some(nameless) = nameless
        && singles.len() > 1
    {
        return Err(DocumentError {
            message: "an operation without a name must be the only one of its document; \
                      give each a name"
                .to_owned(),
            offset: nameless.offset,
        });
    }
    let mut operations = IndexMap::new();
    for single in singles {
        let name = single.name.unwrap_or_else(|| given.to_owned());
        if operations.contains_key(&name) {
            return Err(DocumentError {
                message: format!("there is another operation `{name}`"),
                offset: single.offset,
            });
        }
        let document = GraphqlDocument {
            is_named: single.has_own_name,
            operation_name: name.clone(),
            text: single.text,
            operation: match single.kind {
                OperationKind::Query => Operation::Read,
                OperationKind::Mutation => Operation::Write,
            },
            variables: single.variables,
        };
        operations.insert(name, document);
    }
    Ok(operations)
}

/// Returns a name for an operation that has none: the one that its card gives, or else one made
/// from the card's id.
pub(crate) fn name_of_nameless(operation: Option<&str>, capability_id: &str) -> String {
    let is_name = |text: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.chars().all(plain)
            && !text.is_empty()
            && !text.starts_with(|c: char| c.is_ascii_digit())
    };
    match operation.filter(is_name) {
        Some(operation) => operation.to_owned(),
        None => name_from_id(capability_id),
    }
}

/// Makes a name from an id: `issue.comments.create` becomes `IssueCommentsCreate`.
pub(crate) fn name_from_id(id: &str) -> String {
    let words = id.split(|c: char| !c.is_ascii_alphanumeric());
    let mut name = String::new();
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.extend(letters);
    }
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name,
        _ => format!("Operation{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_found_by_name() {
        let operations = split("query A($n: Int!) { x(n: $n) } mutation B { y }", "G").unwrap();
        assert_eq!(operations["A"].variables, ["n"]);
        assert_eq!(operations["A"].operation, Operation::Read);
        assert_eq!(operations["B"].operation, Operation::Write);
        assert_eq!(operations["B"].text, "mutation B { y }");
    }

    #[test]
    fn names_are_unique() {
        let twice = split("query A { x } query A { y }", "G").unwrap_err();
        assert_eq!(twice.offset, Some(14), "{twice}");
        assert!(split("fragment F on User { id }", "G").unwrap().is_empty());
    }

    #[test]
    fn the_only_operation_needs_no_name() {
        let operations = split("query($n: Int!) { x(n: $n) }", "IssueCommentsList").unwrap();
        let document = &operations["IssueCommentsList"];
        assert_eq!(document.variables, ["n"]);
        assert_eq!(
            document.text,
            "query IssueCommentsList($n: Int!) { x(n: $n) }"
        );
        let several = split("query A { x } { y }", "G").unwrap_err();
        assert_eq!(several.offset, Some(14), "{several}");
        assert!(several.message.contains("the only one"), "{several}");
    }

    #[test]
    fn a_nameless_operation_is_called_as_its_card_does() {
        assert_eq!(name_of_nameless(Some("Look"), "issue.view"), "Look");
        assert_eq!(name_of_nameless(Some("no name"), "issue.view"), "IssueView");
        assert_eq!(name_of_nameless(None, "issue.view"), "IssueView");
    }

    #[test]
    fn every_id_gives_a_name() {
        for (id, name) in [
            ("issue.view", "IssueView"),
            ("pr.review_threads.list", "PrReviewThreadsList"),
            ("2fa.view", "Operation2faView"),
            ("", "Operation"),
            ("é", "Operation"),
        ] {
            assert_eq!(name_from_id(id), name, "{id}");
        }
    }
}
