//! References in lines to earlier steps, such as `$bugs.number`.

use std::borrow::Cow;

use serde_json::Value;

use capstan_core::expr::{Expr, Path, Root, Segment};

/// Whether a text is a valid name of a line or step.
pub fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// Whether a text refers to an earlier step: `$name.path`, `$0.path`, `$name[0].path`, or `$name` alone,
/// which the caller completes.
pub(crate) fn is_reference(text: &str) -> bool {
    parts(text).is_some_and(|(step, rest)| match rest.strip_prefix('.') {
        Some(rest) => path(rest).is_some(),
        None if rest.is_empty() => is_name(step),
        None => path(&format!("it{rest}")).is_some(),
    })
}

/// Inserts `data` between step and path if it is missing. Other texts stay unchanged.
pub(crate) fn complete(text: &str) -> Cow<'_, str> {
    let completed = parts(text).and_then(|(step, rest)| {
        let rest = rest.strip_prefix('.')?;
        let path = path(rest)?;
        let is_complete = path.segments.first() == Some(&Segment::Key("data".to_owned()));
        (!is_complete).then(|| format!("${step}.data.{rest}"))
    });
    completed.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Completes every text in a value.
pub(crate) fn complete_all(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(completed) = complete(text) {
                *text = completed;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(complete_all),
        Value::Object(fields) => fields.values_mut().for_each(complete_all),
        _ => {}
    }
}

/// Splits a reference into the step and the rest.
fn parts(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix('$')?;
    let (step, path) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
    let is_number = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    (is_number || is_name(step)).then_some((step, path))
}

fn path(text: &str) -> Option<Path> {
    if text.contains(char::is_whitespace) {
        return None;
    }
    match Expr::parse(text) {
        Ok(Expr::Path(path)) if path.root == Root::This && !path.segments.is_empty() => Some(path),
        _ => None,
    }
}
