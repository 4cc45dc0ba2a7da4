//! All that is filled in, in one pass over the card.

use indexmap::IndexMap;
use serde_json::Value;

use capstan_core::Method;
use capstan_core::card::{GraphqlDocument, Operation};

use super::nested::Names;
use super::{OutputSchema, command, names, place};
use crate::document::Documents;
use crate::raw::{RawCard, RawGraphql};

/// Fills in what is left out and follows from the rest. What does not follow stays left out;
/// compiling the card reports it.
pub(crate) fn settle(card: &mut RawCard, documents: &Documents) {
    let inputs = card
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let inputs: Vec<String> = inputs
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default();
    let schema = OutputSchema::of(&card.output_schema);
    if let Some(route) = &mut card.graphql {
        settle_graphql(route, documents, &inputs, &schema);
    }
    if let Some(route) = &mut card.rest
        && route.output.is_none()
    {
        route.output = schema.by_name(None, |name| Names::Snake.find(name, false));
    }
    if let Some(route) = &mut card.cli
        && let Some(command) = &route.command
    {
        if route.args.is_none() {
            route.args = Some(command::arguments(command, &card.input_schema));
        }
        if route.output.is_none() {
            route.output = schema.among(&route.json_fields);
        }
    }
    if card.operation.is_none() {
        card.operation = operation_of(card, documents);
    }
}

fn settle_graphql(
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
            settle_variables(&mut lookup.variables, document, inputs);
        }
    }
    let Some(document) = route.operation.as_deref().and_then(document) else {
        return;
    };
    settle_variables(&mut route.variables, document, inputs);
    if route.output.is_none() {
        route.output = place::find(&document.text, schema).ok();
    }
}

/// A variable takes the input of its own name, or of its name in the other spelling. Compiling
/// knows the first.
fn settle_variables(
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

/// A card does what its document does; one without a document does what its method does.
fn operation_of(card: &RawCard, documents: &Documents) -> Option<Operation> {
    if let Some(route) = &card.graphql {
        let document = documents.get(route.operation.as_deref()?)?;
        return Some(document.operation);
    }
    let method = &card.rest.as_ref()?.method;
    let method = Method::ALL.into_iter().find(|it| it.as_str() == method)?;
    Some(method.operation())
}
