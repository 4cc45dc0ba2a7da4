//! The inputs of an operation of a service: those of its path, its query and its headers.

use std::collections::BTreeSet;

use capstan_catalog::outline::Outline;
use capstan_core::card::{ListStyle, ServiceParts};
use indexmap::IndexMap;
use serde_json::Value;

use super::paging::ServicePaging;
use crate::build::{PathBlanks, input_type, is_input_name, marked};
use crate::description::{Kind, Method, Operation, Parameter, Place, Schema, ValueStyle};

/// Inputs by name. The names of optional ones end in `?`.
#[derive(Default)]
pub(super) struct ServiceInputs {
    pub(super) written: IndexMap<String, Value>,
    names: BTreeSet<String>,
}

impl ServiceInputs {
    /// Adds an input and returns its name, which differs from the wanted one if that is taken or cannot be a name.
    /// `place` tells inputs of the same name apart. `None` if nothing of the name can be kept.
    pub(super) fn add(
        &mut self,
        wanted: &str,
        place: &str,
        is_required: bool,
        notation: Value,
    ) -> Option<String> {
        let plain = usable_name(wanted)?;
        let numbered = (2..100).map(|number| format!("{place}_{plain}_{number}"));
        let candidates = [plain.clone(), format!("{place}_{plain}")];
        let mut candidates = candidates.into_iter().chain(numbered);
        let name = candidates.find(|name| !self.names.contains(name))?;
        self.names.insert(name.clone());
        self.written.insert(marked(&name, is_required), notation);
        Some(name)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

/// Returns a name of letters, digits and `_` for a parameter.
fn usable_name(name: &str) -> Option<String> {
    if is_input_name(name) {
        return Some(name.to_owned());
    }
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let plain = plain.trim_matches('_');
    let starts_with_digit = plain.starts_with(|c: char| c.is_ascii_digit());
    let mark = if starts_with_digit { "_" } else { "" };
    (!plain.is_empty()).then(|| format!("{mark}{plain}"))
}

/// Adds the inputs of the path, the query and the headers to an outline. Returns why that is not possible.
pub(super) fn add_parameters(
    outline: &mut Outline,
    inputs: &mut ServiceInputs,
    operation: &Operation,
    path: &PathBlanks<'_>,
    paging: Option<&ServicePaging>,
) -> Result<(), String> {
    for (name, parameter) in &path.inputs {
        let notation = input_type(&parameter.schema);
        let added = inputs.add(name, "path", true, notation);
        if added.as_ref() != Some(name) {
            return Err(format!("its path has two parameters `{name}`"));
        }
    }
    let size = ServicePaging::size_of(operation).filter(|_| paging.is_some());
    for parameter in &operation.parameters {
        let is_turned = paging.is_some_and(|paging| paging.turns(&parameter.name))
            || size == Some(parameter.name.as_str());
        if parameter.schema.is_deprecated && !parameter.is_required {
            continue;
        }
        match parameter.place {
            Place::Path => {}
            Place::Query if is_turned => {}
            Place::Query => add_query(outline, inputs, operation, parameter)?,
            Place::Header => add_header(outline, inputs, parameter)?,
            Place::Cookie if parameter.is_required => {
                return Err(format!("it needs the cookie `{}`", parameter.name));
            }
            Place::Cookie => {}
        }
    }
    Ok(())
}

fn add_query(
    outline: &mut Outline,
    inputs: &mut ServiceInputs,
    operation: &Operation,
    parameter: &Parameter,
) -> Result<(), String> {
    let style = list_style(&parameter.name, &parameter.schema, &parameter.style);
    let style = match style {
        Ok(style) => style,
        Err(_) if !parameter.is_required => return Ok(()),
        Err(problem) => return Err(problem),
    };
    let notation = input_type(&parameter.schema);
    let added = inputs.add(&parameter.name, "query", parameter.is_required, notation);
    let Some(name) = added else {
        return unusable(parameter);
    };
    if name != parameter.name {
        outline.send.insert(parameter.name.clone(), name.clone());
    }
    if let Some(style) = style {
        outline.lists.insert(name.clone(), style);
    }
    if operation.method != Method::Get {
        outline.query.push(name);
    }
    Ok(())
}

fn add_header(
    outline: &mut Outline,
    inputs: &mut ServiceInputs,
    parameter: &Parameter,
) -> Result<(), String> {
    // Who calls is configured, and what is asked for is known.
    let is_usual = ["authorization", "accept", "content-type", "user-agent"]
        .contains(&parameter.name.to_ascii_lowercase().as_str());
    if is_usual {
        return Ok(());
    }
    if !ServiceParts::may_set(&parameter.name) || !parameter.schema.is_scalar() {
        return unusable(parameter);
    }
    let notation = input_type(&parameter.schema);
    let added = inputs.add(&parameter.name, "header", parameter.is_required, notation);
    let Some(name) = added else {
        return unusable(parameter);
    };
    outline.headers.insert(name, parameter.name.clone());
    Ok(())
}

fn unusable(parameter: &Parameter) -> Result<(), String> {
    if parameter.is_required {
        let name = &parameter.name;
        Err(format!("its parameter `{name}` cannot be sent"))
    } else {
        Ok(())
    }
}

/// Returns how a value that may be a list or an object is written; nothing if it is neither.
pub(super) fn list_style(
    name: &str,
    schema: &Schema,
    style: &ValueStyle,
) -> Result<Option<ListStyle>, String> {
    if schema.is_scalar() {
        return Ok(None);
    }
    Ok(Some(match (style.name.as_deref(), style.explode) {
        (Some("deepObject"), _) => ListStyle::Brackets,
        (Some(style @ ("spaceDelimited" | "pipeDelimited")), _) => {
            return Err(format!("its parameter `{name}` has the style `{style}`"));
        }
        _ if matches!(schema.kind, Kind::Object(_)) => ListStyle::Brackets,
        (_, Some(false)) => ListStyle::Commas,
        _ => ListStyle::Repeat,
    }))
}
