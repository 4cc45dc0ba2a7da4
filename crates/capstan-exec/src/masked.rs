//! Masks secrets in values that are kept or shown, and refuses to write a mask in place of the secret.

use serde_json::{Map, Value};

use capstan_core::card::{Card, Kind, Operation};
use capstan_core::{ErrorCode, MASK, Redactor, ResultError};

/// Names of fields whose values are always masked.
const SECRET_FIELDS: [&str; 8] = [
    "password",
    "passwd",
    "secret",
    "token",
    "apikey",
    "authorization",
    "cookie",
    "credential",
];

/// Returns a value with everything masked that has the value, the shape or the name of a secret.
pub fn masked(redactor: &Redactor, value: &Value) -> Value {
    let mut copy = value.clone();
    redactor.value(&mut copy);
    mask_named(&mut copy);
    copy
}

/// Returns a value with everything masked that has the name of a secret.
pub fn masked_by_name(value: &Value) -> Value {
    let mut copy = value.clone();
    mask_named(&mut copy);
    copy
}

fn mask_named(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask_named),
        Value::Object(fields) => {
            for (name, field) in fields {
                if names_secret(name) && !field.is_null() {
                    *field = MASK.into();
                } else {
                    mask_named(field);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a value contains no secret.
pub fn has_no_secrets(redactor: &Redactor, value: &Value) -> bool {
    masked(redactor, value) == *value
}

/// Whether a kept value contains a mask.
pub fn is_masked(value: &Value) -> bool {
    path_of(value, &|text| text.contains(MASK)).is_some()
}

/// Refuses a write whose input contains the mask: it would overwrite the masked text. Own actions only change our store,
/// and code is checked when it writes.
pub fn check_write(card: &Card, input: &Value) -> Result<(), ResultError> {
    let writes = card.operation == Operation::Write;
    if !writes || matches!(card.kind(), Kind::System | Kind::Code) {
        return Ok(());
    }
    match path_of(input, &|text| text.contains(MASK)) {
        None => Ok(()),
        Some(path) => Err(refused(
            &format!("bad input for {}", card.id),
            &path,
            &format!(
                "contains `{MASK}`, which replaces a secret: writing it would overwrite the real \
                 text. Change the value in `code`, or pass it by a reference such as \
                 \"$step.data.body\", where only Capstan's own tokens are masked. To write this \
                 very word, spell it differently, e.g. `[REDACTED]`"
            ),
        )),
    }
}

/// Refuses to pass one of Capstan's own tokens to a write, another server or code.
pub fn check_own_secrets(
    redactor: &Redactor,
    card: &Card,
    input: &Value,
) -> Result<(), ResultError> {
    let stays = match card.kind() {
        // A read sends it to GitHub only.
        Kind::Card => card.operation == Operation::Read,
        Kind::System => true,
        Kind::Tool | Kind::Code | Kind::Skill => false,
    };
    if stays {
        return Ok(());
    }
    let own = path_of(input, &|text| redactor.has_known_token(text));
    let whose = || format!("bad input for {}", card.id);
    own.map_or(Ok(()), |path| Err(own_token(&whose(), &path)))
}

/// Refuses own tokens in the arguments of code that comes with the call.
pub fn check_args(redactor: &Redactor, args: &Map<String, Value>) -> Result<(), ResultError> {
    let own = path_in(args, &|text| redactor.has_known_token(text));
    own.map_or(Ok(()), |path| Err(own_token("bad `args`", &path)))
}

fn own_token(whose: &str, path: &str) -> ResultError {
    let problem = "contains a token of Capstan itself, which is never passed on: leave it out";
    refused(whose, path, problem)
}

fn refused(whose: &str, path: &str, problem: &str) -> ResultError {
    let fields = serde_json::json!([{"field": path, "problem": problem}]);
    let message = format!("{whose}: `{path}` {problem}");
    ResultError::new(ErrorCode::Validation, message).with_detail("fields", fields)
}

/// Returns the path of the first text or field name that matches: `labels.0`.
fn path_of(value: &Value, wanted: &dyn Fn(&str) -> bool) -> Option<String> {
    match value {
        Value::String(text) => wanted(text).then(String::new),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| {
            path_of(item, wanted).map(|inner| below(&index.to_string(), &inner))
        }),
        Value::Object(fields) => path_in(fields, wanted),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn path_in(fields: &Map<String, Value>, wanted: &dyn Fn(&str) -> bool) -> Option<String> {
    fields.iter().find_map(|(name, field)| {
        if wanted(name) {
            return Some(name.clone());
        }
        path_of(field, wanted).map(|inner| below(name, &inner))
    })
}

/// Joins a name and an inner path: `labels.0`.
fn below(name: &str, inner: &str) -> String {
    match inner {
        "" => name.to_owned(),
        inner => format!("{name}.{inner}"),
    }
}

/// Returns whether a field's name contains one of the words, in any case and with any separators: `API-Key`.
fn names_secret(name: &str) -> bool {
    name.bytes().enumerate().any(|(at, byte)| {
        // Only these letters begin a word, so most are not compared with any. A letter of ASCII is never inside a
        // longer character.
        let first = byte.to_ascii_lowercase();
        matches!(first, b'a' | b'c' | b'p' | b's' | b't')
            && SECRET_FIELDS
                .iter()
                .filter(|word| word.as_bytes().first() == Some(&first))
                .any(|word| begins_with(&name[at..], word))
    })
}

/// Returns whether the letters and digits of a name begin with a word, in any case.
fn begins_with(name: &str, word: &str) -> bool {
    let mut letters = name.chars().filter(|c| c.is_alphanumeric());
    word.chars().all(|expected| {
        letters
            .next()
            .is_some_and(|c| c.to_lowercase().eq([expected]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_recognized() {
        for word in SECRET_FIELDS {
            assert!(names_secret(&format!("my_{word}")), "{word}");
            assert!(names_secret(&word.to_uppercase()), "{word}");
        }
    }

    #[test]
    fn a_copy_is_masked_in_names_texts_and_secret_fields() {
        let redactor = Redactor::new([capstan_core::Secret::new("sesame-open")]);
        let value = serde_json::json!({
            "title": "say sesame-open",
            "sesame-open": [1, null, "sesame-open"],
            "apiKey": {"id": 1},
            "token": null,
            "nested": [{"password": "x"}],
        });
        let expected = serde_json::json!({
            "title": "say [redacted]",
            "[redacted]": [1, null, "[redacted]"],
            "apiKey": "[redacted]",
            "token": null,
            "nested": [{"password": "[redacted]"}],
        });
        assert_eq!(masked(&redactor, &value), expected);
    }

    #[test]
    fn names_of_secrets_are_recognized_in_any_spelling() {
        for name in [
            "token",
            "accessToken",
            "API-Key",
            "api_key",
            "x-Authorization",
            "PASS_WD",
            "my.cookies",
        ] {
            assert!(names_secret(name), "{name}");
        }
        for name in [
            "",
            "title",
            "t-o-k-e",
            "keyapi",
            "pass",
            "tok\u{e9}n",
            "author",
            "created_at",
        ] {
            assert!(!names_secret(name), "{name}");
        }
    }
}
