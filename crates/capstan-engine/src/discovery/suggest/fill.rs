//! Fills the input of a call from the values in an intent and from the outputs of earlier calls.

use serde_json::{Map, Value};

use capstan_core::card::Card;

use super::options::mentioned_options;
use super::quotes::{QuotedText, normalized, unquoted_words};
use super::values::IntentValues;
use super::vocabulary::mentioned_domains;
use capstan_exec::reference::as_written;

/// A call earlier in the plan.
pub(super) struct EarlierCall<'a> {
    /// Its step name in the chain.
    pub(super) name: &'a str,
    pub(super) card: &'a Card,
    pub(super) input: &'a Map<String, Value>,
}

/// The clause that asks for a call, and the values in and around it.
pub(super) struct ClauseContext<'a> {
    /// The text of the clause.
    pub(super) clause: &'a str,
    /// The values in the clause.
    pub(super) in_clause: &'a IntentValues,
    /// The values in the whole intent.
    pub(super) in_intent: &'a IntentValues,
    /// The values in clauses without a step: `for #12: close it`.
    pub(super) in_asides: &'a IntentValues,
}

/// The known input of a call, and the required fields that are missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FilledInput {
    pub(super) input: Map<String, Value>,
    pub(super) missing: Vec<String>,
    /// Whether a number came from outside the clause, so that it is what "it" refers to.
    pub(super) borrows_number: bool,
}

/// Fills every required field: from the clause, else from an earlier call that has or produces the same
/// value, else from the rest of the intent. Unknown fields are reported as missing, never invented.
pub(super) fn fill(
    card: &Card,
    context: &ClauseContext<'_>,
    earlier: &[EarlierCall<'_>],
) -> FilledInput {
    let mut filled = FilledInput::default();
    let repository = context.in_clause.repository();
    // Calls on another repository concern other objects.
    let earlier: Vec<_> = earlier
        .iter()
        .filter(|it| repository.is_none_or(|own| it.repository().is_none_or(|other| other == own)))
        .collect();
    let mut text = context.text_for(card);
    for field in required_fields(&card.input_schema) {
        let schema = &card.input_schema["properties"][field];
        let alternative = if context.names_domain("issue") {
            None
        } else {
            alternative_field(field, schema)
        };
        let fields = || [Some(field), alternative].into_iter().flatten();
        let in_clause = fields().find_map(|field| context.value_for(field));
        let is_in_clause = in_clause.is_some();
        let value = in_clause
            .or_else(|| {
                let mut earlier = earlier.iter().rev();
                earlier.find_map(|it| fields().find_map(|field| it.value_for(field)))
            })
            .or_else(|| fields().find_map(|field| context.value_elsewhere(field)))
            .or_else(|| {
                if is_free_text(field, schema) {
                    text.take().map(|text| as_written(&text.into()))
                } else {
                    context.text_list_for(card, field, schema)
                }
            });
        match value {
            Some(value) => {
                filled.borrows_number |= !is_in_clause && numbered_noun(field).is_some();
                filled.input.insert(field.to_owned(), value);
            }
            None => filled.missing.push(field.to_owned()),
        }
    }
    filled.missing.extend(missing_choice(&card.input_schema));
    for option in mentioned_options(card, context.clause) {
        filled.input.entry(option.field).or_insert(option.value);
    }
    filled
}

/// Returns the alternatives, joined by "or", if the schema requires one of several fields. Intents do not
/// name them, so they are always missing.
fn missing_choice(schema: &Value) -> Option<String> {
    let alternatives = schema.get("anyOf").and_then(Value::as_array)?;
    let choices: Vec<String> = alternatives
        .iter()
        .map(|choice| required_fields(choice).collect::<Vec<_>>().join(" and "))
        .filter(|choice| !choice.is_empty())
        .collect();
    (!choices.is_empty()).then(|| choices.join(" or "))
}

/// GitHub numbers issues and pull requests together, and some cards accept either.
fn alternative_field(field: &str, schema: &Value) -> Option<&'static str> {
    let description = schema["description"].as_str().unwrap_or_default();
    (field == "issue_number" && description.contains("pull request")).then_some("pr_number")
}

pub(crate) fn required_fields(schema: &Value) -> impl Iterator<Item = &str> {
    let required = schema.get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str)
}

impl ClauseContext<'_> {
    /// Returns whether the clause names a domain.
    fn names_domain(&self, domain: &str) -> bool {
        let words: Vec<String> = unquoted_words(self.clause)
            .into_iter()
            .map(normalized)
            .collect();
        !mentioned_domains(&words, [domain].into_iter()).is_empty()
    }

    /// Returns all quoted texts as a list, if the list is the only field that takes texts: `label it "bug"`.
    fn text_list_for(&self, card: &Card, field: &str, schema: &Value) -> Option<Value> {
        let is_text_list = schema["type"] == "array" && schema["items"]["type"] == "string";
        let is_known = ["assignees", "reviewers", "logins"].contains(&field);
        let takes_text = |field: &str| is_free_text(field, &card.input_schema["properties"][field]);
        let texts: Vec<Value> = self
            .in_clause
            .quoted
            .iter()
            .map(|quoted| as_written(&quoted.text.as_str().into()))
            .collect();
        let is_input_text =
            |quoted: &QuotedText| !DESCRIBING_WORDS.contains(&quoted.before.as_str());
        let is_clear = is_text_list
            && !is_known
            && !required_fields(&card.input_schema).any(takes_text)
            && self.in_clause.quoted.iter().all(is_input_text);
        (is_clear && !texts.is_empty()).then(|| texts.into())
    }

    /// Returns the quoted text, if there is only one, only one field takes a text, and the word before it
    /// does not make it a description, as in `the comment from "kim"`.
    fn text_for(&self, card: &Card) -> Option<&str> {
        let mut quoted = self.in_clause.quoted.iter();
        let (only, None) = (quoted.next()?, quoted.next()) else {
            return None;
        };
        let takes = |field: &&str| is_free_text(field, &card.input_schema["properties"][*field]);
        let fields = required_fields(&card.input_schema).filter(takes).count();
        let is_input_text = !DESCRIBING_WORDS.contains(&only.before.as_str());
        (fields == 1 && is_input_text).then_some(only.text.as_str())
    }

    fn value_for(&self, field: &str) -> Option<Value> {
        match field {
            "owner" | "repo" => repository_field(self.in_clause, field),
            "assignees" | "reviewers" | "logins" => {
                let logins = Some(&self.in_clause.logins).filter(|it| !it.is_empty());
                logins.map(|logins| logins.clone().into())
            }
            _ => self
                .in_clause
                .number_of(numbered_noun(field)?)
                .map(Value::from),
        }
    }

    fn value_elsewhere(&self, field: &str) -> Option<Value> {
        match field {
            "owner" | "repo" => repository_field(self.in_intent, field),
            // A number elsewhere may belong to another repository.
            _ if self.in_clause.repository().is_some() && self.in_intent.repository().is_none() => {
                None
            }
            _ => {
                let thing = numbered_noun(field)?;
                let named = self.in_intent.named_number_of(thing);
                named
                    .or_else(|| self.in_asides.number_of(thing))
                    .map(Value::from)
            }
        }
    }
}

fn repository_field(values: &IntentValues, field: &str) -> Option<Value> {
    let (owner, repo) = values.repository()?;
    Some(match field {
        "owner" => owner.into(),
        _ => repo.into(),
    })
}

/// Returns the type of a number field: `issue` for `issue_number`.
fn numbered_noun(field: &str) -> Option<&str> {
    field.strip_suffix("_number")
}

impl EarlierCall<'_> {
    fn repository(&self) -> Option<(&str, &str)> {
        let text = |field: &str| self.input.get(field).and_then(Value::as_str);
        Some((text("owner")?, text("repo")?))
    }

    /// Returns the value of the same field in the earlier call, or a reference to its output.
    fn value_for(&self, field: &str) -> Option<Value> {
        let identifies = field == "owner"
            || field == "repo"
            || field.ends_with("_number")
            || field.ends_with("_id");
        let same = if identifies {
            self.input.get(field)
        } else {
            None
        };
        same.cloned().or_else(|| self.output_reference(field))
    }

    /// Returns a reference to an output with the same identity: `issue_number` is the `number` of what
    /// `issue.create` returns; an id of the same name is the same object. Other outputs, such as labels, are
    /// not shared.
    fn output_reference(&self, field: &str) -> Option<Value> {
        let outputs = self.card.output_schema.get("properties")?.as_object()?;
        let domain = self.card.id.domain();
        let own_name = field
            .strip_prefix(domain)
            .and_then(|rest| rest.strip_prefix('_'));
        let is_always_output = |name: &str| {
            let mut required = required_fields(&self.card.output_schema);
            outputs.contains_key(name) && required.any(|it| it == name)
        };
        if !field.ends_with("_number") && !field.ends_with("_id") {
            return None;
        }
        let found = [Some(field), own_name]
            .into_iter()
            .flatten()
            .find(|name| is_always_output(name))?;
        Some(format!("${}.data.{found}", self.name).into())
    }
}

/// A quoted text after one of these words says which object is meant, not what the input is.
const DESCRIBING_WORDS: [&str; 16] = [
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
