//! The inputs of an outline, and how they are sent.

use indexmap::IndexMap;
use serde_json::{Value, json};

use capstan_catalog::outline::{Outline, Pages};

use super::notation::{input_type, marked};
use super::pages::turns_pages;
use super::path::{PathBlanks, input_name, is_input_name};
use super::sealed::sealed_in;
use crate::description::{Body, Kind, Method, Object, Operation, Parameter, Place, Schema};
use crate::problem::Problem;

/// The input with the media type of a file.
const CONTENT_TYPE: &str = "content_type";

/// Adds the inputs of an operation to its outline.
pub(super) fn add_inputs(
    outline: &mut Outline,
    operation: &Operation,
    path: &PathBlanks<'_>,
    pages: Option<Pages>,
) -> Result<(), Problem> {
    let mut inputs = Inputs::default();
    for (name, parameter) in &path.inputs {
        inputs.insert(name, true, input_type(&parameter.schema));
    }
    let has_body = operation.method != Method::Get && operation.body.is_some();
    for parameter in &operation.parameters {
        let is_turned = pages.is_some_and(|pages| turns_pages(pages, &parameter.name));
        if parameter.place != Place::Query || is_turned || parameter.schema.is_deprecated {
            continue;
        }
        if !is_input_name(&parameter.name) || inputs.has(&parameter.name) {
            let message = format!("`{}` cannot be the name of an input", parameter.name);
            return Err(Problem::new(parameter.pointer.clone(), message));
        }
        if operation.method != Method::Get {
            outline.query.push(parameter.name.clone());
        }
        inputs.insert(
            &parameter.name,
            parameter.is_required,
            query_type(parameter),
        );
    }
    if let Some(body) = operation.body.as_ref().filter(|_| has_body) {
        add_body(outline, &mut inputs, operation, body)?;
    }
    // These turn the pages of a list.
    let taken = ["first", "after"].into_iter().find(|name| inputs.has(name));
    if let Some(name) = taken.filter(|_| pages.is_some()) {
        let message = format!("a list with pages has an input `{name}` already");
        return Err(Problem::new(operation.pointer.clone(), message));
    }
    outline.input = inputs.written;
    Ok(())
}

/// Inputs by name. The names of optional ones end in `?`.
#[derive(Default)]
struct Inputs {
    written: IndexMap<String, Value>,
}

impl Inputs {
    fn has(&self, name: &str) -> bool {
        let mut names = self.written.keys();
        names.any(|known| known.strip_suffix('?').unwrap_or(known) == name)
    }

    fn insert(&mut self, name: &str, is_required: bool, notation: Value) {
        self.written.insert(marked(name, is_required), notation);
    }

    /// Returns a name that is still free.
    fn free(&self, name: &str) -> String {
        let mut free = name.to_owned();
        while self.has(&free) {
            free.insert_str(0, "new_");
        }
        free
    }
}

/// Returns the type of a parameter in the query. What may be a text or a list is a text there.
fn query_type(parameter: &Parameter) -> Value {
    match &parameter.schema.kind {
        Kind::Choice(choices) if choices.iter().any(|choice| choice.kind == Kind::Text) => {
            json!("string")
        }
        _ => input_type(&parameter.schema),
    }
}

fn add_body(
    outline: &mut Outline,
    inputs: &mut Inputs,
    operation: &Operation,
    body: &Body,
) -> Result<(), Problem> {
    let Some(schema) = body.json() else {
        let is_text = body.media.iter().any(|(name, _)| name.starts_with("text/"));
        let (name, kind) = if is_text {
            ("text", "string")
        } else {
            ("content", "file")
        };
        let name = inputs.free(name);
        inputs.insert(&name, true, json!(kind));
        if !is_text && !inputs.has(CONTENT_TYPE) {
            inputs.insert(CONTENT_TYPE, false, json!("string"));
        }
        outline.body = Some(format!("raw {name}"));
        return Ok(());
    };
    if let Some(object) = object_of(schema) {
        return add_fields(outline, inputs, (operation, body), object);
    }
    let kind = if schema.as_list().is_some() {
        "list"
    } else {
        "value"
    };
    let name = body.name.as_deref().unwrap_or("body");
    let name = inputs.free(&input_name(name));
    inputs.insert(&name, true, input_type(schema));
    outline.body = Some(format!("{kind} {name}"));
    Ok(())
}

/// Returns the fields of a body. If it may also be something else, an object says more.
fn object_of(schema: &Schema) -> Option<&Object> {
    match &schema.kind {
        Kind::Object(object) if !object.fields.is_empty() || object.values.is_none() => {
            Some(object)
        }
        Kind::Choice(choices) => choices.iter().find_map(Schema::as_object),
        _ => None,
    }
}

fn add_fields(
    outline: &mut Outline,
    inputs: &mut Inputs,
    (operation, body): (&Operation, &Body),
    object: &Object,
) -> Result<(), Problem> {
    let sealed = sealed_in(object);
    let mut count = 0;
    for (field, schema) in &object.fields {
        let is_old = schema.is_deprecated && !object.is_required(field);
        if is_old || sealed.as_ref().is_some_and(|sealed| sealed.key == field) {
            continue;
        }
        let wanted = match &sealed {
            Some(sealed) if sealed.field == field => sealed.input.to_owned(),
            _ => input_name(field),
        };
        let name = inputs.free(&wanted);
        if name.is_empty() {
            let message = "a field of the body has no name";
            return Err(Problem::new(body.pointer.clone(), message));
        }
        if sealed.as_ref().is_some_and(|sealed| sealed.field == field) {
            outline.sealed = Some(name.clone());
        }
        if name != *field {
            outline.send.insert(field.clone(), name.clone());
        }
        inputs.insert(&name, object.is_required(field), input_type(schema));
        count += 1;
    }
    if count > 0 && operation.method == Method::Delete && outline.query.is_empty() {
        outline.body = Some("fields".to_owned());
    }
    Ok(())
}
