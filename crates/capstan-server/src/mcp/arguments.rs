//! Reads the arguments of a tool call one by one; what is left over is a mistake.

use serde_json::{Map, Value, json};

use capstan_core::{ErrorCode, ResultError};

/// The arguments that were not read yet.
#[derive(Debug)]
pub(super) struct Arguments {
    tool: &'static str,
    left: Map<String, Value>,
}

impl Arguments {
    pub(super) fn new(tool: &'static str, given: Map<String, Value>) -> Self {
        // Some clients fill in every argument they know: null is absent.
        let left = given.into_iter().filter(|(_, value)| !value.is_null());
        Self {
            tool,
            left: left.collect(),
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.left.contains_key(name)
    }

    pub(super) fn peek(&self, name: &str) -> Option<&Value> {
        self.left.get(name)
    }

    /// The argument under any of its names, the first of which is the one to advertise.
    pub(super) fn take(&mut self, names: &[&str]) -> Result<Option<Value>, ResultError> {
        let mut found: Option<(&str, Value)> = None;
        for &name in names {
            let Some(value) = self.left.remove(name) else {
                continue;
            };
            if let Some((first, _)) = found {
                let problem = format!("means the same as `{first}`: send only one of them");
                return Err(self.refuse(name, &problem));
            }
            found = Some((name, value));
        }
        Ok(found.map(|(_, value)| value))
    }

    pub(super) fn take_text(&mut self, names: &[&str]) -> Result<Option<String>, ResultError> {
        match self.take(names)? {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.mismatch(names, "a text", &other)),
        }
    }

    /// An object. Models often send one as a text of JSON; that is as good.
    pub(super) fn take_object(
        &mut self,
        names: &[&str],
    ) -> Result<Option<Map<String, Value>>, ResultError> {
        let given = match self.take(names)? {
            None => return Ok(None),
            Some(Value::String(text)) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
            Some(other) => other,
        };
        match given {
            Value::Object(object) => Ok(Some(object)),
            other => Err(self.mismatch(names, "an object", &other)),
        }
    }

    pub(super) fn take_count(&mut self, name: &str) -> Result<Option<usize>, ResultError> {
        let Some(value) = self.take(&[name])? else {
            return Ok(None);
        };
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        match count.filter(|count| *count > 0) {
            Some(count) => Ok(Some(count)),
            None => Err(self.mismatch(&[name], "a whole number above 0", &value)),
        }
    }

    /// Nothing may be left. `advice` says where a stray argument may belong.
    pub(super) fn finish(self, expected: &str, advice: &str) -> Result<(), ResultError> {
        match self.left.keys().next() {
            None => Ok(()),
            Some(stray) => {
                let problem = format!(
                    "is not an argument of {}: expected {expected}{advice}",
                    self.tool
                );
                Err(self.refuse(stray, &problem))
            }
        }
    }

    pub(super) fn missing(&self, name: &str, expected: &str) -> ResultError {
        self.refuse(name, &format!("is missing: expected {expected}"))
    }

    pub(super) fn refuse(&self, name: &str, problem: &str) -> ResultError {
        let name: String = name.chars().take(LONGEST_NAME).collect();
        let message = format!("bad arguments for {}: `{name}` {problem}", self.tool);
        ResultError::new(ErrorCode::Validation, message)
            .with_detail("fields", vec![json!({"field": name, "problem": problem})])
    }

    fn mismatch(&self, names: &[&str], expected: &str, got: &Value) -> ResultError {
        let name = names.first().copied().unwrap_or_default();
        self.refuse(name, &format!("must be {expected}, not {}", kind(got)))
    }
}

/// Enough of a name to recognise it.
const LONGEST_NAME: usize = 80;

/// What a value is, in words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
