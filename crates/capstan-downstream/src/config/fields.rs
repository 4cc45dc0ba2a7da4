//! Reads the fields of an entry one by one and collects the problems.

use std::time::Duration;

use capstan_core::Secret;
use serde_json::{Map, Value};

use super::Environment;
use super::expand::{Expanded, expand};

/// An entry that is being read.
pub(super) struct Fields<'a> {
    fields: &'a Map<String, Value>,
    environment: &'a Environment,
    /// Secrets that were inserted into values that are not treated as secret.
    pub(super) inserted_secrets: Vec<Secret>,
    pub(super) problems: Vec<String>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(fields: &'a Map<String, Value>, environment: &'a Environment) -> Self {
        Self {
            fields,
            environment,
            inserted_secrets: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Reports unknown keys.
    pub(super) fn reject_unknown_keys(&mut self, known: &[&str]) {
        for key in self.fields.keys() {
            if !known.contains(&key.as_str()) {
                let known = known.join("`, `");
                self.problem(format!("unknown key `{key}`: expected `{known}`"));
            }
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        match self.get(key)? {
            Value::String(text) => self.expand_text(key, text),
            _ => self.wrong_type(key, "a text"),
        }
    }

    pub(super) fn texts(&mut self, key: &str) -> Vec<String> {
        let Some(value) = self.get(key) else {
            return Vec::new();
        };
        let Value::Array(items) = value else {
            self.wrong_type::<()>(key, "a list of texts");
            return Vec::new();
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            match scalar_text(item) {
                Some(text) => texts.extend(self.expand_text(key, &text)),
                None => {
                    self.wrong_type::<()>(key, "a list of texts");
                }
            }
        }
        texts
    }

    /// Reads names with their values, which are secrets.
    pub(super) fn pairs(&mut self, key: &str) -> Vec<(String, Secret)> {
        let Some(value) = self.get(key) else {
            return Vec::new();
        };
        let Value::Object(pairs) = value else {
            self.wrong_type::<()>(key, "a table of texts");
            return Vec::new();
        };
        let mut found = Vec::with_capacity(pairs.len());
        for (name, value) in pairs {
            match scalar_text(value) {
                Some(text) => {
                    let value = self.expand_text(&format!("{key}.{name}"), &text);
                    found.extend(value.map(|value| (name.clone(), Secret::new(value))));
                }
                None if value.is_null() => {}
                None => {
                    self.wrong_type::<()>(&format!("{key}.{name}"), "a text");
                }
            }
        }
        found
    }

    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        match self.get(key)? {
            Value::Bool(flag) => Some(*flag),
            _ => self.wrong_type(key, "`true` or `false`"),
        }
    }

    pub(super) fn seconds(&mut self, key: &str) -> Option<Duration> {
        let seconds = self.get(key)?.as_f64();
        let duration = seconds
            .filter(|seconds| *seconds > 0.0)
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .filter(|duration| *duration <= Self::MAX_TIMEOUT);
        match duration {
            Some(duration) => Some(duration),
            None => self.wrong_type(key, "a number of seconds, at most 3600"),
        }
    }

    pub(super) fn problem(&mut self, message: impl Into<String>) {
        self.problems.push(message.into());
    }

    const MAX_TIMEOUT: Duration = Duration::from_secs(3600);

    fn get(&self, key: &str) -> Option<&'a Value> {
        self.fields.get(key).filter(|value| !value.is_null())
    }

    fn expand_text(&mut self, key: &str, text: &str) -> Option<String> {
        match expand(text, self.environment) {
            Ok(Expanded { text, secrets }) => {
                self.inserted_secrets.extend(secrets);
                Some(text)
            }
            Err(name) => {
                self.problem(format!(
                    "`{key}` names the variable `{name}`, which is not set: set it, or write its \
                     value"
                ));
                None
            }
        }
    }

    fn wrong_type<T>(&mut self, key: &str, expected: &str) -> Option<T> {
        self.problem(format!("`{key}` must be {expected}"));
        None
    }
}

fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}
