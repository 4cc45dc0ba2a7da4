//! Finds values of inputs in the outputs of earlier calls.

use capstan_core::expr::Segment;
use serde_json::Value;

use super::steps::{DraftStep, ObservedInput};

/// The largest number of sources that are tried; the first are the most likely.
const MOST: usize = 3;

/// Values at greater depth are not searched.
const DEEPEST: usize = 6;

/// Texts of at least this length and numbers of at least this size are not equal by accident.
const DISTINCTIVE_TEXT: usize = 8;
const DISTINCTIVE_NUMBER: f64 = 1000.0;

/// The index of a step and the path in its output. The latest step comes first, and within a step the path
/// with a matching name.
pub(super) type ValueSource = (usize, Vec<Segment>);

/// Finds where an input of a call in this batch may have come from.
pub(super) fn possible_sources(
    input: &ObservedInput<'_>,
    batch: u32,
    earlier: &[DraftStep<'_>],
) -> Vec<ValueSource> {
    let mut found = Vec::new();
    let Some(value) = input.value.filter(|value| says_something(value, input)) else {
        return found;
    };
    for (number, step) in earlier.iter().enumerate().rev() {
        if step.call.batch >= batch || repeats(step, input) {
            continue;
        }
        let mut places = Vec::new();
        if let Some(output) = &step.call.output {
            walk(output, &mut Vec::new(), &mut |keys, seen| {
                if seen == value {
                    places.push(keys.to_vec());
                }
            });
        }
        let is_distinctive = is_distinctive(value);
        places.retain(|keys| is_distinctive || agrees(&input.name, keys));
        places.sort_by_key(|keys| (!agrees(&input.name, keys), keys.len()));
        found.extend(places.into_iter().map(|keys| {
            let keys = keys.into_iter().map(|key| Segment::Key(key.to_owned()));
            (number, keys.collect())
        }));
        if found.len() >= MOST {
            found.truncate(MOST);
            break;
        }
    }
    found
}

/// Whether equality of this value is significant: it is not one of a few possible values.
fn says_something(value: &Value, input: &ObservedInput<'_>) -> bool {
    let keyword = |name: &str| input.schema.as_ref().and_then(|it| it.get(name));
    if keyword("enum").is_some() || keyword("const").is_some() {
        return false;
    }
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Number(_) => true,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// Whether the step itself received the same value under the same name. Then the value has a common origin,
/// which can provide it to both.
fn repeats(step: &DraftStep<'_>, input: &ObservedInput<'_>) -> bool {
    let given = step.call.input.as_ref().and_then(|it| it.get(&input.name));
    input.required && given.is_some() && given == input.value
}

fn is_distinctive(value: &Value) -> bool {
    match value {
        Value::String(text) => text.chars().count() >= DISTINCTIVE_TEXT,
        Value::Number(number) => number
            .as_f64()
            .is_some_and(|it| it.abs() >= DISTINCTIVE_NUMBER),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

/// Whether an input is named like the end of a path: `number` for `number`, `issue_number` for `number` and
/// for `issue.number`, but not for `milestone.number`.
fn agrees(input: &str, keys: &[&str]) -> bool {
    let Some((last, above)) = keys.split_last() else {
        return false;
    };
    if input == *last {
        return true;
    }
    let before = |long: &'_ str, short: &str| {
        let before = long.strip_suffix(short)?.strip_suffix('_')?;
        Some(before.to_owned())
    };
    match (before(input, last), above.last()) {
        (Some(owner), Some(above)) => owner.ends_with(above),
        (Some(_), None) => true,
        (None, _) => before(last, input).is_some(),
    }
}

/// Visits every value outside of lists, with its path.
fn walk<'a>(
    value: &'a Value,
    keys: &mut Vec<&'a str>,
    each: &mut impl FnMut(&[&'a str], &'a Value),
) {
    if !keys.is_empty() {
        each(keys, value);
    }
    if let Value::Object(fields) = value
        && keys.len() < DEEPEST
    {
        for (name, field) in fields {
            keys.push(name);
            walk(field, keys, each);
            keys.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::agrees;

    #[test]
    fn names_agree_by_their_endings() {
        for (input, keys) in [
            ("number", &["number"][..]),
            ("issue_number", &["number"]),
            ("number", &["issue_number"]),
            ("issue_number", &["issue", "number"]),
            ("login", &["author", "login"]),
        ] {
            assert!(agrees(input, keys), "{input} {keys:?}");
        }
        for (input, keys) in [
            ("issue_number", &["milestone", "number"][..]),
            ("number", &["renumber"]),
            ("title", &["name"]),
            ("a", &[]),
        ] {
            assert!(!agrees(input, keys), "{input} {keys:?}");
        }
    }
}
