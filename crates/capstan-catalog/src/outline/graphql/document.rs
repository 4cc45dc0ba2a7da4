//! Documents: an operation with its variables and what it asks for.

use capstan_core::card::{GraphqlDocument, Operation};

use super::selection::Selection;

/// A variable of an operation.
pub(super) struct Variable {
    pub(super) name: String,
    /// Its type, as GraphQL writes it.
    pub(super) ty: String,
    /// The expression of its value.
    pub(super) value: String,
}

/// Returns an operation as a document. Nothing is parsed, because cards are expanded when they are unpacked.
pub(super) fn document(
    name: &str,
    operation: Operation,
    variables: &[Variable],
    selection: &Selection,
) -> GraphqlDocument {
    let keyword = match operation {
        Operation::Read => "query",
        Operation::Write => "mutation",
    };
    let declared: Vec<String> = variables
        .iter()
        .map(|variable| format!("${}: {}", variable.name, variable.ty))
        .collect();
    let declared = match declared.as_slice() {
        [] => String::new(),
        declared => format!("({})", declared.join(", ")),
    };
    GraphqlDocument {
        is_named: true,
        operation_name: name.to_owned(),
        text: format!("{keyword} {name}{declared} {selection}"),
        operation,
        variables: variables
            .iter()
            .map(|variable| variable.name.clone())
            .collect(),
    }
}
