//! Reads servers from `capstan.toml` and from the JSON that MCP clients share.

use std::collections::HashSet;

use capstan_core::brief;
use serde_json::{Map, Value};

use super::entry::{self, Dialect, Entry};
use super::{Environment, Problem, ServerConfig, ServerName};

/// What could be read, and what is wrong with the rest.
#[derive(Clone, Debug, Default)]
pub struct Configs {
    /// In the order of their names.
    pub servers: Vec<ServerConfig>,
    /// Those that are switched off.
    pub disabled: Vec<ServerName>,
    pub problems: Vec<Problem>,
}

/// Where clients keep their servers: most in `mcpServers`, VS Code in `servers`, its settings in
/// `mcp.servers`.
const PLACES: [&[&str]; 3] = [&["mcpServers"], &["servers"], &["mcp", "servers"]];

/// How much of a key is shown.
const LONGEST_KEY: usize = 80;

/// Reads the table `[servers]` of `capstan.toml`. Placeholders are filled in from the environment.
pub fn read_toml(servers: &Value, environment: &Environment) -> Configs {
    match servers {
        Value::Object(servers) => read(servers, Dialect::Own, environment),
        _ => refused("`servers` must be a table with a table for each server"),
    }
}

/// Reads the JSON that MCP clients share. Comments and trailing commas are fine.
pub fn read_mcp_servers(text: &str, environment: &Environment) -> Configs {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = jsonc_parser::parse_to_serde_value::<Value>(text, &Default::default());
    let root = match parsed {
        Ok(root) => root,
        // Only where: what stands there may be a secret.
        Err(error) => {
            return refused(&format!(
                "it is not JSON (line {}, column {})",
                error.line_display(),
                error.column_display()
            ));
        }
    };
    if let Some(key) = jsonc_parser::parse_to_ast(text, &Default::default(), &Default::default())
        .ok()
        .and_then(|parsed| first_duplicate(parsed.value?))
    {
        return refused(&format!(
            "the key `{}` is given twice",
            brief(&key, LONGEST_KEY)
        ));
    }
    let place = PLACES.iter().find_map(|place| {
        let found = place.iter().try_fold(&root, |value, key| value.get(key));
        found.and_then(Value::as_object)
    });
    match place {
        Some(servers) => read(servers, Dialect::Shared, environment),
        None => refused("it has no servers: expected `{\"mcpServers\": {\"name\": {…}}}`"),
    }
}

fn read(servers: &Map<String, Value>, dialect: Dialect, environment: &Environment) -> Configs {
    let mut configs = Configs::default();
    for (name, entry) in servers {
        match entry::read(name, entry, dialect, environment) {
            Ok(Entry::Server(config)) => configs.servers.push(*config),
            Ok(Entry::Disabled(name)) => configs.disabled.push(name),
            Err(problems) => configs.problems.extend(problems),
        }
    }
    configs.servers.sort_by(|a, b| a.name.cmp(&b.name));
    configs.disabled.sort();
    configs
}

/// The first key that an object has twice: of its two values one would be lost.
fn first_duplicate(value: jsonc_parser::ast::Value<'_>) -> Option<String> {
    use jsonc_parser::ast::Value;
    match value {
        Value::Object(object) => {
            let mut seen = HashSet::new();
            object.properties.into_iter().find_map(|property| {
                let name = property.name.as_str().to_owned();
                if seen.contains(&name) {
                    return Some(name);
                }
                seen.insert(name);
                first_duplicate(property.value)
            })
        }
        Value::Array(array) => array.elements.into_iter().find_map(first_duplicate),
        _ => None,
    }
}

fn refused(message: &str) -> Configs {
    let problem = Problem {
        server: None,
        message: message.to_owned(),
    };
    Configs {
        problems: vec![problem],
        ..Configs::default()
    }
}
