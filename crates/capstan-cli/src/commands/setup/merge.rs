//! Adds the entry for Capstan to the text of a configuration file. Everything else stays byte for byte: comments,
//! order, white space.

use anyhow::{Context as _, bail};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

use super::client_folders::TokenVariables;
use super::existing::{ExistingEntry, Merged};

/// The name of Capstan's entry.
const NAME: &str = "capstan";

/// How the client starts Capstan.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaunchCommand<'a> {
    pub command: &'a str,
    pub args: &'a [String],
    pub variables: &'a TokenVariables,
}

/// The format in which a client describes a server.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryFormat {
    /// The key that holds all servers.
    servers: &'static str,
    /// The value of `type`, if the client needs one.
    type_name: Option<&'static str>,
    /// Whether `command` is a list of the program and its arguments.
    one_command: bool,
    /// Whether `tools` must allow all tools.
    all_tools: bool,
    /// Whether the server gets only the variables that `env` names.
    pass_variables: bool,
}

impl EntryFormat {
    pub(super) fn new(servers: &'static str) -> Self {
        Self {
            servers,
            type_name: None,
            one_command: false,
            all_tools: false,
            pass_variables: false,
        }
    }

    pub(super) fn with_type(self, name: &'static str) -> Self {
        Self {
            type_name: Some(name),
            ..self
        }
    }

    pub(super) fn with_one_command(self) -> Self {
        Self {
            one_command: true,
            ..self
        }
    }

    pub(super) fn with_all_tools(self) -> Self {
        Self {
            all_tools: true,
            ..self
        }
    }

    pub(super) fn passing_variables(self) -> Self {
        Self {
            pass_variables: true,
            ..self
        }
    }
}

/// Merges the entry into JSON, which may have comments and trailing commas.
pub(super) fn json(
    text: &str,
    format: EntryFormat,
    launch: LaunchCommand<'_>,
) -> anyhow::Result<Merged> {
    let root = CstRootNode::parse(text, &parse_options())
        .map_err(|error| anyhow::anyhow!("it is not valid JSON: {error}"))?;
    let top = root
        .object_value_or_create()
        .context("it does not contain a JSON object")?;
    let servers_object = object_in(&top, format.servers)?;
    let entry = object_in(&servers_object, NAME)
        .with_context(|| format!("cannot add Capstan to `{}`", format.servers))?;
    let existing = existing_json(&entry, format);
    let text = |text: &str| CstInputValue::String(text.to_owned());
    if let Some(name) = format.type_name {
        set_json(&entry, "type", text(name));
    }
    let words = existing.arguments(launch);
    let arguments = words.iter().map(|word| text(word));
    if format.one_command {
        let command = [text(launch.command)].into_iter().chain(arguments);
        set_json(&entry, "command", CstInputValue::Array(command.collect()));
    } else {
        set_json(&entry, "command", text(launch.command));
        set_json(&entry, "args", CstInputValue::Array(arguments.collect()));
    }
    if format.all_tools && entry.get("tools").is_none() {
        set_json(&entry, "tools", CstInputValue::Array(vec![text("*")]));
    }
    if format.pass_variables && !launch.variables.set.is_empty() {
        let passed = object_in(&entry, "env")?;
        for name in &launch.variables.set {
            // A variable that the user has set stays.
            if passed.get(name).is_none() {
                set_json(&passed, name, text(&format!("${{{name}}}")));
            }
        }
    }
    Ok(existing.merged(with_line_end(root.to_string()), launch))
}

/// Reads the entry before it is changed.
fn existing_json(entry: &CstObject, format: EntryFormat) -> ExistingEntry {
    let there = entry.to_serde_value().unwrap_or_default();
    let words = |key: &str| -> Vec<String> {
        let list = there.get(key).and_then(serde_json::Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(|word| word.as_str().map(str::to_owned))
            .collect()
    };
    let (command, args) = if format.one_command {
        let mut words = words("command").into_iter();
        (words.next(), words.collect())
    } else {
        let command = there.get("command").and_then(serde_json::Value::as_str);
        (command.map(str::to_owned), words("args"))
    };
    let keys = there.as_object().into_iter().flatten();
    ExistingEntry {
        command,
        args,
        other_keys: other_keys(keys.map(|(key, _)| key.as_str())),
    }
}

fn existing_toml(entry: &dyn TableLike) -> ExistingEntry {
    let args = entry
        .get("args")
        .and_then(Item::as_array)
        .into_iter()
        .flatten();
    ExistingEntry {
        command: entry
            .get("command")
            .and_then(Item::as_str)
            .map(str::to_owned),
        args: args
            .filter_map(|word| word.as_str().map(str::to_owned))
            .collect(),
        other_keys: other_keys(entry.iter().map(|(key, _)| key)),
    }
}

/// Returns the keys that `setup` does not set.
fn other_keys<'a>(keys: impl Iterator<Item = &'a str>) -> Vec<String> {
    keys.filter(|key| !["type", "command", "args"].contains(key))
        .map(str::to_owned)
        .collect()
}

/// Merges the entry into TOML.
pub(super) fn toml(text: &str, launch: LaunchCommand<'_>) -> anyhow::Result<Merged> {
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
    let existing = existing_toml(entry);
    set_toml(entry, "command", Value::from(launch.command));
    let words = existing.arguments(launch);
    let arguments = words.iter().map(String::as_str);
    set_toml(entry, "args", Value::Array(Array::from_iter(arguments)));
    add_env_vars(entry, &launch.variables.all)?;
    Ok(existing.merged(with_line_end(document.to_string()), launch))
}

/// Adds missing names to `env_vars`. Names that the user added stay.
fn add_env_vars(entry: &mut dyn TableLike, names: &[&str]) -> anyhow::Result<()> {
    let Some(passed) = entry.get_mut("env_vars") else {
        let names = Array::from_iter(names.iter().copied());
        set_toml(entry, "env_vars", Value::Array(names));
        return Ok(());
    };
    let passed = passed
        .as_array_mut()
        .context("`mcp_servers.capstan.env_vars` is not a list")?;
    for name in names {
        if !passed.iter().any(|it| it.as_str() == Some(name)) {
            passed.push(*name);
        }
    }
    Ok(())
}

/// Accepts comments and trailing commas, which are common in such files. Anything looser is reported as an error.
fn parse_options() -> ParseOptions {
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

/// Returns the object under a key, which is created if it is missing. Fails if the value is not an object.
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
fn set_json(object: &CstObject, name: &str, value: CstInputValue) {
    match object.get(name) {
        None => {
            object.append(name, value);
        }
        Some(found) => {
            let same = found
                .value()
                .and_then(|given| given.to_serde_value())
                .is_some_and(|given| given == to_serde(&value));
            if !same {
                found.set_value(value);
            }
        }
    }
}

/// Converts a string or a list of strings for a comparison.
fn to_serde(value: &CstInputValue) -> serde_json::Value {
    match value {
        CstInputValue::String(text) => serde_json::Value::from(text.as_str()),
        CstInputValue::Array(items) => items.iter().map(to_serde).collect(),
        _ => serde_json::Value::Null,
    }
}

/// Sets a key, keeping the comment beside it. A value that is equal stays as it is.
fn set_toml(table: &mut dyn TableLike, key: &str, mut value: Value) {
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

/// Adds a line end if the text has none.
fn with_line_end(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
