//! The route of a raw GraphQL call.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use capstan_core::card::{GraphqlDocument, GraphqlRoute, Operation};
use capstan_core::expr::{Expr, Path};
use capstan_core::similar;
use capstan_graphql::{
    DocumentError, OperationKind, WrittenOperation, read_operation, root_fields_of,
};

use super::card::{BadPart, whole_answer, written_object, written_text};

/// The name of an operation that has none.
const NAMELESS: &str = "Call";

pub(super) fn route(input: &Map<String, Value>) -> Result<GraphqlRoute, BadPart> {
    let text = written_text(input, "query")?;
    let text =
        text.ok_or_else(|| BadPart::new("query", "is missing: expected a GraphQL document"))?;
    let name = written_text(input, "operation")?;
    let operation =
        read_operation(text, name, NAMELESS).map_err(|error| bad_document(text, &error))?;
    let given = written_object(input, "variables")?;
    check_variables(&operation, given.unwrap_or(&Map::new()))?;
    let variables = operation.variables.iter().map(|variable| {
        let path = Path::to_field("input", ["variables", variable.name.as_str()]);
        (variable.name.clone(), Expr::Path(path))
    });
    Ok(GraphqlRoute {
        variables: variables.collect(),
        document: GraphqlDocument {
            is_named: operation.has_own_name,
            operation_name: operation.name,
            text: operation.text,
            operation: match operation.kind {
                OperationKind::Query => Operation::Read,
                OperationKind::Mutation => Operation::Write,
            },
            variables: operation.variables.into_iter().map(|it| it.name).collect(),
        },
        resolve: IndexMap::new(),
        unchanged: None,
        refuse: None,
        verify: None,
        output: whole_answer(),
        pagination: None,
        max_page_size: None,
    })
}

/// Returns whether two documents have a field at the root in common.
pub(super) fn share_a_field(one: &str, other: &str) -> bool {
    let fields = root_fields_of(other);
    root_fields_of(one)
        .iter()
        .any(|field| fields.contains(field))
}

/// Checks that every variable is known and that none is missing. GitHub would refuse the whole request, with everything
/// that shares it.
fn check_variables(
    operation: &WrittenOperation,
    given: &Map<String, Value>,
) -> Result<(), BadPart> {
    let known = || operation.variables.iter().map(|it| it.name.as_str());
    if let Some(stray) = given.keys().find(|name| !known().any(|it| it == *name)) {
        let advice = match similar::closest(stray, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if operation.variables.is_empty() => "it defines none".to_owned(),
            None => format!("it defines {}", known().collect::<Vec<_>>().join(", ")),
        };
        let problem = format!("is not a variable of the operation: {advice}");
        return Err(BadPart::new(&format!("variables.{stray}"), problem));
    }
    let is_missing = |name: &str| given.get(name).is_none_or(Value::is_null);
    let mut required = operation.variables.iter().filter(|it| it.is_required);
    match required.find(|it| is_missing(&it.name)) {
        Some(missing) => {
            let field = format!("variables.{}", missing.name);
            let problem = "is missing, and its type does not allow null";
            Err(BadPart::new(&field, problem))
        }
        None => Ok(()),
    }
}

/// Says what is wrong with a document, with line and column.
fn bad_document(text: &str, error: &DocumentError) -> BadPart {
    let message = error.message.trim_end_matches('.');
    let problem = match error.offset {
        Some(offset) => {
            let before = text.get(..offset.min(text.len())).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
            format!("is wrong in line {line}, column {column}: {message}")
        }
        None => format!("is wrong: {message}"),
    };
    BadPart::new("query", capstan_core::brief(&problem, LONGEST_PROBLEM))
}

/// How much of an error of the parser is told.
const LONGEST_PROBLEM: usize = 300;
