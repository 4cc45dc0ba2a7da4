//! Turns an outline of a GraphQL operation into a card.

use capstan_core::Route;
use capstan_core::card::{ApiKind, Operation};
use indexmap::IndexMap;
use serde_json::json;

use super::answer::split_place;
use super::document::{Variable, document};
use super::lookup::lookups;
use super::result::CardResult;
use super::spelling::snake_case;
use crate::document::{Documents, name_from_id};
use crate::outline::expand::{add_page_inputs, deprecation};
use crate::outline::notation::properties;
use crate::outline::raw::Outline;
use crate::raw::{RawCard, RawCli, RawGraphql, RawGraphqlLimits, RawLine, RawRouting};

/// The largest page, if the outline does not say.
const LARGEST_PAGE: u64 = 100;

/// Returns whether an outline calls a GraphQL operation.
pub(crate) fn is_graphql(outline: &Outline) -> bool {
    operation_of(outline).is_some()
}

fn operation_of(outline: &Outline) -> Option<(Operation, &str)> {
    let (keyword, field) = outline.call.split_once(' ')?;
    match keyword {
        "query" => Some((Operation::Read, field)),
        "mutation" => Some((Operation::Write, field)),
        _ => None,
    }
}

/// Returns the card of an outline with its documents, or what is wrong with the outline.
pub(crate) fn expand(id: &str, outline: &Outline) -> Result<(RawCard, Documents), String> {
    let (operation, field) =
        operation_of(outline).ok_or("`call` must be `query NAME` or `mutation NAME`")?;
    let mut documents = Documents::new();
    let resolve = lookups(outline, &mut documents)?;
    let variables: Vec<Variable> = outline.send.iter().map(variable).collect();
    let result = CardResult::new(operation, field, outline, &variables)?;
    let name = name_from_id(id);
    let sent = document(&name, operation, &variables, &result.selection);
    documents.insert(name.clone(), sent);
    let mut input = properties(outline.input.iter())?;
    if outline.pages.is_some() {
        add_page_inputs(
            &mut input,
            true,
            outline.largest_page.unwrap_or(LARGEST_PAGE),
        );
    }
    input["additionalProperties"] = json!(false);
    let has_cli = outline.service.is_none();
    let card = RawCard {
        capability_id: id.to_owned(),
        version: "1.0.0".to_owned(),
        service: outline.service.clone(),
        description: outline.description.clone(),
        operation: Some(operation),
        effects: Vec::new(),
        input_schema: input,
        output_schema: result.schema,
        routing: RawRouting {
            preferred: Some(Route::Graphql),
            fallbacks: has_cli.then_some(Route::Cli).into_iter().collect(),
            ..RawRouting::default()
        },
        graphql: Some(RawGraphql {
            document: None,
            operation: Some(name),
            variables: variables
                .into_iter()
                .map(|variable| (variable.name, variable.value))
                .collect(),
            resolve,
            unchanged: None,
            refuse: None,
            verify: None,
            output: Some(result.output),
            pagination: result.pagination,
            limits: outline.pages.map(|_| RawGraphqlLimits {
                max_page_size: outline.largest_page.unwrap_or(LARGEST_PAGE),
            }),
        }),
        no_graphql: None,
        rest: None,
        cli: has_cli.then(|| RawCli {
            api: Some(ApiKind::Graphql),
            command: None,
            args: None,
            json_fields: Vec::new(),
            output: None,
            overfetch: false,
            limits: None,
        }),
        request: None,
        combine: Vec::new(),
        list: result.list,
        line: RawLine {
            positional: positional(outline),
            ..RawLine::default()
        },
        names: Vec::new(),
        next: Vec::new(),
        mend: IndexMap::new(),
        intents: Vec::new(),
        examples: Vec::new(),
        deprecated: outline.deprecated.as_ref().map(deprecation),
    };
    Ok((card, documents))
}

/// Returns the inputs that a line may give without a flag: the required numbers and texts. Lines have a repository of
/// their own.
fn positional(outline: &Outline) -> Vec<String> {
    let is_of_github = outline.service.is_none();
    let inputs = outline.input.iter();
    let inputs = inputs.filter(|(name, notation)| {
        let is_repository = is_of_github && matches!(name.as_str(), "owner" | "repo");
        !name.ends_with('?') && notation.is_string() && !is_repository
    });
    inputs.map(|(name, _)| name.clone()).collect()
}

/// Reads `TYPE` or `TYPE = EXPRESSION`. Without an expression, the variable takes the input of its name.
fn variable((name, stated): (&String, &String)) -> Variable {
    let (ty, value) = split_place(stated);
    Variable {
        name: name.clone(),
        ty: ty.to_owned(),
        value: match value {
            Some(value) => value.to_owned(),
            None => format!("$input.{}", snake_case(name)),
        },
    }
}
