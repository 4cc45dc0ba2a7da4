//! The input of a call, from what was said and from what earlier calls give.

use serde_json::{Map, Value};

use capstan_core::card::Card;

use super::said::Said;
use crate::chain::as_written;

/// A call that comes earlier.
pub(super) struct Earlier<'a> {
    /// What it is called in the chain.
    pub(super) name: &'a str,
    pub(super) card: &'a Card,
    pub(super) input: &'a Map<String, Value>,
}

/// What was said, for one call.
pub(super) struct Told<'a> {
    /// In the part of the intent that asks for it.
    pub(super) here: &'a Said,
    /// In the whole intent.
    pub(super) anywhere: &'a Said,
    /// In those parts that ask for nothing: `for #12: close it`.
    pub(super) aside: &'a Said,
}

/// An input as far as it is known, and which required fields are not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filled {
    pub(super) input: Map<String, Value>,
    pub(super) missing: Vec<String>,
    /// A number was taken from an earlier call: it is meant by "it", or by nothing.
    pub(super) is_borrowed: bool,
}

/// Every required field, by what was said for this call, else by the call before it that is about the same
/// or gives it, else by what was said at all. What is not known is told, never made up.
pub(super) fn fill(card: &Card, told: &Told<'_>, earlier: &[Earlier<'_>]) -> Filled {
    let mut filled = Filled::default();
    let mut quoted = told.here.quoted.iter();
    for field in required(&card.input_schema) {
        let schema = &card.input_schema["properties"][field];
        let also = also_called(field, schema);
        let fields = || [Some(field), also].into_iter().flatten();
        let here = fields().find_map(|field| told.for_field(field));
        let is_here = here.is_some();
        let value = here
            .or_else(|| {
                let mut earlier = earlier.iter().rev();
                earlier.find_map(|it| fields().find_map(|field| it.for_field(field)))
            })
            .or_else(|| fields().find_map(|field| told.elsewhere_for_field(field)))
            .or_else(|| match is_free_text(schema) {
                true => quoted.next().map(|text| as_written(&text.as_str().into())),
                false => None,
            });
        match value {
            Some(value) => {
                filled.is_borrowed |= !is_here && numbered(field).is_some();
                filled.input.insert(field.to_owned(), value);
            }
            None => filled.missing.push(field.to_owned()),
        }
    }
    filled
}

/// GitHub counts issues and pull requests together, and some cards take either.
fn also_called(field: &str, schema: &Value) -> Option<&'static str> {
    let description = schema["description"].as_str().unwrap_or_default();
    (field == "issue_number" && description.contains("pull request")).then_some("pr_number")
}

pub(crate) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let required = schema.get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str)
}

impl Told<'_> {
    fn for_field(&self, field: &str) -> Option<Value> {
        match field {
            "owner" | "repo" => of_repository(self.here, field),
            "assignees" | "reviewers" | "logins" => {
                let logins = Some(&self.here.logins).filter(|it| !it.is_empty());
                logins.map(|logins| logins.clone().into())
            }
            _ => self.here.number_of(numbered(field)?).map(Value::from),
        }
    }

    fn elsewhere_for_field(&self, field: &str) -> Option<Value> {
        match field {
            "owner" | "repo" => of_repository(self.anywhere, field),
            _ => {
                let thing = numbered(field)?;
                let named = self.anywhere.named_number_of(thing);
                named
                    .or_else(|| self.aside.number_of(thing))
                    .map(Value::from)
            }
        }
    }
}

fn of_repository(said: &Said, field: &str) -> Option<Value> {
    let (owner, repo) = said.repository()?;
    Some(match field {
        "owner" => owner.into(),
        _ => repo.into(),
    })
}

/// `issue_number` is the number of an issue.
fn numbered(field: &str) -> Option<&str> {
    field.strip_suffix("_number")
}

impl Earlier<'_> {
    /// The same thing as in the earlier call, or the one that it gives.
    fn for_field(&self, field: &str) -> Option<Value> {
        let says_which = field == "owner"
            || field == "repo"
            || field.ends_with("_number")
            || field.ends_with("_id");
        let same = self.input.get(field).filter(|_| says_which);
        same.cloned().or_else(|| self.given(field))
    }

    /// `issue_number` is the `number` of what `issue.create` gives; a field of the same name is the same
    /// thing.
    fn given(&self, field: &str) -> Option<Value> {
        let outputs = self.card.output_schema.get("properties")?.as_object()?;
        let domain = self.card.id.domain();
        let own_name = field
            .strip_prefix(domain)
            .and_then(|rest| rest.strip_prefix('_'));
        let is_sure = |name: &str| {
            let mut required = required(&self.card.output_schema);
            outputs.contains_key(name) && required.any(|it| it == name)
        };
        let named = [Some(field).filter(|it| !COMMON.contains(it)), own_name];
        let found = named.into_iter().flatten().find(|name| is_sure(name))?;
        Some(format!("${}.data.{found}", self.name).into())
    }
}

/// What many things have and what is never the same.
const COMMON: [&str; 5] = ["id", "title", "body", "name", "state"];

fn is_free_text(schema: &Value) -> bool {
    schema["type"] == "string" && schema.get("pattern").is_none() && schema.get("enum").is_none()
}
