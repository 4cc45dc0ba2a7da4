//! The body of an operation of a service: JSON, or a form.

use capstan_catalog::outline::Outline;

use super::inputs::{ServiceInputs, list_style};
use crate::build::input_type;
use crate::description::{Body, FORM, Method, Object, Operation, Schema, ValueStyle, is_json};

/// Adds the inputs of the body to an outline. Returns why the body cannot be sent.
pub(super) fn add_body(
    outline: &mut Outline,
    inputs: &mut ServiceInputs,
    operation: &Operation,
) -> Result<(), String> {
    let Some(body) = &operation.body else {
        return Ok(());
    };
    if operation.method == Method::Get {
        return if body.is_required {
            Err("it is a GET with a body".to_owned())
        } else {
            Ok(())
        };
    }
    let json = body.media.iter().find(|(name, _)| is_json(name));
    let form = body.media.iter().find(|(name, _)| name == FORM);
    match (json, form) {
        (Some((_, schema)), _) => add_json(outline, inputs, (operation, body), schema),
        (None, Some((_, schema))) => add_form(outline, inputs, body, schema),
        (None, None) if !body.is_required && body.media.is_empty() => Ok(()),
        (None, None) => {
            let kind = body.media.first().map_or("unknown", |(name, _)| name);
            Err(format!("its body is `{kind}`, neither JSON nor a form"))
        }
    }
}

fn add_json(
    outline: &mut Outline,
    inputs: &mut ServiceInputs,
    (operation, body): (&Operation, &Body),
    schema: &Schema,
) -> Result<(), String> {
    if let Some(object) = schema
        .as_object()
        .filter(|object| !object.fields.is_empty())
    {
        for (field, schema) in described(object) {
            add_field(outline, inputs, field, schema, object.is_required(field))?;
        }
        if operation.method == Method::Delete && outline.query.is_empty() {
            outline.body = Some("fields".to_owned());
        }
        return Ok(());
    }
    let kind = if schema.as_list().is_some() {
        "list"
    } else {
        "value"
    };
    let wanted = body.name.as_deref().unwrap_or("body");
    let added = inputs.add(wanted, "body", body.is_required, input_type(schema));
    let name = added.ok_or("its body has no name that an input can have")?;
    outline.body = Some(format!("{kind} {name}"));
    Ok(())
}

fn add_form(
    outline: &mut Outline,
    inputs: &mut ServiceInputs,
    body: &Body,
    schema: &Schema,
) -> Result<(), String> {
    let Some(object) = schema.as_object() else {
        return Err("its body is a form without fields".to_owned());
    };
    outline.body = Some("form".to_owned());
    for (field, schema) in described(object) {
        let mut styles = body.styles.iter();
        let stated = styles.find(|(name, _)| name == field);
        let stated = stated.map_or_else(ValueStyle::default, |(_, style)| style.clone());
        let style = list_style(field, schema, &stated)?;
        let name = add_field(outline, inputs, field, schema, object.is_required(field))?;
        if let Some(style) = style {
            outline.lists.insert(name, style);
        }
    }
    Ok(())
}

/// Adds a field and returns the name of its input.
fn add_field(
    outline: &mut Outline,
    inputs: &mut ServiceInputs,
    field: &str,
    schema: &Schema,
    is_required: bool,
) -> Result<String, String> {
    let added = inputs.add(field, "body", is_required, input_type(schema));
    let name =
        added.ok_or_else(|| format!("its field `{field}` has no name that an input can have"))?;
    if name != field {
        outline.send.insert(field.to_owned(), name.clone());
    }
    Ok(name)
}

/// Returns the fields that should still be used.
fn described(object: &Object) -> impl Iterator<Item = (&String, &Schema)> {
    let fields = object.fields.iter();
    fields.filter(|(name, schema)| !schema.is_deprecated || object.is_required(name))
}
