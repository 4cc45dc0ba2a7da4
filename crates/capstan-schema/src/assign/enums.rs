//! Checks cases whose possible values are known one by one.

use std::borrow::Cow;

use serde_json::Value;

use super::case::{Case, Fact};
use super::checker::{Checker, Verdict};
use crate::accept::{Truth, accepts};
use crate::describe::{describe, describe_value};
use crate::lookup::{Lookup, list};
use crate::project::reduced;
use crate::schema::Schema;
use crate::types::TypeSet;

/// The values of the types with few values.
static FEW: [Value; 3] = [Value::Null, Value::Bool(false), Value::Bool(true)];

/// Keywords that need no further check once the values of a fact are enumerated.
const SAYS_NO_MORE: [&str; 5] = ["type", "enum", "title", "description", "default"];

/// The largest number of values that a reason lists.
const MOST_NAMED: usize = 6;

impl<'a> Checker<'a> {
    /// Returns all possible values of a case, if they can be enumerated.
    pub(super) fn values(&self, case: &Case<'a>) -> Option<Vec<Cow<'a, Value>>> {
        let finite = |fact: &&Fact<'a>| values_of(fact).is_some();
        let chosen = case.facts.iter().filter(finite);
        // More facts can be compared with values before projection.
        let Some(chosen) = chosen.min_by_key(|it| it.given.exact) else {
            let few = case.types.is_subset(TypeSet::FINITE);
            let possible = |value: &&'a Value| self.is_possible(case, None, value, value);
            return few.then(|| FEW.iter().filter(possible).map(Cow::Borrowed).collect());
        };
        let mut values = Vec::new();
        for value in values_of(chosen)? {
            let after = match &case.origin {
                Some(naming) if !chosen.given.exact && has_parts(value) => {
                    Cow::Owned(reduced(value, naming))
                }
                _ => Cow::Borrowed(value),
            };
            if self.is_possible(case, Some(chosen), value, &after) {
                values.push(after);
            }
        }
        Some(values)
    }

    /// Checks that all values match; `None` if that cannot be decided.
    pub(super) fn values_flow(&self, values: &[Cow<'a, Value>], to: Schema<'a>) -> Option<Verdict> {
        let mut unknown = false;
        for value in values {
            match accepts(value, to, self.budget) {
                Truth::Yes => {}
                Truth::No => return Some(self.refuse(|| self.refused(value, to))),
                Truth::Unknown => unknown = true,
            }
        }
        (!unknown).then_some(Ok(()))
    }

    /// Checks `enum` or `const` for values that cannot be enumerated.
    pub(super) fn enum_flows(
        &self,
        case: &Case<'a>,
        to: Schema<'a>,
        keyword: &str,
        needed: &'a Value,
    ) -> Verdict {
        if self.holds_literally(case, to, keyword, needed) {
            return Ok(());
        }
        self.refuse(|| {
            let needed = match needed {
                Value::Array(values) if keyword == "enum" => one_of(values, " | "),
                value => describe_value(value),
            };
            format!("gives {} where {needed} is needed", case.types)
        })
    }

    /// Whether a value in this case can be `before`, and become `after` by projection.
    fn is_possible(
        &self,
        case: &Case<'a>,
        chosen: Option<&Fact<'a>>,
        before: &Value,
        after: &Value,
    ) -> bool {
        if !TypeSet::of_value(before).meets(case.types) {
            return false;
        }
        // A fact can be checked if its form of the value is known: there is only one form, or the value was
        // enumerated from that form.
        let subject = |exact: bool| match chosen {
            _ if exact => Some(after),
            Some(chosen) if chosen.given.exact && has_parts(before) => None,
            _ => Some(before),
        };
        let refuses = |fact: &Fact<'a>| {
            subject(fact.given.exact)
                .is_some_and(|value| accepts(value, fact.given.schema, self.budget) == Truth::No)
        };
        let says_more = |fact: &&Fact<'a>| {
            !chosen.is_some_and(|it| std::ptr::eq(it.keywords, fact.keywords))
                || fact
                    .keywords
                    .keys()
                    .any(|it| !SAYS_NO_MORE.contains(&it.as_str()))
        };
        !case.facts.iter().filter(says_more).any(refuses)
            && !case.nots.iter().any(|not| {
                subject(not.exact)
                    .is_some_and(|value| accepts(value, not.schema, self.budget) == Truth::Yes)
            })
    }

    fn refused(&self, value: &Value, to: Schema<'a>) -> String {
        let given = describe_value(value);
        let types = Lookup::new(self.budget).types(to);
        if !TypeSet::of_value(value).is_subset(types) {
            return match value {
                Value::Null => "may be null".to_owned(),
                _ => format!("gives {given} where {types} is needed"),
            };
        }
        let mut at = to;
        while let Some(keywords) = at.keywords() {
            if let Some(values) = list(keywords, "enum") {
                return format!(
                    "gives {given}, which is not one of {}",
                    one_of(values, ", ")
                );
            }
            let target = keywords.get("$ref").and_then(Value::as_str);
            match target.and_then(|it| at.resolve(it, self.budget)) {
                Some(target) if self.budget.spend(1) => at = target,
                _ => break,
            }
        }
        let refusing = at
            .keywords()
            .into_iter()
            .flatten()
            .find(|(keyword, needed)| {
                let alone = serde_json::Map::from_iter([((*keyword).clone(), (*needed).clone())]);
                let alone = Value::Object(alone);
                let schema = Schema {
                    root: at.root,
                    node: &alone,
                };
                keyword.as_str() != "additionalProperties"
                    && accepts(value, schema, self.budget) == Truth::No
            });
        match refusing {
            Some((keyword, needed)) => {
                format!(
                    "gives {given}, which does not pass `{keyword}: {}`",
                    describe_value(needed)
                )
            }
            None => format!("gives {given}, which does not pass {}", describe(to)),
        }
    }
}

fn values_of<'a>(fact: &Fact<'a>) -> Option<&'a [Value]> {
    let one = fact.get("const").map(std::slice::from_ref);
    one.or_else(|| list(fact.keywords, "enum"))
}

fn has_parts(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

fn one_of(values: &[Value], between: &str) -> String {
    let named = values.iter().take(MOST_NAMED).map(describe_value);
    let mut text = named.collect::<Vec<_>>().join(between);
    if values.len() > MOST_NAMED {
        text.push_str(between);
        text.push('…');
    }
    text
}
