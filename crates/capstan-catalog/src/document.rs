//! The operations of a card's `.graphql` file, by name.

use indexmap::IndexMap;

use capstan_core::card::{GraphqlDocument, Operation};
use capstan_graphql::{DocumentError, Kind, cut};

/// The operations of a document by name, each with just the fragments that it uses.
pub(crate) fn split(text: &str) -> Result<IndexMap<String, GraphqlDocument>, DocumentError> {
    let mut operations = IndexMap::new();
    for single in cut(text)? {
        let refused = |message| DocumentError {
            message,
            offset: single.offset,
        };
        let Some(name) = single.name else {
            let message = "every operation of a card's document needs a name";
            return Err(refused(message.to_owned()));
        };
        if operations.contains_key(&name) {
            return Err(refused(format!("there is another operation `{name}`")));
        }
        let document = GraphqlDocument {
            operation_name: name.clone(),
            text: single.text,
            operation: match single.kind {
                Kind::Query => Operation::Read,
                Kind::Mutation => Operation::Write,
            },
            variables: single.variables,
        };
        operations.insert(name, document);
    }
    Ok(operations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_found_by_name() {
        let operations = split("query A($n: Int!) { x(n: $n) } mutation B { y }").unwrap();
        assert_eq!(operations["A"].variables, ["n"]);
        assert_eq!(operations["A"].operation, Operation::Read);
        assert_eq!(operations["B"].operation, Operation::Write);
        assert_eq!(operations["B"].text, "mutation B { y }");
    }

    #[test]
    fn names_are_needed_and_unique() {
        let twice = split("query A { x } query A { y }").unwrap_err();
        assert_eq!(twice.offset, Some(14), "{twice}");
        assert!(split("{ x }").unwrap_err().message.contains("needs a name"));
        assert!(split("fragment F on User { id }").unwrap().is_empty());
    }
}
