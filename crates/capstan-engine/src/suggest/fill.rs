//! The input of a call, from what was said and from what earlier calls give.

use serde_json::{Map, Value};

use capstan_core::card::Card;

use super::said::Said;

/// A call that gives something that others may take.
pub(crate) struct Giver<'a> {
    /// What it is called in the chain.
    pub(crate) name: &'a str,
    pub(crate) card: &'a Card,
}

/// An input as far as it is known, and which required fields are not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Filled {
    pub(crate) input: Map<String, Value>,
    pub(crate) missing: Vec<String>,
}

/// Every required field from what was said, else from an earlier call that gives it. What is not known is
/// told, never made up.
pub(crate) fn fill(card: &Card, said: &Said, earlier: &[Giver<'_>]) -> Filled {
    let mut filled = Filled::default();
    let mut quoted = said.quoted.iter();
    for field in required(&card.input_schema) {
        let schema = &card.input_schema["properties"][field];
        let value = of_said(field, schema, said)
            .or_else(|| earlier.iter().rev().find_map(|giver| given(field, giver)))
            .or_else(|| match is_free_text(schema) {
                true => quoted.next().map(|text| text.as_str().into()),
                false => None,
            });
        match value {
            Some(value) => {
                filled.input.insert(field.to_owned(), value);
            }
            None => filled.missing.push(field.to_owned()),
        }
    }
    filled
}

pub(crate) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let required = schema.get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str)
}

fn of_said(field: &str, schema: &Value, said: &Said) -> Option<Value> {
    match field {
        "owner" => said
            .repository
            .as_ref()
            .map(|(owner, _)| owner.as_str().into()),
        "repo" => said
            .repository
            .as_ref()
            .map(|(_, repo)| repo.as_str().into()),
        "assignees" | "reviewers" | "logins" if !said.logins.is_empty() => {
            Some(said.logins.clone().into())
        }
        _ if schema["type"] == "integer" => {
            let thing = field.strip_suffix("_number")?;
            said.number_of(&names_of(thing)).map(Value::from)
        }
        _ => None,
    }
}

/// What people call the things whose numbers are asked for.
fn names_of(thing: &str) -> Vec<&str> {
    match thing {
        "issue" => vec!["issue", "ticket", "bug", "#"],
        "pr" => vec!["pr", "pull", "request", "mr", "#"],
        other => vec![other],
    }
}

/// `issue_number` is the `number` of what `issue.create` gives; a field of the same name is the same thing.
fn given(field: &str, giver: &Giver<'_>) -> Option<Value> {
    let outputs = giver.card.output_schema.get("properties")?.as_object()?;
    let domain = giver.card.id.domain();
    let own_name = field
        .strip_prefix(domain)
        .and_then(|rest| rest.strip_prefix('_'));
    let is_sure = |name: &str| {
        let required = required(&giver.card.output_schema);
        outputs.contains_key(name) && required.into_iter().any(|it| it == name)
    };
    let named = [Some(field).filter(|it| !COMMON.contains(it)), own_name];
    let found = named.into_iter().flatten().find(|name| is_sure(name))?;
    Some(format!("${}.data.{found}", giver.name).into())
}

/// What many things have and what is never the same.
const COMMON: [&str; 5] = ["id", "title", "body", "name", "state"];

fn is_free_text(schema: &Value) -> bool {
    schema["type"] == "string" && schema.get("pattern").is_none() && schema.get("enum").is_none()
}
