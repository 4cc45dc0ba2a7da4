//! The input of a call, from what was said and from what earlier calls give.

use serde_json::{Map, Value};

use capstan_core::card::Card;

use super::options::options;
use super::quotes::{Quoted, outside_quotes, plain};
use super::said::Said;
use super::words::domains;
use capstan_exec::reference::as_written;

/// A call that comes earlier.
pub(super) struct Earlier<'a> {
    /// What it is called in the chain.
    pub(super) name: &'a str,
    pub(super) card: &'a Card,
    pub(super) input: &'a Map<String, Value>,
}

/// What was said, for one call.
pub(super) struct Told<'a> {
    /// The part of the intent that asks for it.
    pub(super) part: &'a str,
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
    let here = told.here.repository();
    // What is said of another repository is about something else.
    let earlier: Vec<_> = earlier
        .iter()
        .filter(|it| here.is_none_or(|here| it.repository().is_none_or(|its| its == here)))
        .collect();
    let mut text = told.text_for(card);
    for field in required(&card.input_schema) {
        let schema = &card.input_schema["properties"][field];
        let also = also_called(field, schema).filter(|_| !told.names("issue"));
        let fields = || [Some(field), also].into_iter().flatten();
        let here = fields().find_map(|field| told.for_field(field));
        let is_here = here.is_some();
        let value = here
            .or_else(|| {
                let mut earlier = earlier.iter().rev();
                earlier.find_map(|it| fields().find_map(|field| it.for_field(field)))
            })
            .or_else(|| fields().find_map(|field| told.elsewhere_for_field(field)))
            .or_else(|| match is_free_text(field, schema) {
                true => text.take().map(|text| as_written(&text.into())),
                false => told.texts_for(card, field, schema),
            });
        match value {
            Some(value) => {
                filled.is_borrowed |= !is_here && numbered(field).is_some();
                filled.input.insert(field.to_owned(), value);
            }
            None => filled.missing.push(field.to_owned()),
        }
    }
    filled.missing.extend(one_of(&card.input_schema));
    for option in options(card, told.part) {
        filled.input.entry(option.field).or_insert(option.value);
    }
    filled
}

/// Where one of several fields has to be there, which: nobody says one in passing.
fn one_of(schema: &Value) -> Option<String> {
    let choices = schema.get("anyOf").and_then(Value::as_array)?;
    let choices: Vec<String> = choices
        .iter()
        .map(|choice| required(choice).collect::<Vec<_>>().join(" and "))
        .filter(|choice| !choice.is_empty())
        .collect();
    (!choices.is_empty()).then(|| choices.join(" or "))
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
    /// Whether it is said that it is for such a thing.
    fn names(&self, domain: &str) -> bool {
        let words: Vec<String> = outside_quotes(self.part).into_iter().map(plain).collect();
        !domains(&words, [domain].into_iter()).is_empty()
    }

    /// All that is quoted, for a list of names that is the only thing to be given: `label it "bug"`.
    fn texts_for(&self, card: &Card, field: &str, schema: &Value) -> Option<Value> {
        let is_list = schema["type"] == "array" && schema["items"]["type"] == "string";
        let is_known = ["assignees", "reviewers", "logins"].contains(&field);
        let takes_text = |field: &str| is_free_text(field, &card.input_schema["properties"][field]);
        let texts: Vec<Value> = self
            .here
            .quoted
            .iter()
            .map(|quoted| as_written(&quoted.text.as_str().into()))
            .collect();
        let is_told = |quoted: &Quoted| !TELLS_OF_WHAT.contains(&quoted.before.as_str());
        let is_clear = is_list
            && !is_known
            && !required(&card.input_schema).any(takes_text)
            && self.here.quoted.iter().all(is_told);
        (is_clear && !texts.is_empty()).then(|| texts.into())
    }

    /// The text that is quoted, if it is clear where it belongs: there is one, one field that takes a text, and
    /// no word that says that it is a part of what it is about, as in `the comment from "kim"`.
    fn text_for(&self, card: &Card) -> Option<&str> {
        let mut quoted = self.here.quoted.iter();
        let (only, None) = (quoted.next()?, quoted.next()) else {
            return None;
        };
        let takes = |field: &&str| is_free_text(field, &card.input_schema["properties"][*field]);
        let fields = required(&card.input_schema).filter(takes).count();
        let is_told = !TELLS_OF_WHAT.contains(&only.before.as_str());
        (fields == 1 && is_told).then_some(only.text.as_str())
    }

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
            // Of several repositories, it is not that of this one.
            _ if self.here.repository().is_some() && self.anywhere.repository().is_none() => None,
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
    fn repository(&self) -> Option<(&str, &str)> {
        let text = |field: &str| self.input.get(field).and_then(Value::as_str);
        Some((text("owner")?, text("repo")?))
    }

    /// The same thing as in the earlier call, or the one that it gives.
    fn for_field(&self, field: &str) -> Option<Value> {
        let says_which = field == "owner"
            || field == "repo"
            || field.ends_with("_number")
            || field.ends_with("_id");
        let same = self.input.get(field).filter(|_| says_which);
        same.cloned().or_else(|| self.given(field))
    }

    /// `issue_number` is the `number` of what `issue.create` gives; an id of the same name is the same
    /// thing. What something holds, as its labels, is never another's.
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
        let is_id = field.ends_with("_number") || field.ends_with("_id");
        let named = [Some(field), own_name].map(|it| it.filter(|_| is_id));
        let found = named.into_iter().flatten().find(|name| is_sure(name))?;
        Some(format!("${}.data.{found}", self.name).into())
    }
}

/// What is quoted behind these says which thing it is about, not what it is to be given.
const TELLS_OF_WHAT: [&str; 16] = [
    "a", "about", "an", "at", "by", "for", "from", "in", "into", "like", "of", "on", "than", "the",
    "this", "to",
];

fn is_free_text(field: &str, schema: &Value) -> bool {
    schema["type"] == "string"
        && schema.get("pattern").is_none()
        && schema.get("enum").is_none()
        && !field.ends_with("_id")
        && !["owner", "repo"].contains(&field)
}
