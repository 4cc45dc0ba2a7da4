//! Puts the entry for Capstan into the text of a configuration file. Everything else stays byte
//! for byte: comments, order, white space.

use anyhow::{Context as _, bail};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

use super::existing::{Existing, Merged};
use super::places::TokenVariables;

const NAME: &str = "capstan";

/// How the client starts Capstan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Launch<'a> {
    pub command: &'a str,
    pub args: &'a [String],
    pub variables: &'a TokenVariables,
}

/// How a client writes down a server.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The key under which the client looks.
    servers: &'static str,
    type_name: Option<&'static str>,
    /// Program and arguments are one list.
    one_command: bool,
    all_tools: bool,
    /// The server sees only the variables that it is given by name.
    pass_variables: bool,
}

impl Entry {
    pub(super) fn new(servers: &'static str) -> Self {
        Self {
            servers,
            type_name: None,
            one_command: false,
            all_tools: false,
            pass_variables: false,
        }
    }

    pub(super) fn of_type(self, name: &'static str) -> Self {
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

/// JSON with comments, as editors write it.
pub(super) fn json(text: &str, form: Entry, launch: Launch<'_>) -> anyhow::Result<Merged> {
    let root = CstRootNode::parse(text, &accepted())
        .map_err(|error| anyhow::anyhow!("it is not valid JSON: {error}"))?;
    let top = root
        .object_value_or_create()
        .context("it does not hold a JSON object")?;
    let servers_object = object_in(&top, form.servers)?;
    let entry = object_in(&servers_object, NAME)
        .with_context(|| format!("`{}` cannot take Capstan", form.servers))?;
    let existing = existing_json(&entry, form);
    let text = |text: &str| CstInputValue::String(text.to_owned());
    if let Some(name) = form.type_name {
        set(&entry, "type", text(name));
    }
    let arguments = existing.arguments(launch);
    let arguments = arguments.iter().map(|word| text(word));
    if form.one_command {
        let words = [text(launch.command)].into_iter().chain(arguments);
        set(&entry, "command", CstInputValue::Array(words.collect()));
    } else {
        set(&entry, "command", text(launch.command));
        set(&entry, "args", CstInputValue::Array(arguments.collect()));
    }
    if form.all_tools && entry.get("tools").is_none() {
        set(&entry, "tools", CstInputValue::Array(vec![text("*")]));
    }
    if form.pass_variables && !launch.variables.set.is_empty() {
        let passed = object_in(&entry, "env")?;
        for name in &launch.variables.set {
            // What the user says of a variable is theirs.
            if passed.get(name).is_none() {
                set(&passed, name, text(&format!("${{{name}}}")));
            }
        }
    }
    Ok(existing.merged(ended(root.to_string()), launch))
}

/// What stands in the entry before it is changed.
fn existing_json(entry: &CstObject, form: Entry) -> Existing {
    let there = entry.to_serde_value().unwrap_or_default();
    let words = |key: &str| -> Vec<String> {
        let list = there.get(key).and_then(serde_json::Value::as_array);
        let words = list.into_iter().flatten();
        words
            .filter_map(|word| word.as_str().map(str::to_owned))
            .collect()
    };
    let (command, args) = if form.one_command {
        let mut words = words("command").into_iter();
        (words.next(), words.collect())
    } else {
        let command = there.get("command").and_then(serde_json::Value::as_str);
        (command.map(str::to_owned), words("args"))
    };
    let keys = there.as_object().into_iter().flatten();
    Existing {
        command,
        args,
        other_keys: other_keys(keys.map(|(key, _)| key.as_str())),
    }
}

fn existing_toml(entry: &dyn TableLike) -> Existing {
    let args = entry.get("args").and_then(Item::as_array);
    let args = args.into_iter().flatten();
    Existing {
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

fn other_keys<'a>(keys: impl Iterator<Item = &'a str>) -> Vec<String> {
    keys.filter(|key| !["type", "command", "args"].contains(key))
        .map(str::to_owned)
        .collect()
}

pub(super) fn toml(text: &str, launch: Launch<'_>) -> anyhow::Result<Merged> {
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
    put(entry, "command", Value::from(launch.command));
    let arguments = existing.arguments(launch);
    let arguments = arguments.iter().map(String::as_str);
    put(entry, "args", Value::Array(Array::from_iter(arguments)));
    pass_on(entry, &launch.variables.all)?;
    Ok(existing.merged(ended(document.to_string()), launch))
}

/// Adds the names that are not passed on yet; the user may pass on more.
fn pass_on(entry: &mut dyn TableLike, names: &[&str]) -> anyhow::Result<()> {
    let Some(passed) = entry.get_mut("env_vars") else {
        let names = Array::from_iter(names.iter().copied());
        put(entry, "env_vars", Value::Array(names));
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
