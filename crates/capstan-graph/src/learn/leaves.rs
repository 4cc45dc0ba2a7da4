//! Every value inside another that is no list and no map, and where it stands.

use serde_json::{Map, Value};

use super::hidden;
use super::telling::Telling;

/// Deeper nothing is looked for.
const DEEPEST: usize = 16;

/// Of one input or output no more is looked at.
const MOST: usize = 1_000;

/// Longer names are data and no names.
const LONGEST_NAME: usize = 64;

/// A value that can be found again.
#[derive(Clone, Debug)]
pub(super) struct Leaf<'a> {
    pub(super) value: Telling<'a>,
    pub(super) place: Place<'a>,
}

/// Where a value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// As a JSON pointer.
    pub(super) at: String,
    pub(super) name: Option<&'a str>,
    /// The name of what it stands in.
    pub(super) above: Option<&'a str>,
}

pub(super) fn leaves(value: &Value) -> Vec<Leaf<'_>> {
    let mut found = Vec::new();
    visit(value, &mut |at, names, value| {
        let mut names = names.iter().rev().copied();
        let name = names.next();
        found.extend(Telling::of(value, name).map(|value| Leaf {
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

/// The values inside another that are telling when they are seen again, and where they stand, as JSON
/// pointers. No more than so many values are looked at.
pub fn telling_values(value: &Value, most: usize) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    visit_some(value, most, &mut |at, names, value| {
        if Telling::of(value, names.last().copied()).is_some() {
            found.push((at.to_owned(), value));
        }
    });
    found
}

/// Values that are known by their JSON pointers.
pub(super) fn leaves_at(parts: &Map<String, Value>) -> impl Iterator<Item = Leaf<'_>> {
    parts.iter().take(MOST).filter_map(|(at, value)| {
        // Numbers are places in lists; names with marks of the pointers are rare, and not looked at.
        let is_name = |part: &&str| !part.is_empty() && !part.bytes().all(|b| b.is_ascii_digit());
        let mut names = at.rsplit('/').filter(is_name);
        let name = names.next().filter(|_| !at.contains('~'));
        let value = Telling::of(value, name)?;
        let above = names.next();
        let at = at.clone();
        Some(Leaf {
            value,
            place: Place { at, name, above },
        })
    })
}

/// Calls back with a JSON pointer, the names on the way, and the value.
pub(super) fn visit<'a>(value: &'a Value, each: &mut impl FnMut(&str, &[&'a str], &'a Value)) {
    visit_some(value, MOST, each);
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

/// A name as a part of a JSON pointer.
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
        if self.left == 0 || self.depth > DEEPEST {
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
                    if name.len() > LONGEST_NAME || hidden::is_masked(name) {
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
