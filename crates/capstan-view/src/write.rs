//! A write: one line that says what is so now.

use capstan_core::card::Card;
use serde_json::{Map, Value};

use crate::cell::cell;
use crate::clean::flat;
use crate::object::in_order;
use crate::thread;
use crate::value::{self, NONE};
use crate::verb::verb;
use crate::viewed::Viewed;

const NUMBER: &str = "number";
const STATE: &str = "state";
const REASON: &str = "state_reason";
const CHANGED: &str = "changed";
const URL: &str = "url";
const TITLE: &str = "title";
const BODY: &str = "body";

/// What is done to a review, and what a text with it is.
const SUBMITTED: &str = "submitted";
const COMMENTED: &str = "commented";
const IDS: [&str; 2] = ["id", "node_id"];

/// Longer inputs are not repeated.
const LONGEST_ECHO: usize = 60;

const UNCHANGED: &str = "already so, nothing changed";

pub(crate) fn line(card: &Card, data: &Map<String, Value>, viewed: &Viewed<'_>) -> String {
    let is_unchanged = data.get(CHANGED) == Some(&Value::Bool(false));
    let action = verb(card);
    // Who asks for fields gets each by its name.
    let thread = action
        .filter(|_| viewed.fields.is_none())
        .and_then(|verb| thread::told(verb.done, data, viewed.cuts()));
    let tells_thread = thread.is_some();
    let verb = action.filter(|_| !is_unchanged);
    let mut pairs = pairs(data, viewed, tells_thread);
    let text_of = |field: &str| {
        let value = data.get(field).filter(|value| !value::is_empty(value));
        value.map(|value| cell(value, viewed.cuts()).text)
    };

    // What is done to something with a number says which, even if the answer does not.
    let given = viewed
        .input
        .iter()
        .find(|(name, _)| name.ends_with("_number"));
    let given = given.and_then(|(_, number)| number.as_u64());
    let number = text_of(NUMBER).or_else(|| given.map(|number| number.to_string()));
    let number = number.map(|number| format!("#{number}"));
    let state = text_of(STATE).map(|state| match text_of(REASON) {
        Some(reason) => format!("{state} ({reason})"),
        None => state,
    });
    let done = thread.or(state).or_else(|| {
        let done = verb.map(|verb| verb.done);
        // `resolved, resolved` says no more.
        done.filter(|done| !pairs.iter().any(|pair| pair == done))
            .map(str::to_owned)
    });
    // Of a review the state is told, and whether a text went with it.
    let has_text = (viewed.input.get(BODY)).is_some_and(|it| !value::is_empty(it));
    let is_review = verb.is_some_and(|verb| verb.done == SUBMITTED);
    let says_more = is_review && has_text && done.as_deref() != Some(COMMENTED);
    let done = done.map(|done| {
        if says_more {
            format!("{done} with comment")
        } else {
            done
        }
    });
    let gap = if done.is_some() { ", " } else { " " };
    let head: Vec<_> = number.into_iter().chain(done).collect();
    let mut line = head.join(" ");
    pairs.extend(echoes(card, data, viewed.input));
    let echoed = pairs.join(", ");
    append(
        &mut line,
        gap,
        Some(echoed.as_str()).filter(|_| !pairs.is_empty()),
    );
    // What is new and has no number needs its address, and so does what nothing else is known of.
    let has_number = data.contains_key(NUMBER);
    let is_new = verb.is_some_and(|verb| verb.makes) && !has_number;
    let is_bare = pairs.is_empty() && !has_number && !tells_thread && verb.is_none();
    let address = text_of(URL).filter(|_| viewed.asks_for(URL) || is_new || is_bare);
    let address = address.or_else(|| {
        let id = IDS.iter().find_map(|id| text_of(id));
        id.filter(|_| is_bare).map(|id| format!("id {id}"))
    });
    append(&mut line, ": ", address.as_deref());
    append(&mut line, "; ", is_unchanged.then_some(UNCHANGED));
    if line.is_empty() {
        line.push_str("done");
    }
    line
}

/// What the caller chose and the answer does not repeat: nobody has to look whether it was heard.
fn echoes(card: &Card, data: &Map<String, Value>, input: &Map<String, Value>) -> Vec<String> {
    let is_told = |name: &str| {
        let ends = ["number", "_id", "sha"];
        ["owner", "repo", "title", "body", "comment"].contains(&name)
            || ends.iter().any(|end| name.ends_with(end))
            || data.contains_key(name)
    };
    let default = |name: &str| {
        let pointer = format!("/properties/{name}/default");
        card.input_schema.pointer(&pointer)
    };
    // A verb or a state says what an edit, a close or a review was told.
    let verb = verb(card).map(|verb| verb.done);
    if !matches!(verb, Some("created" | "merged")) {
        return Vec::new();
    }
    input
        .iter()
        .filter(|(name, value)| !is_told(name) && Some(*value) != default(name))
        .filter(|(_, value)| !value::is_empty(value))
        .filter_map(|(name, value)| {
            let text = match value {
                Value::Array(items) => value::joined(items)?,
                value => value::scalar(value)?,
            };
            let is_short = text.chars().count() <= LONGEST_ECHO;
            is_short.then(|| format!("{} {text}", flat(name)))
        })
        .collect()
}

/// The results of a write for several things: those of which the same is said are told together.
pub(crate) fn lines(card: &Card, rows: &[&Map<String, Value>], viewed: &Viewed<'_>) -> Vec<String> {
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        let line = line(card, row, viewed);
        let (number, rest) = match line.split_once(' ') {
            Some((number, rest)) if number.starts_with('#') => (number.to_owned(), rest.to_owned()),
            _ => (String::new(), line),
        };
        match told.iter_mut().find(|(known, _)| *known == rest) {
            Some((_, numbers)) => numbers.push(number),
            None => told.push((rest, vec![number])),
        }
    }
    told.into_iter()
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

/// `name value` for what has no place of its own in the line.
fn pairs(data: &Map<String, Value>, viewed: &Viewed<'_>, tells_thread: bool) -> Vec<String> {
    let mut pairs = Vec::new();
    for (field, value) in in_order(data, viewed.fields) {
        let has_place = [NUMBER, STATE, REASON, CHANGED, URL].contains(&field);
        let is_known = (field == TITLE && !viewed.input.contains_key(TITLE))
            || IDS.contains(&field)
            || is_number_of_another(field, data);
        let is_told = tells_thread && thread::FIELDS.contains(&field);
        if has_place || is_told || (is_known && !viewed.asks_for(field)) {
            continue;
        }
        let name = flat(field);
        pairs.push(match value {
            Value::Bool(true) => name,
            Value::Bool(false) => format!("not {name}"),
            Value::Array(items) if items.is_empty() => {
                if !viewed.promises(field) {
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
                let value = value::with_short_hash(value, viewed.asks_for(field));
                format!("{name} {}", cell(&value, viewed.cuts()).text)
            }
        });
    }
    // What was taken away is not in the answer.
    let taken = viewed.input.iter().filter(|(_, value)| value.is_null());
    let taken = taken.filter(|(name, _)| data.get(*name).is_none_or(value::is_empty));
    pairs.extend(taken.map(|(name, _)| format!("{} {NONE}", flat(name))));
    pairs
}

/// Whether a field is the number of what another field names: `milestone_number` beside `milestone`.
fn is_number_of_another(field: &str, data: &Map<String, Value>) -> bool {
    let named = field.strip_suffix("_number");
    named.is_some_and(|named| data.get(named).is_some_and(|it| !value::is_empty(it)))
}
