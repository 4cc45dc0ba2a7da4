//! Reads fields of an action's input. The input fits its schema.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use capstan_core::code::{DisplayName, LONGEST_NAME, Visibility, is_id};
use capstan_core::{ErrorCode, ResultError};

use super::action::Work;
use crate::capability::{Asker, Meaning};

pub(super) fn text<'a>(input: &'a Map<String, Value>, field: &str) -> Option<&'a str> {
    input.get(field).and_then(Value::as_str)
}

pub(super) fn owned(input: &Map<String, Value>, field: &str) -> Option<String> {
    text(input, field).map(str::to_owned)
}

pub(super) fn number(input: &Map<String, Value>, field: &str) -> Option<u64> {
    input.get(field).and_then(Value::as_u64)
}

pub(super) fn flag(input: &Map<String, Value>, field: &str) -> Option<bool> {
    input.get(field).and_then(Value::as_bool)
}

pub(super) fn visibility(input: &Map<String, Value>) -> Option<Visibility> {
    text(input, "visibility").and_then(|text| text.parse().ok())
}

/// Returns the schema of a field that names remembered code.
pub(super) fn code_name_schema() -> Value {
    json!({"type": "string", "maxLength": LONGEST_NAME, "description": "name, alias, FQDN or id"})
}

/// Reads a new name for code. Refuses secrets, because names are visible to everyone, and names that mean something
/// else.
pub(super) fn name(work: &Work<'_>, field: &str) -> Result<DisplayName, ResultError> {
    let text = text(work.input, field).unwrap_or_default();
    let refuse = |message: String| ResultError::new(ErrorCode::Validation, message);
    if let Cow::Owned(_) = work.engine.shared.redactor.text(text) {
        return Err(refuse(format!(
            "`{field}` has the shape of a secret: choose another name"
        )));
    }
    let name = new_name(text).map_err(refuse)?;
    check_name_is_free(work, &name)?;
    Ok(name)
}

/// Refuses a name that means something else, because a call by that name would run the other thing.
pub(super) fn check_name_is_free(work: &Work<'_>, name: &DisplayName) -> Result<(), ResultError> {
    let text = name.as_str();
    let what = match work.engine.directory.meaning(text, Asker::Caller) {
        _ if is_id(text) => "has the form of a code id".to_owned(),
        Meaning::Code => return Ok(()),
        Meaning::Card => "is a card".to_owned(),
        Meaning::Action(_) => "is an action of Capstan itself".to_owned(),
        Meaning::Tool { server, .. } => format!("is a tool of the server `{server}`"),
        Meaning::Skill | Meaning::FolderSkill => "is a skill".to_owned(),
    };
    let message = format!("`{text}` {what}: choose another name");
    Err(ResultError::new(ErrorCode::Conflict, message))
}

/// Parses a name for code. All names from callers are checked here.
pub(super) fn new_name(text: &str) -> Result<DisplayName, String> {
    // With `caps.then`, JavaScript would treat `caps` as a promise.
    if matches!(text, "then" | "toJSON") {
        return Err(format!(
            "`{text}` could not be called from code: choose another name"
        ));
    }
    DisplayName::parse(text).map_err(|invalid| invalid.to_string())
}
