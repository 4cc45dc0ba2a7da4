//! Shows a write: one line that states the result.

use capstan_core::card::Card;
use serde_json::{Map, Value};

use crate::cell::cell;
use crate::clean::single_line;
use crate::context::ViewContext;
use crate::object::ordered_fields;
use crate::thread;
use crate::value::{self, NONE};
use crate::verb::verb;

const NUMBER: &str = "number";
const STATE: &str = "state";
const REASON: &str = "state_reason";
const CHANGED: &str = "changed";
const URL: &str = "url";
const TITLE: &str = "title";
const BODY: &str = "body";

/// The participles for a review and for its comment.
const SUBMITTED: &str = "submitted";
const COMMENTED: &str = "commented";
const IDS: [&str; 2] = ["id", "node_id"];

/// Inputs with more characters are not repeated.
const MAX_ECHO_LENGTH: usize = 60;

const UNCHANGED: &str = "already so, nothing changed";

pub(crate) fn line(card: &Card, data: &Map<String, Value>, context: &ViewContext<'_>) -> String {
    let is_unchanged = data.get(CHANGED) == Some(&Value::Bool(false));
    let action = verb(card);
    // Requested fields are shown by their names.
    let thread = match action {
        Some(verb) if context.fields.is_none() => {
            thread::line(verb.done, data, context.truncates())
        }
        _ => None,
    };
    let has_thread_line = thread.is_some();
    let verb = if is_unchanged { None } else { action };
    let mut pairs = pairs(data, context, has_thread_line);
    let text_of = |field: &str| {
        let value = data.get(field).filter(|value| !value::is_empty(value));
        value.map(|value| cell(value, context.truncates()).text)
    };

    // A write to a numbered object names the number, even if the result does not contain it.
    let given = context
        .input
        .iter()
        .find(|(name, _)| name.ends_with("_number"));
    let given_number = given.and_then(|(_, number)| number.as_u64());
    let number = text_of(NUMBER).or_else(|| given_number.map(|number| number.to_string()));
    let reference = number.map(|number| format!("#{number}"));
    let state = text_of(STATE).map(|state| match text_of(REASON) {
        Some(reason) => format!("{state} ({reason})"),
        None => state,
    });
    let done = thread.or(state).or_else(|| {
        let done = verb.map(|verb| verb.done);
        // `resolved, resolved` would be redundant.
        done.filter(|done| !pairs.iter().any(|pair| pair == done))
            .map(str::to_owned)
    });
    // A review shows its state, and whether it has a comment.
    let has_text = (context.input.get(BODY)).is_some_and(|it| !value::is_empty(it));
    let is_review = verb.is_some_and(|verb| verb.done == SUBMITTED);
    let says_more = is_review && has_text && done.as_deref() != Some(COMMENTED);
    let done = if says_more {
        done.map(|done| format!("{done} with comment"))
    } else {
        done
    };
    let gap = if done.is_some() { ", " } else { " " };
    let head: Vec<_> = reference.into_iter().chain(done).collect();
    let mut line = head.join(" ");
    pairs.extend(echoes(card, data, context.input));
    let echoed = pairs.join(", ");
    append(
        &mut line,
        gap,
        (!pairs.is_empty()).then_some(echoed.as_str()),
    );
    // A new object without a number needs its URL, and so does a result with nothing else to show.
    let has_number = data.contains_key(NUMBER);
    let is_new = verb.is_some_and(|verb| verb.creates) && !has_number;
    let is_bare = pairs.is_empty() && !has_number && !has_thread_line && verb.is_none();
    let needs_url = context.is_requested(URL) || is_new || is_bare;
    let mut address = if needs_url { text_of(URL) } else { None };
    if address.is_none() && is_bare {
        let id = IDS.iter().find_map(|id| text_of(id));
        address = id.map(|id| format!("id {id}"));
    }
    append(&mut line, ": ", address.as_deref());
    append(&mut line, "; ", is_unchanged.then_some(UNCHANGED));
    if line.is_empty() {
        line.push_str("done");
    }
    line
}

/// Returns the inputs that the result does not repeat, so that the caller need not check them.
fn echoes(card: &Card, data: &Map<String, Value>, input: &Map<String, Value>) -> Vec<String> {
    let is_shown = |name: &str| {
        let ends = ["number", "_id", "sha"];
        ["owner", "repo", "title", "body", "comment"].contains(&name)
            || ends.iter().any(|end| name.ends_with(end))
            || data.contains_key(name)
    };
    let default = |name: &str| {
        let pointer = format!("/properties/{name}/default");
        card.input_schema.pointer(&pointer)
    };
    // The verb or the state already covers other actions.
    let verb = verb(card).map(|verb| verb.done);
    if !matches!(verb, Some("created" | "merged")) {
        return Vec::new();
    }
    input
        .iter()
        .filter(|(name, value)| !is_shown(name) && Some(*value) != default(name))
        .filter(|(_, value)| !value::is_empty(value))
        .filter_map(|(name, value)| {
            let text = match value {
                Value::Array(items) => value::joined(items)?,
                value => value::scalar(value)?,
            };
            let is_short = text.chars().count() <= MAX_ECHO_LENGTH;
            is_short.then(|| format!("{} {text}", single_line(name)))
        })
        .collect()
}

/// Shows the results of a write for several objects. Equal results share a line.
pub(crate) fn lines(
    card: &Card,
    rows: &[&Map<String, Value>],
    context: &ViewContext<'_>,
) -> Vec<String> {
    let mut grouped: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        let line = line(card, row, context);
        let (number, rest) = match line.split_once(' ') {
            Some((number, rest)) if number.starts_with('#') => (number.to_owned(), rest.to_owned()),
            _ => (String::new(), line),
        };
        match grouped.iter_mut().find(|(known, _)| *known == rest) {
            Some((_, numbers)) => numbers.push(number),
            None => grouped.push((rest, vec![number])),
        }
    }
    grouped
        .into_iter()
        .map(|(rest, numbers)| {
            let count = numbers.len();
            let numbers: Vec<_> = numbers.into_iter().filter(|it| !it.is_empty()).collect();
            match (numbers.is_empty(), count) {
                (true, 1) => rest,
                (true, count) => format!("{count} times {rest}"),
                (false, _) => format!("{} {rest}", numbers.join(", ")),
            }
        })
        .collect()
}

fn append(line: &mut String, gap: &str, text: Option<&str>) {
    if let Some(text) = text {
        if !line.is_empty() {
            line.push_str(gap);
        }
        line.push_str(text);
    }
}

/// Returns `name value` for fields without a fixed position in the line.
fn pairs(
    data: &Map<String, Value>,
    context: &ViewContext<'_>,
    has_thread_line: bool,
) -> Vec<String> {
    let mut pairs = Vec::new();
    for (field, value) in ordered_fields(data, context.fields) {
        let has_place = [NUMBER, STATE, REASON, CHANGED, URL].contains(&field);
        let is_known = (field == TITLE && !context.input.contains_key(TITLE))
            || IDS.contains(&field)
            || is_number_of_another(field, data);
        let is_shown = has_thread_line && thread::FIELDS.contains(&field);
        if has_place || is_shown || (is_known && !context.is_requested(field)) {
            continue;
        }
        let name = single_line(field);
        pairs.push(match value {
            Value::Bool(true) => name,
            Value::Bool(false) => format!("not {name}"),
            Value::Array(items) if items.is_empty() => {
                if !context.always_has(field) {
                    continue;
                }
                format!("{name} {NONE}")
            }
            Value::Array(items) if field.ends_with("_issues") => {
                let numbers: Vec<_> = items.iter().filter_map(value::scalar).collect();
                format!("{} #{}", name.replace('_', " "), numbers.join(", #"))
            }
            Value::Array(items) if items.iter().all(value::is_scalar) => {
                let items: Vec<_> = items.iter().filter_map(value::scalar).collect();
                format!("{name} {}", items.join("; "))
            }
            value if value::is_empty(value) => continue,
            value => {
                let value = value::with_short_hash(value, context.is_requested(field));
                format!("{name} {}", cell(&value, context.truncates()).text)
            }
        });
    }
    // Removed values are not in the result.
    let taken = context.input.iter().filter(|(_, value)| value.is_null());
    let taken = taken.filter(|(name, _)| data.get(*name).is_none_or(value::is_empty));
    pairs.extend(taken.map(|(name, _)| format!("{} {NONE}", single_line(name))));
    pairs
}

/// Returns whether a field is the number of an object that another field names: `milestone_number` beside
/// `milestone`.
fn is_number_of_another(field: &str, data: &Map<String, Value>) -> bool {
    let named = field.strip_suffix("_number");
    named.is_some_and(|named| data.get(named).is_some_and(|it| !value::is_empty(it)))
}
