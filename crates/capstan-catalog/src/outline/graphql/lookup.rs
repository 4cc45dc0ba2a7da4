//! Lookups of an outline: they turn names into ids before the operation.

use capstan_core::card::Operation;
use indexmap::IndexMap;
use serde_json::Value;

use super::document::{Variable, document};
use super::place::Place;
use super::selection::Selection;
use crate::document::Documents;
use crate::outline::raw::{Outline, RawOutlineLookup};
use crate::raw::RawGraphqlLookup;

/// The variable with the element that is looked up, if there are several.
const ITEM: &str = "item";

/// Returns the lookups of an outline, and adds their documents.
pub(super) fn lookups(
    outline: &Outline,
    documents: &mut Documents,
) -> Result<IndexMap<String, RawGraphqlLookup>, String> {
    let mut lookups = IndexMap::new();
    for (name, stated) in &outline.resolve {
        let lookup = lookup(name, stated, outline, documents)
            .map_err(|problem| format!("{name}: {problem}"))?;
        lookups.insert(name.clone(), lookup);
    }
    Ok(lookups)
}

fn lookup(
    name: &str,
    stated: &RawOutlineLookup,
    outline: &Outline,
    documents: &mut Documents,
) -> Result<RawGraphqlLookup, String> {
    let place = Place::parse(&stated.at)?;
    let mut selection = Selection::default();
    for field in ["id"]
        .into_iter()
        .chain(stated.reads.iter().map(String::as_str))
    {
        selection.add(&place.then(&Place::parse(field)?));
    }
    let mut variables = Vec::new();
    for variable in place.variables() {
        let input = match (variable, &stated.each) {
            (ITEM, Some(each)) => each,
            (ITEM, None) => return Err("`$item` needs `each`".to_owned()),
            (variable, _) => variable,
        };
        let ty = match scalar_of(outline, input)? {
            "integer" => "Int!",
            _ => "String!",
        };
        variables.push(Variable {
            name: variable.to_owned(),
            ty: ty.to_owned(),
            value: match variable {
                ITEM => "$item".to_owned(),
                input => format!("$input.{input}"),
            },
        });
    }
    let operation = operation_name(name);
    let document = document(&operation, Operation::Read, &variables, &selection);
    documents.insert(operation.clone(), document);
    let each = match &stated.each {
        None => None,
        Some(each) if is_list(outline, each) => Some(format!("$input.{each}")),
        Some(each) => Some(format!("$input.{each} | list")),
    };
    Ok(RawGraphqlLookup {
        operation,
        variables: variables
            .into_iter()
            .map(|variable| (variable.name, variable.value))
            .collect(),
        root: place.path(),
        each,
        cache: false,
        optional: false,
        again: None,
        pick: stated
            .pick
            .as_ref()
            .map(|pick| format!(". | where({pick}) | first")),
        missing: Some(missing(name, &place, stated)),
        mend: None,
    })
}

/// Says what does not exist, with the inputs that name it.
fn missing(name: &str, place: &Place, stated: &RawOutlineLookup) -> String {
    let noun = stated
        .noun
        .clone()
        .unwrap_or_else(|| name.replace('_', " "));
    let (of_repository, others): (Vec<&str>, Vec<&str>) = place
        .variables()
        .into_iter()
        .partition(|variable| is_repository_part(variable));
    let blank = |variable: &&str| match *variable {
        ITEM => "`{$item}`".to_owned(),
        input => format!("`{{$input.{input}}}`"),
    };
    let mut named: Vec<String> = others.iter().map(blank).collect();
    named.extend(stated.pick_input.iter().map(|input| blank(&input.as_str())));
    let mut text = format!("there is no {noun}");
    if !named.is_empty() {
        text.push_str(&format!(" {}", named.join(" ")));
    }
    if let [owner, repo] = of_repository.as_slice() {
        let of = if named.is_empty() { "" } else { " in" };
        text.push_str(&format!("{of} {{$input.{owner}}}/{{$input.{repo}}}"));
    } else {
        let rest: Vec<String> = of_repository.iter().map(blank).collect();
        if !rest.is_empty() {
            text.push_str(&format!(" of {}", rest.join(" ")));
        }
    }
    text
}

/// Returns whether an input is the owner or the name of a repository.
fn is_repository_part(variable: &str) -> bool {
    let last = variable.rsplit('_').next();
    matches!(last, Some("owner" | "repo"))
}

/// `to_repository` is looked up by the operation `LookupToRepository`. Equal lookups of several cards are equal texts,
/// so a chain sends them once.
fn operation_name(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    format!("Lookup{}", words.collect::<String>())
}

fn notation<'a>(outline: &'a Outline, input: &str) -> Option<&'a Value> {
    let mut inputs = outline.input.iter();
    let found = inputs.find(|(name, _)| name.strip_suffix('?').unwrap_or(name) == input);
    found.map(|(_, notation)| notation)
}

fn is_list(outline: &Outline, input: &str) -> bool {
    notation(outline, input).is_some_and(Value::is_array)
}

/// Returns the type of an input, or of the elements if it is a list.
fn scalar_of<'a>(outline: &'a Outline, input: &str) -> Result<&'a str, String> {
    let notation = notation(outline, input);
    let notation = notation.ok_or_else(|| format!("there is no input `{input}`"))?;
    let scalar = match notation {
        Value::Array(items) => items.first().and_then(Value::as_str),
        other => other.as_str(),
    };
    scalar.ok_or_else(|| format!("the input `{input}` is no text and no number"))
}
