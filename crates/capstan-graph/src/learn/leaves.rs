//! Finds the values inside another that are neither lists nor maps, with their places.

use serde_json::{Map, Value};

use super::distinctive::DistinctiveValue;
use super::hidden;

/// The deepest nesting that is searched.
const MAX_DEPTH: usize = 16;

/// How many values of one input or output are looked at.
const MAX_VALUES: usize = 1_000;

/// The longest name, in bytes. Longer keys are data, not names.
const MAX_NAME_BYTES: usize = 64;

/// A distinctive value with its place.
#[derive(Clone, Debug)]
pub(super) struct Leaf<'a> {
    pub(super) value: DistinctiveValue<'a>,
    pub(super) place: Place<'a>,
}

/// The place of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// The place as a JSON pointer.
    pub(super) at: String,
    pub(super) name: Option<&'a str>,
    /// The name of the object that has it.
    pub(super) above: Option<&'a str>,
}

pub(super) fn leaves(value: &Value) -> Vec<Leaf<'_>> {
    let mut found = Vec::new();
    visit(value, &mut |at, names, value| {
        let mut names = names.iter().rev().copied();
        let name = names.next();
        found.extend(DistinctiveValue::from_value(value, name).map(|value| Leaf {
            value,
            place: Place {
                at: at.to_owned(),
                name,
                above: names.next(),
            },
        }));
    });
    found
}

/// Returns the distinctive values inside another, with their JSON pointers. At most `most` values
/// are looked at.
pub fn distinctive_values(value: &Value, most: usize) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    visit_some(value, most, &mut |at, names, value| {
        if DistinctiveValue::from_value(value, names.last().copied()).is_some() {
            found.push((at.to_owned(), value));
        }
    });
    found
}

/// Returns the leaves of values that are given by their JSON pointers.
pub(super) fn leaves_at(parts: &Map<String, Value>) -> impl Iterator<Item = Leaf<'_>> {
    parts.iter().take(MAX_VALUES).filter_map(|(at, value)| {
        // Numbers are indices of lists. Names with escapes are rare, and are ignored.
        let is_name = |part: &&str| !part.is_empty() && !part.bytes().all(|b| b.is_ascii_digit());
        let mut names = at.rsplit('/').filter(is_name);
        let last = names.next();
        let name = if at.contains('~') { None } else { last };
        let value = DistinctiveValue::from_value(value, name)?;
        let above = names.next();
        let at = at.clone();
        Some(Leaf {
            value,
            place: Place { at, name, above },
        })
    })
}

/// Calls `each` with the JSON pointer, the names on the way, and the value.
pub(super) fn visit<'a>(value: &'a Value, each: &mut impl FnMut(&str, &[&'a str], &'a Value)) {
    visit_some(value, MAX_VALUES, each);
}

fn visit_some<'a>(
    value: &'a Value,
    most: usize,
    each: &mut impl FnMut(&str, &[&'a str], &'a Value),
) {
    let mut walk = Walk {
        each,
        left: most,
        depth: 0,
        at: String::new(),
        names: Vec::new(),
    };
    walk.visit(value);
}

/// Returns a name as a segment of a JSON pointer.
pub(super) fn pointed(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

struct Walk<'a, 'w, F> {
    each: &'w mut F,
    left: usize,
    depth: usize,
    at: String,
    names: Vec<&'a str>,
}

impl<'a, F: FnMut(&str, &[&'a str], &'a Value)> Walk<'a, '_, F> {
    fn visit(&mut self, value: &'a Value) {
        if self.left == 0 || self.depth > MAX_DEPTH {
            return;
        }
        let length = self.at.len();
        self.depth += 1;
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.at.push_str(&format!("/{index}"));
                    self.visit(item);
                    self.at.truncate(length);
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields {
                    if name.len() > MAX_NAME_BYTES || hidden::is_masked(name) {
                        continue;
                    }
                    self.at.push_str(&pointed(name));
                    self.names.push(name);
                    self.visit(field);
                    self.names.pop();
                    self.at.truncate(length);
                }
            }
            leaf => {
                self.left -= 1;
                (self.each)(&self.at, &self.names, leaf);
            }
        }
        self.depth -= 1;
    }
}
