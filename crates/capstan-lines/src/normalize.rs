//! Normalizes JSON inputs with names and spellings that callers know from elsewhere.

use std::collections::HashMap;

use serde_json::{Map, Value};

use capstan_core::brief;
use capstan_core::card::Card;

use crate::error::Correction;
use crate::inputs::Inputs;
use crate::names::Meaning;
use crate::number;
use crate::repository::{Defaults, RepositoryMentions};
use crate::shape::Shape;
use crate::values::{self, WrittenValue};

/// The length at which values in messages are cut.
const LONGEST: usize = 60;

/// Normalizes a JSON input: other names of inputs, `repo: "owner/name"`, addresses and `#12`, spellings of
/// choices, the default repository. Valid inputs stay unchanged. Anything else that cannot be normalized is
/// left to validation.
pub fn normalize_input(
    card: &Card,
    input: Map<String, Value>,
    defaults: &Defaults,
) -> Result<Map<String, Value>, Correction> {
    let mut normalizer = Normalizer {
        inputs: Inputs::from_card(card),
        input: Map::with_capacity(input.len()),
        given: HashMap::new(),
        repository: RepositoryMentions::default(),
        problems: Vec::new(),
    };
    for (key, value) in input {
        normalizer.take(key, value);
    }
    let Normalizer {
        inputs,
        mut input,
        repository,
        mut problems,
        ..
    } = normalizer;
    let settled = repository.fill_in(&inputs, defaults, &mut input, false);
    problems.extend(settled.err());
    if problems.is_empty() {
        Ok(input)
    } else {
        Err(Correction::new(card, &problems))
    }
}

struct Normalizer<'a> {
    inputs: Inputs<'a>,
    input: Map<String, Value>,
    /// The key by which each input was given.
    given: HashMap<String, String>,
    repository: RepositoryMentions,
    problems: Vec<String>,
}

impl Normalizer<'_> {
    fn take(&mut self, key: String, value: Value) {
        let is_short = key.chars().nth(1).is_none() && !self.inputs.has(&key);
        let meaning = if is_short {
            None
        } else {
            self.inputs.meaning(&key)
        };
        match meaning {
            // The first page is the default.
            None if key == "page" && value == 1 && self.inputs.has("after") => {}
            None => {
                self.input.insert(key, value);
            }
            Some(Meaning::Input(input)) => self.put(input, &key, value),
            Some(Meaning::Limit) => self.put("first", &key, value),
            Some(Meaning::Redundant) => {}
            Some(Meaning::Repository) => {
                let written = match value.as_str() {
                    Some(text) => text.to_owned(),
                    None => value.to_string(),
                };
                self.put("repo", &key, value.clone());
                self.repository.set_repo_value(value, written);
            }
            Some(Meaning::Sets(values)) => match value {
                Value::Bool(true) => {
                    for (input, value) in values {
                        self.put(input, &key, value.clone());
                    }
                }
                Value::Bool(false) => {}
                _ => self.problems.push(format!("`{key}` takes true or false")),
            },
        }
    }

    fn put(&mut self, input: &str, key: &str, value: Value) {
        if let Some(earlier) = self.given.insert(input.to_owned(), key.to_owned()) {
            let problem = format!("`{earlier}` and `{key}` mean the same: give one");
            self.problems.push(problem);
            return;
        }
        let value = self.value(input, key, value);
        self.input.insert(input.to_owned(), value);
    }

    fn value(&mut self, input: &str, key: &str, value: Value) -> Value {
        let shape = self.inputs.shape(input);
        if shape.is_integer_only()
            && let Some(read) = value.as_str().and_then(|text| number::read(text, input))
        {
            match read {
                Ok(read) => {
                    if let Some(named) = read.repository {
                        self.repository.add_named(named);
                    }
                    return read.number.into();
                }
                Err(problem) => self.problems.push(problem),
            }
            return value;
        }
        match (value, &shape.list) {
            // A list of one element, where a single value is expected.
            (Value::Array(mut items), None) if items.len() == 1 && items[0].is_string() => {
                let only = items.remove(0);
                self.single(&shape, key, only)
            }
            (Value::Array(items), Some(shape)) => {
                let items = items.into_iter();
                items.map(|item| self.single(shape, key, item)).collect()
            }
            (value, _) => self.single(&shape, key, value),
        }
    }

    fn single(&mut self, shape: &Shape, key: &str, value: Value) -> Value {
        let Some(text) = value.as_str() else {
            return value;
        };
        // Only the caller knows what a text with `$` refers to.
        if shape.admits_text(text) || text.trim_start().starts_with('$') {
            return value;
        }
        // A number is written in digits: `1e3` and `0x10` are mistakes.
        let is_plain = text
            .trim_start_matches('-')
            .bytes()
            .all(|it| it.is_ascii_digit());
        if shape.is_integer_only() && !is_plain {
            return value;
        }
        let read = values::read(shape, WrittenValue::literal(text));
        if read.is_none() && shape.is_choice_only() {
            self.problems.push(format!(
                "`{key}` cannot be `{}`: expected {}",
                brief(text, LONGEST),
                shape.expected()
            ));
        }
        read.unwrap_or(value)
    }
}
