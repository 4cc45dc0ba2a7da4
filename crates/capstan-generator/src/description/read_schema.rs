//! Reads a schema of a description.

use serde_json::Value;

use super::document::{Document, Placed};
use super::merge::{both, one_of};
use super::{Kind, Object, Schema};
use crate::Problem;

/// How deeply schemas are read. What is nested deeper can be anything.
const MAX_DEPTH: usize = 8;
/// How many schemas one schema may have in it. Real ones stay below a tenth.
const MAX_SCHEMAS: usize = 100_000;

/// Reads a schema and everything in it.
pub(super) fn read_schema(document: &Document, placed: &Placed<'_>) -> Result<Schema, Problem> {
    if document.is_of_service() {
        return read_bounded(document, placed);
    }
    let mut reader = Reader {
        document,
        remaining: MAX_SCHEMAS,
    };
    reader.schema(placed, MAX_DEPTH)
}

/// How deeply the schemas of services are read at most, and how many one schema may have in it.
const SERVICE_DEPTH: usize = 6;
const SERVICE_SCHEMAS: usize = 1_500;

/// Reads a schema as deeply as its size allows. Schemas of services may grow without end, and what is far inside is
/// neither shown nor checked.
fn read_bounded(document: &Document, placed: &Placed<'_>) -> Result<Schema, Problem> {
    for depth in (1..=SERVICE_DEPTH).rev() {
        let mut reader = Reader {
            document,
            remaining: SERVICE_SCHEMAS,
        };
        match reader.schema(placed, depth) {
            Err(_) if reader.remaining == 0 => {}
            read => return read,
        }
    }
    Ok(Schema::any())
}

struct Reader<'a> {
    document: &'a Document,
    remaining: usize,
}

impl<'a> Reader<'a> {
    fn schema(&mut self, placed: &Placed<'a>, depth: usize) -> Result<Schema, Problem> {
        let Some(remaining) = self.remaining.checked_sub(1) else {
            return Err(placed.problem("the schema is too large: does it contain itself?"));
        };
        self.remaining = remaining;
        let placed = self.document.resolve(placed)?;
        if depth == 0 || placed.value.is_boolean() {
            return Ok(Schema::any());
        }
        if !placed.value.is_object() {
            return Err(placed.problem("expected a schema"));
        }
        let (types, has_null) = types(&placed)?;
        let constant = placed.value.get("const");
        let mut schema = match placed.get("enum") {
            None if constant.is_some() => {
                Schema::new(Kind::Values(constant.into_iter().cloned().collect()))
            }
            Some(values) => Schema::new(Kind::Values(read_values(&values)?)),
            None => {
                let kinds = types.iter().map(|name| self.kind(name, &placed, depth));
                one_of(kinds.collect::<Result<_, _>>()?)
            }
        };
        if let Some(parts) = placed.get("allOf") {
            schema = self.all_of(schema, &parts, depth)?;
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(choices) = placed.get(key) {
                schema = self.choices(schema, &choices, depth)?;
            }
        }
        let has_null_value = placed
            .get("enum")
            .is_some_and(|values| values.items().iter().any(|item| item.value.is_null()));
        schema.is_nullable |= placed.flag("nullable") || has_null || has_null_value;
        schema.is_deprecated = placed.flag("deprecated");
        Ok(schema)
    }

    fn kind(&mut self, name: &str, placed: &Placed<'a>, depth: usize) -> Result<Schema, Problem> {
        Ok(Schema::new(match name {
            "string" => Kind::Text,
            "integer" => Kind::Integer,
            "number" => Kind::Number,
            "boolean" => Kind::Boolean,
            "array" => Kind::List(Box::new(match placed.get("items") {
                Some(items) => self.schema(&items, depth - 1)?,
                None => Schema::any(),
            })),
            "object" => Kind::Object(self.object(placed, depth)?),
            "any" => Kind::Any,
            _ => return Err(placed.problem(format!("`{name}` is not a type"))),
        }))
    }

    fn object(&mut self, placed: &Placed<'a>, depth: usize) -> Result<Object, Problem> {
        let mut object = Object::default();
        if let Some(fields) = placed.get("properties") {
            if !fields.value.is_object() {
                return Err(fields.problem("expected an object of schemas"));
            }
            for (name, field) in fields.entries() {
                let schema = self.schema(&field, depth - 1)?;
                object.fields.insert(name.to_owned(), schema);
            }
        }
        if let Some(required) = placed.get("required") {
            for name in required.items() {
                let Some(name) = name.value.as_str() else {
                    return Err(name.problem("expected the name of a field"));
                };
                object.required.insert(name.to_owned());
            }
        }
        let values = placed.get("additionalProperties");
        if let Some(values) = values.filter(|values| values.value.is_object()) {
            object.values = Some(Box::new(self.schema(&values, depth - 1)?));
        }
        Ok(object)
    }

    /// Returns a schema that also has the fields of all parts.
    fn all_of(
        &mut self,
        base: Schema,
        parts: &Placed<'a>,
        depth: usize,
    ) -> Result<Schema, Problem> {
        let mut all = base;
        for part in parts.items() {
            let part = self.schema(&part, depth - 1)?;
            let is_nullable = all.is_nullable || part.is_nullable;
            all = match (all.kind, part.kind) {
                (Kind::Object(left), Kind::Object(right)) => {
                    Schema::new(Kind::Object(both(left, right)))
                }
                (Kind::Any, kind) | (kind, _) => Schema::new(kind),
            };
            all.is_nullable = is_nullable;
        }
        Ok(all)
    }

    /// Returns a schema that has one of several choices, beside what it has itself.
    fn choices(
        &mut self,
        base: Schema,
        choices: &Placed<'a>,
        depth: usize,
    ) -> Result<Schema, Problem> {
        let mut read = Vec::new();
        for choice in choices.items() {
            read.push(self.schema(&choice, depth - 1)?);
        }
        let choice = one_of(read);
        let is_nullable = base.is_nullable || choice.is_nullable;
        let mut schema = match (base.kind, choice.kind) {
            (Kind::Any, kind) => Schema::new(kind),
            (Kind::Object(base), Kind::Object(choice)) => {
                Schema::new(Kind::Object(with_choice(base, choice)))
            }
            (kind, _) => Schema::new(kind),
        };
        schema.is_nullable = is_nullable;
        Ok(schema)
    }
}

/// Returns an object with the fields of its choices. What it says itself about a field counts more.
fn with_choice(base: Object, choice: Object) -> Object {
    let mut merged = base;
    for (name, schema) in choice.fields {
        merged.fields.entry(name).or_insert(schema);
    }
    merged.required.extend(choice.required);
    merged
}

/// Returns the names of the types, and whether null is among them. Without a type, other keys tell it.
fn types<'a>(placed: &Placed<'a>) -> Result<(Vec<&'a str>, bool), Problem> {
    let mut names = match placed.value.get("type") {
        None | Some(Value::Null) => vec![implied_type(placed)],
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => {
            let names: Option<Vec<_>> = names.iter().map(Value::as_str).collect();
            names.ok_or_else(|| placed.problem("`type` must have names of types"))?
        }
        Some(_) => return Err(placed.problem("`type` must be the name of a type")),
    };
    let count = names.len();
    names.retain(|name| *name != "null");
    let has_null = names.len() < count;
    if names.is_empty() {
        names.push("any");
    }
    Ok((names, has_null))
}

fn implied_type(placed: &Placed<'_>) -> &'static str {
    let has = |key: &str| placed.get(key).is_some();
    if has("properties") || has("required") || placed.value["additionalProperties"].is_object() {
        "object"
    } else if has("items") {
        "array"
    } else {
        "any"
    }
}

fn read_values(values: &Placed<'_>) -> Result<Vec<Value>, Problem> {
    let values_json = values.items().into_iter().map(|item| item.value.clone());
    let all: Vec<_> = values_json.filter(|value| !value.is_null()).collect();
    if !values.value.is_array() {
        return Err(values.problem("expected a list of values"));
    }
    Ok(all)
}
