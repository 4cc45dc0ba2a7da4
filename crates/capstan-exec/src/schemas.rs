//! Compiled JSON Schemas of cards, and validation errors that say what to do.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value, json};

use capstan_core::card::{Card, Kind};
use capstan_core::code::shown_name;
use capstan_core::{ErrorCode, ResultError, brief, similar};

use crate::integers;

/// Compiles schemas when a capability is first used, and keeps them.
#[derive(Debug, Default)]
pub struct Schemas {
    compiled: Mutex<HashMap<String, Arc<CardSchemas>>>,
    /// Schemas of parts of skills, by address. Keeping them alive keeps the addresses unique.
    shared: Mutex<HashMap<usize, Shared>>,
}

/// A schema, and its validator if it could be compiled.
type Shared = (Arc<Value>, Option<Arc<Validator>>);

/// The most problems of one input that are reported, and the longest text of each.
const MOST_PROBLEMS: usize = 20;
const LONGEST_FIELD: usize = 200;
const LONGEST_PROBLEM: usize = 400;

/// The most schemas that are kept. Others are compiled again.
const MOST_KEPT: usize = 2000;

#[derive(Debug)]
pub struct CardSchemas {
    /// `None` if every value is valid.
    input: Option<Validator>,
    output: Option<Validator>,
    /// The sources, if they may change.
    source: Option<(Value, Value)>,
}

fn first(schema: &Validator, value: &Value) -> Option<String> {
    let error = schema.iter_errors(value).next()?;
    let field = field_of(&error).map(|field| format!("`{field}`: "));
    Some(format!("{}{}", field.unwrap_or_default(), error.masked()))
}

impl Schemas {
    /// Returns the first problem of a value.
    pub fn misfit(&self, schema: &Arc<Value>, value: &Value) -> Option<String> {
        let compiled = {
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            if shared.len() >= MOST_KEPT {
                shared.clear();
            }
            let (_, compiled) = shared.entry(Arc::as_ptr(schema).addr()).or_insert_with(|| {
                let compiled = jsonschema::draft202012::new(schema).ok();
                (Arc::clone(schema), compiled.map(Arc::new))
            });
            compiled.clone()
        };
        first(&*compiled?, value)
    }

    pub fn of(&self, card: &Card) -> Result<Arc<CardSchemas>, ResultError> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        // Schemas of tools and code may change while the process runs.
        let same = |known: &&Arc<CardSchemas>| match (&known.source, &card.call) {
            (Some((input, output)), Some(_)) => {
                *input == card.input_schema && *output == card.output_schema
            }
            (None, None) => true,
            _ => false,
        };
        if let Some(schemas) = compiled.get(card.id.as_str()).filter(same) {
            return Ok(Arc::clone(schemas));
        }
        if compiled.len() >= MOST_KEPT {
            compiled.clear();
        }
        let compile = |name: &str, schema: &Value| {
            jsonschema::draft202012::new(schema).map_err(|error| {
                let message = format!("`{}` has a bad `{name}`: {error}", card.id);
                ResultError::new(ErrorCode::Validation, message)
            })
        };
        let (input, output) = match card.kind() {
            Kind::Tool => (
                of_server(card, &card.input_schema),
                of_server(card, &card.output_schema),
            ),
            _ => (
                Some(compile("input_schema", &card.input_schema)?),
                Some(compile("output_schema", &card.output_schema)?),
            ),
        };
        let schemas = Arc::new(CardSchemas {
            input,
            output,
            source: card.call.as_ref().map(|_| {
                let (input, output) = (&card.input_schema, &card.output_schema);
                (input.clone(), output.clone())
            }),
        });
        compiled.insert(card.id.to_string(), Arc::clone(&schemas));
        Ok(schemas)
    }
}

impl CardSchemas {
    /// Checks an input and reports all problems in one error. Values at the `open` places (JSON pointers) are not known
    /// yet and are not checked.
    pub fn check_input(
        &self,
        card: &Card,
        input: &Value,
        open: &[&str],
    ) -> Result<(), ResultError> {
        let errors = self
            .input
            .iter()
            .flat_map(|schema| schema.iter_errors(input));
        let inexact = integers::inexact(&card.input_schema, input);
        let mut problems: Vec<_> = errors
            .filter(|error| !open.iter().any(|place| hinges_on(error, place)))
            .map(|error| problem(&error, card))
            .chain(inexact)
            .take(MOST_PROBLEMS + 1)
            .map(|(field, what)| {
                let (field, what) = (brief(&field, LONGEST_FIELD), brief(&what, LONGEST_PROBLEM));
                (field.into_owned(), what.into_owned())
            })
            .collect();
        if problems.is_empty() {
            return Ok(());
        }
        let has_more = problems.len() > MOST_PROBLEMS;
        problems.truncate(MOST_PROBLEMS);
        let mut lines: Vec<_> = problems
            .iter()
            .map(|(field, what)| format!("`{field}` {what}"))
            .collect();
        if has_more {
            lines.push("and more".to_owned());
        }
        let fields: Vec<_> = problems
            .iter()
            .map(|(field, what)| json!({"field": field, "problem": what}))
            .collect();
        let message = format!("bad input for {}: {}", card.id, lines.join("; "));
        Err(ResultError::new(ErrorCode::Validation, message).with_detail("fields", fields))
    }

    /// Checks an output and returns the first problem.
    pub fn check_output(&self, output: &Value) -> Result<(), String> {
        let wrong = self
            .output
            .as_ref()
            .and_then(|schema| first(schema, output));
        wrong.map_or(Ok(()), Err)
    }
}

/// Whether a schema is valid and allows a value.
pub fn fits(schema: &Value, value: &Value) -> bool {
    jsonschema::draft202012::new(schema).is_ok_and(|schema| schema.is_valid(value))
}

/// Compiles the schema of a tool in its own draft. An invalid schema accepts everything: the server checks its inputs.
fn of_server(card: &Card, schema: &Value) -> Option<Validator> {
    jsonschema::validator_for(schema)
        .inspect_err(|error| tracing::warn!("a schema of `{}` is not used: {error}", card.id))
        .ok()
}

/// Whether an error depends on the value at a place.
fn hinges_on(error: &ValidationError<'_>, place: &str) -> bool {
    let at = error.instance_path().to_string();
    let below = |inner: &str, outer: &str| {
        inner
            .strip_prefix(outer)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let of_cases = matches!(
        error.kind(),
        ValidationErrorKind::AnyOf { .. }
            | ValidationErrorKind::OneOfNotValid { .. }
            | ValidationErrorKind::OneOfMultipleValid { .. }
            | ValidationErrorKind::Not { .. }
            | ValidationErrorKind::UniqueItems
    );
    below(&at, place) || (of_cases && below(place, &at))
}

/// Returns the dotted path of an error; `None` for the value as a whole.
fn field_of(error: &ValidationError<'_>) -> Option<String> {
    let path = error.instance_path().to_string();
    let path = path.trim_start_matches('/').replace('/', ".");
    (!path.is_empty()).then_some(path)
}

/// Returns the field of an error, and its description.
fn problem(error: &ValidationError<'_>, card: &Card) -> (String, String) {
    let within = field_of(error);
    let below = |name: &str| match &within {
        Some(within) => format!("{within}.{name}"),
        None => name.to_owned(),
    };
    let field = within.clone().unwrap_or_else(|| "input".to_owned());
    let schema = about(error, &card.input_schema);
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let mut what = format!("is missing: expected {}", expected(schema, name));
            let given = error.instance().as_object();
            let strays = given.into_iter().flat_map(|given| given.keys());
            let known = properties(schema);
            let mut strays = strays.filter(|given| !known.contains(&given.as_str()));
            // If unknown names are refused, that error suggests the right one.
            let refuses_strays = schema.get("additionalProperties") == Some(&Value::Bool(false));
            let near = if refuses_strays {
                None
            } else {
                strays.find(|stray| similar::is_similar(stray, name))
            };
            if let Some(near) = near {
                what.push_str(&format!(" (`{near}` is given: did you mean `{name}`?)"));
            } else if card.kind() == Kind::Code && allows_null(schema, name) {
                what.push_str("; if the code does not need it, give null");
            }
            (below(name), what)
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let name = unexpected.first().map(String::as_str).unwrap_or_default();
            let known = properties(schema);
            let advice = match similar::closest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("expected one of {}", known.join(", ")),
            };
            let of = match &within {
                Some(within) => format!("a field of `{within}`"),
                None => format!("an input of {}", card.id),
            };
            (below(&shown_name(name)), format!("is not {of}: {advice}"))
        }
        ValidationErrorKind::Type { kind } => {
            let expected = match kind {
                TypeKind::Single(kind) => kind.to_string(),
                TypeKind::Multiple(kinds) => kinds
                    .iter()
                    .map(|kind| kind.to_string())
                    .collect::<Vec<_>>()
                    .join(" or "),
            };
            (
                field,
                format!("is {}: expected {expected}", described(error.instance())),
            )
        }
        ValidationErrorKind::Enum { options } => {
            let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
            let options: Vec<_> = options.iter().map(shown).collect();
            (
                field,
                format!(
                    "is {}: expected {}",
                    described(error.instance()),
                    options.join(" or ")
                ),
            )
        }
        ValidationErrorKind::Minimum { limit } => (
            field,
            format!(
                "is {}: expected at least {limit}",
                described(error.instance())
            ),
        ),
        ValidationErrorKind::Maximum { limit } => (
            field,
            format!(
                "is {}: expected at most {limit}",
                described(error.instance())
            ),
        ),
        ValidationErrorKind::Pattern { pattern } => {
            let like = format!("a text like {pattern}");
            let meaning = schema.get("description").and_then(Value::as_str);
            let expected = match meaning {
                Some(meaning) => format!("{} ({like})", lower_first(meaning)),
                None => like,
            };
            (
                field,
                format!("is {}: expected {expected}", described(error.instance())),
            )
        }
        ValidationErrorKind::MinLength { .. } => (field, "is empty: expected a text".to_owned()),
        ValidationErrorKind::MaxLength { limit } => (
            field,
            format!("is too long: expected at most {limit} characters"),
        ),
        ValidationErrorKind::MinItems { .. } => {
            (field, "is empty: expected at least one".to_owned())
        }
        ValidationErrorKind::MaxItems { limit } => {
            let count = error.instance().as_array().map_or(0, Vec::len);
            (
                field,
                format!("has {count} items: expected at most {limit}"),
            )
        }
        ValidationErrorKind::MaxProperties { limit } => {
            let count = error.instance().as_object().map_or(0, serde_json::Map::len);
            (
                field,
                format!("has {count} fields: expected at most {limit}"),
            )
        }
        ValidationErrorKind::AnyOf { .. } => (field, any_of(card)),
        ValidationErrorKind::Not { schema } => match exclusive(schema) {
            Some((one, other)) => (
                below(one),
                format!("cannot be given together with `{}`: give one", below(other)),
            ),
            None => (field, error.masked().to_string()),
        },
        // The message would contain the value, which may be of any size.
        _ => (field, error.masked().to_string()),
    }
}

/// Returns warnings about parameters that code does not read although it reads one with a similar name. Code may read
/// them in a way that is not visible, so this is not an error.
pub(crate) fn misspelt(card: &Card, given: &Map<String, Value>) -> Vec<String> {
    let known = properties(&card.input_schema);
    let absent = || {
        known
            .iter()
            .copied()
            .filter(|name| !given.contains_key(*name))
    };
    let strays = given.keys().filter(|name| !known.contains(&name.as_str()));
    let warnings = strays.filter_map(|stray| {
        let near = similar::closest(stray, absent())?;
        Some(format!(
            "`{stray}` is not read by {}: did you mean `{near}`?",
            card.id
        ))
    });
    warnings.take(MOST_MISSPELT).collect()
}

/// The most parameters that are compared.
const MOST_MISSPELT: usize = 5;

fn allows_null(schema: &Value, property: &str) -> bool {
    let schema = schema.get("properties").and_then(|all| all.get(property));
    schema.is_none_or(|schema| fits(schema, &Value::Null))
}

/// Returns the two fields that `not: { required: [one, other] }` excludes together.
fn exclusive(schema: &Value) -> Option<(&str, &str)> {
    match schema.get("required")?.as_array()?.as_slice() {
        [Value::String(one), Value::String(other)] => Some((one, other)),
        _ => None,
    }
}

/// Describes `anyOf`, which lists the inputs of which one is required.
fn any_of(card: &Card) -> String {
    let cases = card.input_schema.get("anyOf").and_then(Value::as_array);
    let names: Vec<_> = cases
        .into_iter()
        .flatten()
        .filter_map(|case| case.get("required")?.as_array())
        .flatten()
        .filter_map(Value::as_str)
        .map(|name| format!("`{name}`"))
        .collect();
    if names.is_empty() {
        "fits none of the allowed forms".to_owned()
    } else {
        format!("needs at least one of {}", names.join(", "))
    }
}

/// Returns the part of a schema that an error is about; the whole schema if that is unknown.
fn about<'a>(error: &ValidationError<'_>, schema: &'a Value) -> &'a Value {
    let keyword = error.schema_path().to_string();
    let part = keyword.rsplit_once('/').map_or("", |(part, _)| part);
    schema.pointer(part).unwrap_or(schema)
}

fn properties(schema: &Value) -> Vec<&str> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .map(|map| map.keys().map(String::as_str).collect())
        .unwrap_or_default()
}

fn expected(schema: &Value, property: &str) -> String {
    let properties = schema.get("properties");
    let schema = properties.and_then(|properties| properties.get(property));
    let kind = schema.and_then(|schema| schema.get("type")).map(shown);
    let meaning = schema
        .and_then(|schema| schema.get("description"))
        .and_then(Value::as_str);
    match (kind, meaning) {
        (Some(kind), Some(meaning)) => format!("{kind} ({})", lower_first(meaning)),
        (Some(kind), None) => kind,
        (None, Some(meaning)) => lower_first(meaning),
        (None, None) => "a value".to_owned(),
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_lowercase().chain(chars).collect())
        .unwrap_or_default()
}

/// Describes a value for an error message: its type, and the value if it is short.
fn described(value: &Value) -> String {
    let kind = match value {
        Value::Null => return "null".to_owned(),
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => return "an array".to_owned(),
        Value::Object(_) => return "an object".to_owned(),
    };
    let text = value.to_string();
    if text.chars().count() <= 40 {
        format!("the {kind} {text}")
    } else {
        format!("a {kind}")
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(" or "),
        other => other.to_string(),
    }
}
