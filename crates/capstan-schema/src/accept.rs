//! Decides whether one value matches a schema, as far as possible. Used for the values of `enum` and `const`.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::budget::Budget;
use crate::evaluated::evaluates;
use crate::lookup::list;
use crate::number::{Exact, count};
use crate::pattern;
use crate::same::same;
use crate::schema::Schema;
use crate::types::TypeSet;

/// The answer to a question. It is unknown if a pattern cannot be parsed or the work exceeds the budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    Yes,
    No,
    Unknown,
}

impl Truth {
    pub(crate) fn of(known: Option<bool>) -> Self {
        match known {
            Some(true) => Self::Yes,
            Some(false) => Self::No,
            None => Self::Unknown,
        }
    }

    pub(crate) fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
        }
    }

    /// Whether all are true.
    pub(crate) fn all(each: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::Yes;
        for one in each {
            match one {
                Self::Yes => {}
                Self::No => return Self::No,
                Self::Unknown => all = Self::Unknown,
            }
        }
        all
    }

    /// Whether at least one is true.
    pub(crate) fn any(each: impl IntoIterator<Item = Self>) -> Self {
        Self::all(each.into_iter().map(Self::not)).not()
    }

    /// Whether exactly one is true.
    pub(crate) fn exactly_one(each: impl IntoIterator<Item = Self>) -> Self {
        let (mut yes, mut unknown) = (0, 0);
        for one in each {
            match one {
                Truth::Yes => yes += 1,
                Truth::Unknown => unknown += 1,
                Truth::No => {}
            }
        }
        match (yes, unknown) {
            (1, 0) => Truth::Yes,
            (0, 0) | (2.., _) => Truth::No,
            _ => Truth::Unknown,
        }
    }
}

/// Whether a value matches a schema.
pub(crate) fn accepts(value: &Value, schema: Schema<'_>, budget: &Budget) -> Truth {
    match schema.node {
        Value::Bool(passes) => Truth::of(Some(*passes)),
        Value::Object(keywords) => budget
            .deeper(|| {
                let all = keywords.iter().map(|(keyword, needed)| {
                    keyword_accepts(value, schema, keywords, keyword, needed, budget)
                });
                Truth::all(all)
            })
            .unwrap_or(Truth::Unknown),
        _ => Truth::Unknown,
    }
}

fn keyword_accepts(
    value: &Value,
    schema: Schema<'_>,
    keywords: &Map<String, Value>,
    keyword: &str,
    needed: &Value,
    budget: &Budget,
) -> Truth {
    let passes = |node: &Value| accepts(value, schema.child(node), budget);
    match keyword {
        "type" => Truth::of(
            TypeSet::of_keyword(needed).map(|types| TypeSet::of_value(value).is_subset(types)),
        ),
        "const" => Truth::of(same(value, needed, budget)),
        "enum" => with_list(needed, |values| {
            Truth::any(values.iter().map(|it| Truth::of(same(value, it, budget))))
        }),
        "$ref" => match needed.as_str().and_then(|it| schema.resolve(it, budget)) {
            Some(target) => accepts(value, target, budget),
            None => Truth::Unknown,
        },
        "allOf" => with_list(needed, |parts| Truth::all(parts.iter().map(passes))),
        "anyOf" => with_list(needed, |parts| Truth::any(parts.iter().map(passes))),
        "oneOf" => with_list(needed, |parts| Truth::exactly_one(parts.iter().map(passes))),
        "not" => passes(needed).not(),
        "if" => {
            let branch = |keyword| keywords.get(keyword).map_or(Truth::Yes, passes);
            match passes(needed) {
                Truth::Yes => branch("then"),
                Truth::No => branch("else"),
                Truth::Unknown => match (branch("then"), branch("else")) {
                    (Truth::Yes, Truth::Yes) => Truth::Yes,
                    (Truth::No, Truth::No) => Truth::No,
                    _ => Truth::Unknown,
                },
            }
        }
        "$dynamicRef" | "$recursiveRef" | "dependencies" | "additionalItems" => Truth::Unknown,
        _ => match value {
            Value::Number(number) => number_accepts(Exact::from_number(number), keyword, needed),
            Value::String(text) => string_accepts(text, keyword, needed, budget),
            Value::Array(items) => array_accepts(items, schema, keywords, keyword, needed, budget),
            Value::Object(object) => {
                object_accepts(value, object, schema, keywords, keyword, needed, budget)
            }
            Value::Null | Value::Bool(_) => Truth::Yes,
        },
    }
}

fn with_list(value: &Value, test: impl FnOnce(&[Value]) -> Truth) -> Truth {
    value
        .as_array()
        .map_or(Truth::Unknown, |values| test(values))
}

fn number_accepts(number: Option<Exact>, keyword: &str, needed: &Value) -> Truth {
    let compared = || Some(number?.compare(Exact::from_value(needed)?));
    match keyword {
        "minimum" => Truth::of(compared().map(Ordering::is_ge)),
        "maximum" => Truth::of(compared().map(Ordering::is_le)),
        "exclusiveMinimum" => Truth::of(compared().map(Ordering::is_gt)),
        "exclusiveMaximum" => Truth::of(compared().map(Ordering::is_lt)),
        "multipleOf" => match (number, Exact::from_value(needed)) {
            (Some(Exact::Whole(number)), Some(Exact::Whole(of))) if of != 0 => {
                Truth::of(Some(number % of == 0))
            }
            _ => Truth::Unknown,
        },
        _ => Truth::Yes,
    }
}

fn string_accepts(text: &str, keyword: &str, needed: &Value, budget: &Budget) -> Truth {
    let length = || text.chars().count() as u64;
    match keyword {
        "minLength" => Truth::of(count(needed).map(|min| length() >= min)),
        "maxLength" => Truth::of(count(needed).map(|max| length() <= max)),
        "pattern" => Truth::of(
            needed
                .as_str()
                .and_then(|it| pattern::matches(it, text, budget)),
        ),
        _ => Truth::Yes,
    }
}

fn array_accepts(
    items: &[Value],
    schema: Schema<'_>,
    keywords: &Map<String, Value>,
    keyword: &str,
    needed: &Value,
    budget: &Budget,
) -> Truth {
    let length = items.len() as u64;
    let first = list(keywords, "prefixItems").map_or(0, <[_]>::len);
    match keyword {
        "minItems" => Truth::of(count(needed).map(|min| length >= min)),
        "maxItems" => Truth::of(count(needed).map(|max| length <= max)),
        "items" => {
            let rest = items.iter().skip(first);
            Truth::all(rest.map(|item| accepts(item, schema.child(needed), budget)))
        }
        "prefixItems" => with_list(needed, |parts| {
            let pairs = items.iter().zip(parts);
            Truth::all(pairs.map(|(item, part)| accepts(item, schema.child(part), budget)))
        }),
        "uniqueItems" => match needed {
            Value::Bool(true) => Truth::all(items.iter().enumerate().flat_map(|(at, one)| {
                let before = items.iter().take(at);
                before.map(move |two| Truth::of(same(one, two, budget)).not())
            })),
            Value::Bool(false) => Truth::Yes,
            _ => Truth::Unknown,
        },
        "contains" => contains_accepts(items, schema.child(needed), keywords, budget),
        "unevaluatedItems" => {
            let all_known = items.len() <= first || keywords.contains_key("items");
            if all_known || needed == &Value::Bool(true) {
                Truth::Yes
            } else {
                Truth::Unknown
            }
        }
        _ => Truth::Yes,
    }
}

fn contains_accepts(
    items: &[Value],
    wanted: Schema<'_>,
    keywords: &Map<String, Value>,
    budget: &Budget,
) -> Truth {
    let (mut yes, mut unknown) = (0_u64, 0_u64);
    for item in items {
        match accepts(item, wanted, budget) {
            Truth::Yes => yes += 1,
            Truth::Unknown => unknown += 1,
            Truth::No => {}
        }
    }
    let bound = |keyword, otherwise| match keywords.get(keyword) {
        Some(bound) => count(bound),
        None => Some(otherwise),
    };
    let (Some(min), Some(max)) = (bound("minContains", 1), bound("maxContains", u64::MAX)) else {
        return Truth::Unknown;
    };
    if yes + unknown < min || yes > max {
        Truth::No
    } else if yes >= min && yes + unknown <= max {
        Truth::Yes
    } else {
        Truth::Unknown
    }
}

fn object_accepts(
    value: &Value,
    object: &Map<String, Value>,
    schema: Schema<'_>,
    keywords: &Map<String, Value>,
    keyword: &str,
    needed: &Value,
    budget: &Budget,
) -> Truth {
    let has_all = |names: &Value| {
        with_list(names, |names| {
            Truth::all(
                names
                    .iter()
                    .map(|name| Truth::of(name.as_str().map(|name| object.contains_key(name)))),
            )
        })
    };
    let with_map = |test: &dyn Fn(&str, &Value) -> Truth| match needed {
        Value::Object(each) => Truth::all(each.iter().map(|(name, it)| test(name, it))),
        _ => Truth::Unknown,
    };
    match keyword {
        "required" => has_all(needed),
        "minProperties" => Truth::of(count(needed).map(|min| object.len() as u64 >= min)),
        "maxProperties" => Truth::of(count(needed).map(|max| object.len() as u64 <= max)),
        "properties" => with_map(&|name, part| match object.get(name) {
            Some(value) => accepts(value, schema.child(part), budget),
            None => Truth::Yes,
        }),
        "patternProperties" => with_map(&|pattern, part| {
            Truth::all(object.iter().map(|(name, value)| {
                Truth::any([
                    Truth::of(pattern::matches(pattern, name, budget)).not(),
                    accepts(value, schema.child(part), budget),
                ])
            }))
        }),
        "additionalProperties" => Truth::all(object.iter().map(|(name, value)| {
            Truth::any([
                evaluates_itself(keywords, name, budget),
                accepts(value, schema.child(needed), budget),
            ])
        })),
        "unevaluatedProperties" => Truth::all(object.iter().map(|(name, value)| {
            Truth::any([
                evaluates(schema, name, budget),
                accepts(value, schema.child(needed), budget),
            ])
        })),
        "propertyNames" => Truth::all(object.keys().map(|name| {
            let name = Value::String(name.clone());
            accepts(&name, schema.child(needed), budget)
        })),
        "dependentRequired" => with_map(&|name, needed| {
            if object.contains_key(name) {
                has_all(needed)
            } else {
                Truth::Yes
            }
        }),
        "dependentSchemas" => with_map(&|name, part| {
            if object.contains_key(name) {
                accepts(value, schema.child(part), budget)
            } else {
                Truth::Yes
            }
        }),
        _ => Truth::Yes,
    }
}

/// Whether the schema's own `properties` or `patternProperties` evaluate a property.
pub(crate) fn evaluates_itself(
    keywords: &Map<String, Value>,
    name: &str,
    budget: &Budget,
) -> Truth {
    if let Some(Value::Object(named)) = keywords.get("properties")
        && named.contains_key(name)
    {
        return Truth::Yes;
    }
    match keywords.get("patternProperties") {
        Some(Value::Object(patterns)) => Truth::any(
            patterns
                .keys()
                .map(|pattern| Truth::of(pattern::matches(pattern, name, budget))),
        ),
        _ => Truth::No,
    }
}
