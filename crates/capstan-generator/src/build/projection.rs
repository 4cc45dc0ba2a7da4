//! Which fields of an answer are kept: what tells which object it is and what it is like, in few words.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::path::is_input_name;
use super::shorten::{scalar_word, shortened};
use crate::description::{Kind, Object, Schema};
use crate::rules::Rules;

/// How many fields an object has, a row of a list, and an object inside them.
const MAX_FIELDS: usize = 16;
const MAX_ROW_FIELDS: usize = 12;
const MAX_NESTED_FIELDS: usize = 6;
/// If there are fewer fields than that, optional ones are kept too.
const FEW_FIELDS: usize = 6;
/// Words of expressions, which cannot be the beginning of a path.
pub(crate) const RESERVED: [&str; 8] = [
    "and",
    "or",
    "not",
    "in",
    "true",
    "false",
    "null",
    "subset_of",
];

/// How an object is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Whole,
    Row,
    Nested,
}

/// Returns the fields of an object that are kept, in the order of the description. There may be none.
pub(crate) fn project(object: &Object, usage: Use, rules: &Rules) -> IndexMap<String, Value> {
    let candidates = object.fields.iter().filter_map(|(name, schema)| {
        let notation = field(name, schema, usage, rules)?;
        Some(Candidate {
            rank: rank(name, schema, object, rules),
            is_nested: !notation.is_string(),
            name,
            notation,
        })
    });
    let allowed = candidates.filter(|candidate| !is_left_out(candidate.name, object, rules));
    let mut ranked: Vec<_> = allowed.collect();
    ranked.sort_by_key(|candidate| candidate.rank);
    let kept = keep(ranked, usage);
    let mut all: IndexMap<String, Value> = kept
        .into_iter()
        .map(|candidate| (candidate.name.clone(), candidate.notation))
        .collect();
    let place = |name: &String| object.fields.get_index_of(name);
    all.sort_by(|left, _, right, _| place(left).cmp(&place(right)));
    all
}

struct Candidate<'a> {
    name: &'a String,
    notation: Value,
    rank: Rank,
    is_nested: bool,
}

/// How much a field is worth, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    First,
    Useful,
    RequiredScalar,
    Required,
    Last,
    OptionalScalar,
    Optional,
}

fn rank(name: &String, schema: &Schema, object: &Object, rules: &Rules) -> Rank {
    let fields = &rules.answer_fields;
    let is_required = object.is_required(name);
    if fields.first.contains(name) {
        Rank::First
    } else if fields.useful.contains(name) {
        Rank::Useful
    } else if fields.last.contains(name) {
        Rank::Last
    } else if is_required && schema.is_scalar() {
        Rank::RequiredScalar
    } else if is_required {
        Rank::Required
    } else if schema.is_scalar() {
        Rank::OptionalScalar
    } else {
        Rank::Optional
    }
}

fn keep(ranked: Vec<Candidate<'_>>, usage: Use) -> Vec<Candidate<'_>> {
    let most = match usage {
        Use::Whole => MAX_FIELDS,
        Use::Row => MAX_ROW_FIELDS,
        Use::Nested => MAX_NESTED_FIELDS,
    };
    let mut kept: Vec<Candidate<'_>> = Vec::new();
    let mut size = 0;
    for candidate in ranked {
        let is_optional = candidate.rank >= Rank::Last;
        let weight = if candidate.is_nested { 3 } else { 1 };
        if size + weight <= most && !(is_optional && kept.len() >= FEW_FIELDS) {
            size += weight;
            kept.push(candidate);
        }
    }
    kept
}

/// Returns whether a field says nothing that an agent needs.
fn is_left_out(name: &String, object: &Object, rules: &Rules) -> bool {
    let fields = &rules.answer_fields;
    let has_identity = || {
        let mut identity = fields.identity.iter();
        identity.any(|known| known != name && object.fields.contains_key(known))
    };
    if fields.never.contains(name) {
        return true;
    }
    if name == "node_id" || name == "url" {
        return has_identity();
    }
    let is_address = name.ends_with("_url") || name.ends_with("_urls");
    is_address && !fields.addresses.contains(name)
}

/// Returns the notation of a field, if it can be told in few words.
fn field(name: &str, schema: &Schema, usage: Use, rules: &Rules) -> Option<Value> {
    let can_be_read = is_input_name(name) && !RESERVED.contains(&name);
    if !can_be_read || schema.is_deprecated {
        return None;
    }
    if let Some(word) = scalar_word(schema) {
        return Some(json!(word));
    }
    match &schema.kind {
        Kind::Object(object) => nested(name, object, usage, rules),
        Kind::List(items) => list(name, items, usage, rules),
        Kind::Choice(choices) => {
            let object = choices.iter().find_map(Schema::as_object)?;
            let is_short = shortened(object, rules).is_some();
            Some(json!("any")).filter(|_| !is_short || usage != Use::Nested)
        }
        Kind::Any if usage != Use::Nested => Some(json!("any")),
        _ => None,
    }
}

fn nested(name: &str, object: &Object, usage: Use, rules: &Rules) -> Option<Value> {
    if let Some((field, word)) = shortened(object, rules) {
        return Some(json!(format!("{word} = {name}.{field}")));
    }
    if usage == Use::Nested {
        return None;
    }
    if object.fields.is_empty() {
        return Some(json!("object"));
    }
    let fields = project(object, Use::Nested, rules);
    (!fields.is_empty()).then(|| object_of(fields))
}

fn list(name: &str, items: &Schema, usage: Use, rules: &Rules) -> Option<Value> {
    if let Some(word) = scalar_word(items) {
        return Some(json!([word]));
    }
    let object = match &items.kind {
        Kind::Choice(choices) => choices.iter().find_map(Schema::as_object)?,
        _ => items.as_object()?,
    };
    if let Some((field, word)) = shortened(object, rules) {
        return Some(json!(format!("[{word}] = {name}[].{field}")));
    }
    // A row is a line of a table, and an object inside another is short.
    if usage != Use::Whole || object.fields.is_empty() {
        return None;
    }
    let fields = project(object, Use::Nested, rules);
    (!fields.is_empty()).then(|| json!([object_of(fields)]))
}

fn object_of(fields: IndexMap<String, Value>) -> Value {
    Value::Object(fields.into_iter().collect::<Map<_, _>>())
}
