//! Reads servers from `capstan.toml` and from the JSON that MCP clients share.

use std::collections::HashSet;

use capstan_core::brief;
use serde_json::{Map, Value};

use super::entry::{self, Dialect, ServerEntry};
use super::{ConfigProblem, Environment, ServerConfig, ServerName};

/// The servers that could be read, and the problems with the others.
#[derive(Clone, Debug, Default)]
pub struct ServerConfigs {
    /// Sorted by name.
    pub servers: Vec<ServerConfig>,
    /// The servers that are switched off.
    pub disabled: Vec<ServerName>,
    pub problems: Vec<ConfigProblem>,
}

/// Where clients keep their servers: most in `mcpServers`, VS Code in `servers`, its settings in
/// `mcp.servers`.
const SERVER_PATHS: [&[&str]; 3] = [&["mcpServers"], &["servers"], &["mcp", "servers"]];

/// How many characters of a key are shown.
const MAX_KEY_CHARS: usize = 80;

/// Reads the table `[servers]` of `capstan.toml`. Expands placeholders from the environment.
pub fn read_toml(servers: &Value, environment: &Environment) -> ServerConfigs {
    match servers {
        Value::Object(servers) => read_entries(servers, Dialect::Own, environment),
        _ => only_problem("`servers` must be a table with a table for each server"),
    }
}

/// Reads the JSON that MCP clients share. Comments and trailing commas are allowed.
pub fn read_mcp_servers(text: &str, environment: &Environment) -> ServerConfigs {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = jsonc_parser::parse_to_serde_value::<Value>(text, &Default::default());
    let root = match parsed {
        Ok(root) => root,
        // Only the position is shown: the text there may be a secret.
        Err(error) => {
            return only_problem(&format!(
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
        return only_problem(&format!(
            "the key `{}` is given twice",
            brief(&key, MAX_KEY_CHARS)
        ));
    }
    let found = SERVER_PATHS.iter().find_map(|path| {
        let table = path.iter().try_fold(&root, |value, key| value.get(key));
        table.and_then(Value::as_object)
    });
    match found {
        Some(servers) => read_entries(servers, Dialect::Shared, environment),
        None => only_problem("it has no servers: expected `{\"mcpServers\": {\"name\": {…}}}`"),
    }
}

fn read_entries(
    servers: &Map<String, Value>,
    dialect: Dialect,
    environment: &Environment,
) -> ServerConfigs {
    let mut configs = ServerConfigs::default();
    for (name, entry) in servers {
        match entry::read(name, entry, dialect, environment) {
            Ok(ServerEntry::Server(config)) => configs.servers.push(*config),
            Ok(ServerEntry::Disabled(name)) => configs.disabled.push(name),
            Err(problems) => configs.problems.extend(problems),
        }
    }
    configs.servers.sort_by(|a, b| a.name.cmp(&b.name));
    configs.disabled.sort();
    configs
}

/// Returns the first key that an object has twice: one of its two values would be lost.
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

fn only_problem(message: &str) -> ServerConfigs {
    let problem = ConfigProblem {
        server: None,
        message: message.to_owned(),
    };
    ServerConfigs {
        problems: vec![problem],
        ..ServerConfigs::default()
    }
}
