//! Takes the fields of an object one by one. A field that is left over is a mistake.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use capstan_core::code::LONGEST_NAME;
use capstan_core::json::{self, DuplicateKey, JsonError};
use capstan_core::similar;

use crate::Problem;

/// The fields that are not taken yet. A null field counts as absent, because some clients send every field
/// they know.
#[derive(Debug)]
pub struct Fields {
    /// The prefix of names in problems: `options.`, or empty.
    within: &'static str,
    left: Map<String, Value>,
}

impl Fields {
    /// Returns the fields of the outermost object.
    pub fn new(given: Map<String, Value>) -> Self {
        Self::within("", given)
    }

    /// Returns the fields of an inner object. Problems prefix their names with `within`, such as `options.`.
    pub fn within(within: &'static str, given: Map<String, Value>) -> Self {
        let left = given.into_iter().filter(|(_, value)| !value.is_null());
        Self {
            within,
            left: left.collect(),
        }
    }

    /// Returns whether a field is present and not taken.
    pub fn has(&self, name: &str) -> bool {
        self.left.contains_key(name)
    }

    /// Returns whether a field is present, not taken, and a list.
    pub fn is_list(&self, name: &str) -> bool {
        self.left.get(name).is_some_and(Value::is_array)
    }

    /// Takes a field by any of its names. Two of them at once are a problem.
    pub fn take(&mut self, names: &[&str]) -> Result<Option<Value>, Problem> {
        let mut found: Option<(&str, Value)> = None;
        for &name in names {
            let Some(value) = self.left.remove(name) else {
                continue;
            };
            if let Some((first, _)) = found {
                let problem = format!("means the same as `{first}`: send only one of them");
                return Err(self.problem(name, problem));
            }
            found = Some((name, value));
        }
        Ok(found.map(|(_, value)| value))
    }

    /// Takes a text.
    pub fn take_text(&mut self, names: &[&str]) -> Result<Option<String>, Problem> {
        match self.take(names)? {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.mismatch(names, "a text", &other)),
        }
    }

    /// Takes a text of at most `most` bytes. The problem with a longer one does not repeat it.
    pub fn take_short(&mut self, names: &[&str], most: usize) -> Result<Option<String>, Problem> {
        let text = self.take_text(names)?;
        match text.as_ref().map(String::len).filter(|len| *len > most) {
            None => Ok(text),
            Some(len) => {
                let name = names.first().copied().unwrap_or_default();
                let problem = format!("is too long: expected at most {most} bytes, not {len}");
                Err(self.problem(name, problem))
            }
        }
    }

    /// Takes the name of a capability or of a step.
    pub fn take_name(&mut self, names: &[&str]) -> Result<Option<String>, Problem> {
        self.take_short(names, LONGEST_NAME)
    }

    /// Takes an object, or a text that holds one as JSON.
    pub fn take_object(&mut self, names: &[&str]) -> Result<Option<Map<String, Value>>, Problem> {
        match self.take_unwrapped(names)? {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(other) => Err(self.mismatch(names, "an object", &other)),
        }
    }

    /// Takes a list, or a text that holds one as JSON.
    pub fn take_list(&mut self, names: &[&str]) -> Result<Option<Vec<Value>>, Problem> {
        match self.take_unwrapped(names)? {
            None => Ok(None),
            Some(Value::Array(items)) => Ok(Some(items)),
            Some(other) => Err(self.mismatch(names, "a list", &other)),
        }
    }

    /// Takes a whole number above 0.
    pub fn take_count(&mut self, name: &str) -> Result<Option<usize>, Problem> {
        let Some(value) = self.take(&[name])? else {
            return Ok(None);
        };
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        match count.filter(|count| *count > 0) {
            Some(count) => Ok(Some(count)),
            None => Err(self.mismatch(&[name], "a whole number above 0", &value)),
        }
    }

    /// Takes a field of any type; `expected` describes the type to the caller.
    pub fn take_as<T: DeserializeOwned>(
        &mut self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, Problem> {
        let Some(value) = self.take(&[name])? else {
            return Ok(None);
        };
        let got = match &value {
            // Quoted, because the text looks like a value of the right type.
            Value::String(text) if text.len() <= 80 && json::from_str(text).is_ok() => {
                format!("the string \"{text}\"")
            }
            Value::String(text) => format!("`{}`", text.chars().take(80).collect::<String>()),
            Value::Number(number) => number.to_string(),
            other => kind_in_words(other).to_owned(),
        };
        match serde_json::from_value(value) {
            Ok(read) => Ok(Some(read)),
            Err(_) => Err(self.problem(name, format!("must be {expected}, not {got}"))),
        }
    }

    /// Reports the first field that was not taken. `what` says what it should have been (`an option`),
    /// `known` lists the accepted names, and `advice` says where a stray field may belong.
    pub fn finish(self, what: &str, known: &[&str], advice: &str) -> Result<(), Problem> {
        let Some(stray) = self.left.keys().next() else {
            return Ok(());
        };
        let expected = match similar::closest(stray, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "expected nothing".to_owned(),
            None => format!("expected {}{advice}", known.join(", ")),
        };
        Err(self.problem(stray, format!("is not {what}: {expected}")))
    }

    /// Returns the problem of a field that is missing.
    pub fn missing(&self, name: &str, expected: &str) -> Problem {
        self.problem(name, format!("is missing: expected {expected}"))
    }

    /// Returns a problem with one of these fields.
    pub fn problem(&self, name: &str, problem: impl Into<String>) -> Problem {
        Problem::new(&format!("{}{name}", self.within), problem)
    }

    /// Takes a field that may be JSON inside a text.
    fn take_unwrapped(&mut self, names: &[&str]) -> Result<Option<Value>, Problem> {
        let value = self.take(names)?.map(unwrapped).transpose();
        value.map_err(|twice| {
            let name = names.first().copied().unwrap_or_default();
            self.problem(name, format!("is JSON in a text, in which {twice}"))
        })
    }

    fn mismatch(&self, names: &[&str], expected: &str, got: &Value) -> Problem {
        let name = names.first().copied().unwrap_or_default();
        self.problem(
            name,
            format!("must be {expected}, not {}", kind_in_words(got)),
        )
    }
}

/// Parses a text that is JSON, and returns everything else unchanged. Models often send an object or a list
/// as a text.
pub(crate) fn unwrapped(value: Value) -> Result<Value, DuplicateKey> {
    match value {
        Value::String(text) => match json::from_str(&text) {
            Ok(value) => Ok(value),
            Err(JsonError::Duplicate(twice)) => Err(twice),
            Err(JsonError::Syntax(_)) => Ok(Value::String(text)),
        },
        other => Ok(other),
    }
}

/// Returns the type of a value in words, such as `a list`.
pub fn kind_in_words(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
