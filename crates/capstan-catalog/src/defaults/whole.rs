//! Fills in all defaults, in one pass over the card.

use indexmap::IndexMap;
use serde_json::Value;

use capstan_core::Method;
use capstan_core::card::{GraphqlDocument, Operation};

use super::nested::AnswerNames;
use super::{OutputSchema, command, names, place};
use crate::document::Documents;
use crate::raw::{RawCard, RawGraphql};

/// Fills in what follows from the rest of the card. Anything else stays empty, and compiling the
/// card reports it.
pub(crate) fn fill_in_defaults(card: &mut RawCard, documents: &Documents) {
    let inputs = card
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let inputs: Vec<String> = inputs
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default();
    let schema = OutputSchema::new(&card.output_schema);
    if let Some(route) = &mut card.graphql {
        fill_in_graphql(route, documents, &inputs, &schema);
    }
    if let Some(route) = &mut card.rest
        && route.output.is_none()
    {
        route.output = schema.by_name(None, |name| AnswerNames::Snake.find(name, false));
    }
    if let Some(route) = &mut card.cli
        && let Some(command) = &route.command
    {
        if route.args.is_none() {
            route.args = Some(command::arguments(command, &card.input_schema));
        }
        if route.output.is_none() {
            route.output = schema.output_for_json_fields(&route.json_fields);
        }
    }
    if card.operation.is_none() {
        card.operation = derive_operation(card, documents);
    }
}

fn fill_in_graphql(
    route: &mut RawGraphql,
    documents: &Documents,
    inputs: &[String],
    schema: &OutputSchema<'_>,
) {
    if route.operation.is_none() && documents.len() == 1 {
        route.operation = documents.keys().next().cloned();
    }
    let document = |name: &str| documents.get(name);
    for lookup in route.resolve.values_mut() {
        if let Some(document) = document(&lookup.operation) {
            fill_in_variables(&mut lookup.variables, document, inputs);
        }
    }
    let Some(document) = route.operation.as_deref().and_then(document) else {
        return;
    };
    fill_in_variables(&mut route.variables, document, inputs);
    if route.output.is_none() {
        route.output = place::find(&document.text, schema).ok();
    }
}

/// Maps each variable to the input with the same name in the other spelling. Compiling handles
/// identical names.
fn fill_in_variables(
    variables: &mut IndexMap<String, String>,
    document: &GraphqlDocument,
    inputs: &[String],
) {
    for variable in &document.variables {
        if variables.contains_key(variable) {
            continue;
        }
        let input = names::find(variable, inputs.iter().map(String::as_str));
        if let Some(input) = input.filter(|input| *input != variable) {
            variables.insert(variable.clone(), input.to_owned());
        }
    }
}

/// Returns the operation of the card's document, or of its method if there is no document.
fn derive_operation(card: &RawCard, documents: &Documents) -> Option<Operation> {
    if let Some(route) = &card.graphql {
        let document = documents.get(route.operation.as_deref()?)?;
        return Some(document.operation);
    }
    let method = &card.rest.as_ref()?.method;
    let method = Method::ALL.into_iter().find(|it| it.as_str() == method)?;
    Some(method.operation())
}
