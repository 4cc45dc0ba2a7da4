//! Ids that are looked up: which inputs name the object, and what is sent.

use capstan_catalog::outline::OutlineLookup;
use indexmap::IndexMap;
use serde_json::{Value, json};

use super::operation::{RootField, is_list, is_required};
use super::rules::{FieldLookup, GraphqlRules, LookupRule};
use crate::problem::Problem;
use crate::rules::lookup as exception;
use apollo_compiler::ast::InputValueDefinition;

/// An id that is looked up.
pub(super) struct Resolved {
    pub(super) name: String,
    pub(super) lookup: OutlineLookup,
    /// The inputs that name the object, with marks of optional ones.
    pub(super) inputs: IndexMap<String, Value>,
    /// The expression of what is sent.
    pub(super) value: String,
    /// Whether its inputs have other names than usual.
    pub(super) is_renamed: bool,
}

/// Returns how the id in an argument is found, if it is not given as it is.
pub(super) fn resolved(
    root: RootField<'_>,
    argument: &InputValueDefinition,
    rules: &GraphqlRules,
) -> Result<Option<Resolved>, Problem> {
    let stated = stated(root, argument, rules);
    let Some((lookup, stated)) = stated else {
        return Ok(None);
    };
    let Some(rule) = rules.lookups.get(lookup) else {
        let message = format!("there is no lookup `{lookup}` in the rules");
        return Err(Problem::new(root.name(), message));
    };
    let name = stated.and_then(|stated| stated.name.clone());
    let name = name.unwrap_or_else(|| lookup.to_owned());
    let renamed = |input: &str| {
        let other = stated.and_then(|stated| stated.inputs.get(input));
        other.cloned().unwrap_or_else(|| input.to_owned())
    };
    let mut at = rule.at.clone();
    for input in rule.inputs.keys() {
        // Longer names may begin alike, so each variable gets a mark first.
        at = replace_variable(&at, input, &format!("\u{1}{}", renamed(input)));
    }
    at = at.replace('\u{1}', "$");
    let is_list = is_list(&argument.ty);
    let is_optional = !is_required(argument);
    let own = own_input(root, rule, lookup)?;
    let mut inputs: IndexMap<String, Value> = IndexMap::new();
    for (input, ty) in &rule.inputs {
        let is_own = input == own;
        let mark = if is_own && is_optional { "?" } else { "" };
        let ty = if is_own && is_list {
            json!([ty])
        } else {
            json!(ty)
        };
        inputs.insert(format!("{}{mark}", renamed(input)), ty);
    }
    let mut lookup_of_field = rule.outline(at);
    if name != *lookup && rule.noun.is_none() {
        lookup_of_field.noun = Some(lookup.replace('_', " "));
    }
    let mut lookup = lookup_of_field;
    let value = if is_list || is_optional {
        let own = renamed(own);
        lookup.at = replace_variable(&lookup.at, &own, "$item");
        lookup.each = Some(own);
        if is_list {
            format!("${name}[].id")
        } else {
            format!("${name}[0].id")
        }
    } else {
        format!("${name}.id")
    };
    if lookup.pick.is_some() {
        let own = renamed(own);
        let item = if lookup.each.is_some() {
            "$item".to_owned()
        } else {
            format!("$input.{own}")
        };
        lookup.pick = lookup.pick.map(|pick| pick.replace("$own", &item));
        lookup.pick_input = lookup.each.is_none().then_some(own);
    }
    Ok(Some(Resolved {
        name,
        lookup,
        inputs,
        value,
        is_renamed: stated.is_some_and(|stated| !stated.inputs.is_empty()),
    }))
}

fn stated<'a>(
    root: RootField<'_>,
    argument: &InputValueDefinition,
    rules: &'a GraphqlRules,
) -> Option<(&'a str, Option<&'a FieldLookup>)> {
    let name = argument.name.as_str();
    let of_root = exception(&rules.resolved, root.name());
    match of_root.and_then(|fields| fields.get(name)) {
        Some(stated) => Some((stated.lookup.as_deref()?, Some(stated))),
        None => Some((rules.fields.get(name)?.as_str(), None)),
    }
}

fn own_input<'a>(
    root: RootField<'_>,
    rule: &'a LookupRule,
    lookup: &str,
) -> Result<&'a str, Problem> {
    rule.own_input().ok_or_else(|| {
        let message = format!("the lookup `{lookup}` has no inputs");
        Problem::new(root.name(), message)
    })
}

/// Replaces a variable, and no other whose name begins with its name.
fn replace_variable(text: &str, name: &str, by: &str) -> String {
    let variable = format!("${name}");
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(&variable) {
        let goes_on = after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        out.push_str(before);
        out.push_str(if goes_on { &variable } else { by });
        rest = after;
    }
    out.push_str(rest);
    out
}
