//! Puts the entry for Capstan into the text of a configuration file. Everything else stays byte
//! for byte: comments, order, white space.

use anyhow::{Context as _, bail};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

const NAME: &str = "capstan";

/// How the client starts Capstan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Launch<'a> {
    pub command: &'a str,
    pub args: &'a [String],
}

/// JSON with comments, as editors write it. `servers` is the key under which the client looks.
pub(super) fn json(
    text: &str,
    servers: &str,
    with_type: bool,
    launch: Launch<'_>,
) -> anyhow::Result<String> {
    let root = CstRootNode::parse(text, &accepted())
        .map_err(|error| anyhow::anyhow!("it is not valid JSON: {error}"))?;
    let top = root
        .object_value_or_create()
        .context("it does not hold a JSON object")?;
    let servers_object = object_in(&top, servers)?;
    let entry = object_in(&servers_object, NAME)
        .with_context(|| format!("`{servers}` cannot take Capstan"))?;
    if with_type {
        set(&entry, "type", CstInputValue::String("stdio".to_owned()));
    }
    set(
        &entry,
        "command",
        CstInputValue::String(launch.command.to_owned()),
    );
    let arguments = launch.args.iter().cloned().map(CstInputValue::String);
    set(&entry, "args", CstInputValue::Array(arguments.collect()));
    Ok(ended(root.to_string()))
}

pub(super) fn toml(text: &str, launch: Launch<'_>) -> anyhow::Result<String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error| anyhow::anyhow!("it is not valid TOML: {error}"))?;
    let mut implicit = Table::new();
    implicit.set_implicit(true);
    let servers = document
        .entry("mcp_servers")
        .or_insert(Item::Table(implicit))
        .as_table_like_mut()
        .context("`mcp_servers` is not a table")?;
    let entry = servers
        .entry(NAME)
        .or_insert(Item::Table(Table::new()))
        .as_table_like_mut()
        .context("`mcp_servers.capstan` is not a table")?;
    put(entry, "command", Value::from(launch.command));
    let arguments = launch.args.iter().map(String::as_str);
    put(entry, "args", Value::Array(Array::from_iter(arguments)));
    Ok(ended(document.to_string()))
}

/// Comments and trailing commas are common in such files. Anything looser is a mistake that its
/// author wants to hear about.
fn accepted() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn object_in(object: &CstObject, name: &str) -> anyhow::Result<CstObject> {
    match object.get(name) {
        None => {
            object.ensure_multiline();
            let added = object.append(name, CstInputValue::Object(Vec::new()));
            let inner = added.object_value_or_set();
            inner.ensure_multiline();
            Ok(inner)
        }
        Some(found) => match found.object_value() {
            Some(inner) => Ok(inner),
            None => bail!("`{name}` is not an object"),
        },
    }
}

/// Sets a field, unless it has this value already.
fn set(object: &CstObject, name: &str, value: CstInputValue) {
    match object.get(name) {
        None => {
            object.append(name, value);
        }
        Some(found) => {
            let same = found
                .value()
                .and_then(|given| given.to_serde_value())
                .is_some_and(|given| given == plain(&value));
            if !same {
                found.set_value(value);
            }
        }
    }
}

fn plain(value: &CstInputValue) -> serde_json::Value {
    match value {
        CstInputValue::String(text) => serde_json::Value::from(text.as_str()),
        CstInputValue::Array(items) => items.iter().map(plain).collect(),
        _ => serde_json::Value::Null,
    }
}

/// Sets a key, keeping the comment beside it.
fn put(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            let same = old.clone().decorated("", "").to_string().trim()
                == value.clone().decorated("", "").to_string().trim();
            if !same {
                *value.decor_mut() = old.decor().clone();
                *old = value;
            }
        }
        None => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// A text file ends with a line end.
fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
