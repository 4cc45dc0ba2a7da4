//! Reads the fields of an object one by one; what is left over is a mistake.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use capstan_core::code::LONGEST_NAME;
use capstan_core::json::{self, DuplicateKey, JsonError};
use capstan_core::similar;

use super::Problem;

/// The fields that were not read yet.
#[derive(Debug)]
pub(crate) struct Fields {
    /// What stands before a name in a problem: `options.`, or nothing.
    within: &'static str,
    left: Map<String, Value>,
}

impl Fields {
    pub(crate) fn new(given: Map<String, Value>) -> Self {
        Self::within("", given)
    }

    pub(crate) fn within(within: &'static str, given: Map<String, Value>) -> Self {
        // Some clients fill in every field they know: null is absent.
        let left = given.into_iter().filter(|(_, value)| !value.is_null());
        Self {
            within,
            left: left.collect(),
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.left.contains_key(name)
    }

    pub(crate) fn is_list(&self, name: &str) -> bool {
        self.left.get(name).is_some_and(Value::is_array)
    }

    /// The field under any of its names, the first of which is the one to advertise.
    pub(crate) fn take(&mut self, names: &[&str]) -> Result<Option<Value>, Problem> {
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

    pub(crate) fn take_text(&mut self, names: &[&str]) -> Result<Option<String>, Problem> {
        match self.take(names)? {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.mismatch(names, "a text", &other)),
        }
    }

    /// A text of at most so many bytes. What is longer is not shown.
    pub(crate) fn take_short(
        &mut self,
        names: &[&str],
        most: usize,
    ) -> Result<Option<String>, Problem> {
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

    /// The name of a capability or of a step.
    pub(crate) fn take_name(&mut self, names: &[&str]) -> Result<Option<String>, Problem> {
        self.take_short(names, LONGEST_NAME)
    }

    pub(crate) fn take_object(
        &mut self,
        names: &[&str],
    ) -> Result<Option<Map<String, Value>>, Problem> {
        match self.take_unwrapped(names)? {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(other) => Err(self.mismatch(names, "an object", &other)),
        }
    }

    pub(crate) fn take_list(&mut self, names: &[&str]) -> Result<Option<Vec<Value>>, Problem> {
        match self.take_unwrapped(names)? {
            None => Ok(None),
            Some(Value::Array(items)) => Ok(Some(items)),
            Some(other) => Err(self.mismatch(names, "a list", &other)),
        }
    }

    pub(crate) fn take_count(&mut self, name: &str) -> Result<Option<usize>, Problem> {
        let Some(value) = self.take(&[name])? else {
            return Ok(None);
        };
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        match count.filter(|count| *count > 0) {
            Some(count) => Ok(Some(count)),
            None => Err(self.mismatch(&[name], "a whole number above 0", &value)),
        }
    }

    /// A field of any type; `expected` says which in words.
    pub(crate) fn take_as<T: DeserializeOwned>(
        &mut self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, Problem> {
        let Some(value) = self.take(&[name])? else {
            return Ok(None);
        };
        let got = match &value {
            // As a text it is wrong, and it would not look so.
            Value::String(text) if text.len() <= 80 && json::from_str(text).is_ok() => {
                format!("the string \"{text}\"")
            }
            Value::String(text) => format!("`{}`", text.chars().take(80).collect::<String>()),
            Value::Number(number) => number.to_string(),
            other => kind(other).to_owned(),
        };
        match serde_json::from_value(value) {
            Ok(read) => Ok(Some(read)),
            Err(_) => Err(self.problem(name, format!("must be {expected}, not {got}"))),
        }
    }

    /// Nothing may be left. `what` is what a field is of, as in `is not an option`; `advice` says
    /// where a stray one may belong.
    pub(crate) fn finish(self, what: &str, known: &[&str], advice: &str) -> Result<(), Problem> {
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

    pub(crate) fn missing(&self, name: &str, expected: &str) -> Problem {
        self.problem(name, format!("is missing: expected {expected}"))
    }

    pub(crate) fn problem(&self, name: &str, problem: impl Into<String>) -> Problem {
        Problem::new(&format!("{}{name}", self.within), problem)
    }

    /// A field that may be wrapped in a text.
    fn take_unwrapped(&mut self, names: &[&str]) -> Result<Option<Value>, Problem> {
        let value = self.take(names)?.map(unwrapped).transpose();
        value.map_err(|twice| {
            let name = names.first().copied().unwrap_or_default();
            self.problem(name, format!("is a text of JSON in which {twice}"))
        })
    }

    fn mismatch(&self, names: &[&str], expected: &str, got: &Value) -> Problem {
        let name = names.first().copied().unwrap_or_default();
        self.problem(name, format!("must be {expected}, not {}", kind(got)))
    }
}

/// Models often send an object or a list as a text of JSON; that is as good.
pub(super) fn unwrapped(value: Value) -> Result<Value, DuplicateKey> {
    match value {
        Value::String(text) => match json::from_str(&text) {
            Ok(value) => Ok(value),
            Err(JsonError::Duplicate(twice)) => Err(twice),
            Err(JsonError::Syntax(_)) => Ok(Value::String(text)),
        },
        other => Ok(other),
    }
}

/// What a value is, in words.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
