//! Where a value was seen before: in what an earlier call gave.

use capstan_core::expr::Segment;
use serde_json::Value;

use super::steps::{Given, Step};

/// More are not tried: the first are the likeliest.
const MOST: usize = 3;

/// Deeper nothing is looked for.
const DEEPEST: usize = 6;

/// From here on nobody takes two texts, or two numbers, to be the same by accident.
const DISTINCTIVE_TEXT: usize = 8;
const DISTINCTIVE_NUMBER: f64 = 1000.0;

/// A step, and the way to the value in what it gave. The newest step comes first, and of its places the
/// one that has the right name.
pub(super) type Source = (usize, Vec<Segment>);

/// Where an input of a call of some batch may have come from.
pub(super) fn sources(input: &Given<'_>, batch: u32, earlier: &[Step<'_>]) -> Vec<Source> {
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

/// Whether it is a value of which there are many.
fn says_something(value: &Value, input: &Given<'_>) -> bool {
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

/// Whether a step was itself given the same by the same name: then both were told it by somebody else, who
/// can tell both of them again.
fn repeats(step: &Step<'_>, input: &Given<'_>) -> bool {
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

/// Whether an input is called like what a path leads to: `number` for `number`, `issue_number` for `number`
/// and for `issue.number`, but not for `milestone.number`.
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

/// Every value that is not in a list, with the way to it.
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
