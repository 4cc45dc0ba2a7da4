//! Parses one entry of a configuration file.

use std::path::PathBuf;

use capstan_core::Secret;
use http::{HeaderName, HeaderValue};
use serde_json::{Map, Value};
use url::Url;

use super::fields::Fields;
use super::{ConfigProblem, Environment, ServerConfig, ServerName, Transport};

/// The kind of configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `capstan.toml`, in which an unknown key is a mistake.
    Own,
    /// The JSON that many clients share, each with keys of its own.
    Shared,
}

#[derive(Debug)]
pub(super) enum ServerEntry {
    Server(Box<ServerConfig>),
    /// A known server that must not be used.
    Disabled(ServerName),
}

const OWN_KEYS: [&str; 10] = [
    "command",
    "args",
    "env",
    "inherit",
    "cwd",
    "url",
    "headers",
    "start_timeout",
    "call_timeout",
    "disabled",
];

/// Headers that the protocol uses.
const RESERVED_HEADERS: [&str; 7] = [
    "accept",
    "content-type",
    "content-length",
    "host",
    "mcp-session-id",
    "mcp-protocol-version",
    "last-event-id",
];

pub(super) fn read(
    name: &str,
    entry: &Value,
    dialect: Dialect,
    environment: &Environment,
) -> Result<ServerEntry, Vec<ConfigProblem>> {
    let about = |message: String| ConfigProblem {
        server: Some(name.chars().take(ServerName::MAX_LENGTH).collect()),
        message,
    };
    let server = ServerName::parse(name).map_err(|error| vec![about(error.to_string())])?;
    let Value::Object(entry) = entry else {
        return Err(vec![about(
            "expected a table with `command` or `url`".to_owned(),
        )]);
    };
    let mut fields = Fields::new(entry, environment);
    match parse_entry(server, entry, dialect, environment, &mut fields) {
        Some(mut entry) if fields.problems.is_empty() => {
            if let ServerEntry::Server(config) = &mut entry {
                config.inserted_secrets = fields.inserted_secrets;
            }
            Ok(entry)
        }
        _ => Err(fields.problems.into_iter().map(about).collect()),
    }
}

fn parse_entry(
    name: ServerName,
    entry: &Map<String, Value>,
    dialect: Dialect,
    environment: &Environment,
    fields: &mut Fields<'_>,
) -> Option<ServerEntry> {
    if dialect == Dialect::Own {
        fields.reject_unknown_keys(&OWN_KEYS);
    }
    // A disabled server must not report variables that are not set.
    if fields.flag("disabled") == Some(true) {
        return Some(ServerEntry::Disabled(name));
    }
    let transport = match transport_kind(entry, fields)? {
        TransportKind::Stdio => stdio(environment, fields),
        TransportKind::Http => http(fields),
    };
    let mut config = ServerConfig::new(name, transport?);
    if dialect == Dialect::Own {
        let start_timeout = fields.seconds("start_timeout");
        let call_timeout = fields.seconds("call_timeout");
        config.start_timeout = start_timeout.unwrap_or(config.start_timeout);
        config.call_timeout = call_timeout.unwrap_or(config.call_timeout);
    }
    Some(ServerEntry::Server(Box::new(config)))
}

enum TransportKind {
    Stdio,
    Http,
}

fn transport_kind(entry: &Map<String, Value>, fields: &mut Fields<'_>) -> Option<TransportKind> {
    let declared = ["type", "transport"]
        .iter()
        .find_map(|key| entry.get(*key).and_then(Value::as_str));
    match declared {
        None => match (fields.has("command"), fields.has("url")) {
            (true, false) => Some(TransportKind::Stdio),
            (false, true) => Some(TransportKind::Http),
            (true, true) => {
                fields.problem("it has both `command` and `url`: keep one of them");
                None
            }
            (false, false) => {
                fields.problem("it has neither `command` nor `url`: one of them is needed");
                None
            }
        },
        Some("stdio") => Some(TransportKind::Stdio),
        Some("http" | "streamable-http" | "streamable_http" | "streamableHttp") => {
            Some(TransportKind::Http)
        }
        Some("sse") => {
            fields.problem(
                "the transport `sse` is obsolete and not supported: most servers also offer \
                 streamable HTTP, often at `/mcp` (`\"type\": \"http\"`)",
            );
            None
        }
        Some(other) => {
            let other: String = other.chars().take(40).collect();
            fields.problem(format!(
                "unknown type `{other}`: expected `stdio` or `http`"
            ));
            None
        }
    }
}

fn stdio(environment: &Environment, fields: &mut Fields<'_>) -> Option<Transport> {
    let command = fields.text("command");
    if !fields.has("command") || command.as_deref() == Some("") {
        fields
            .problem("`command` is missing: expected the program to start, without its arguments");
    }
    let args = fields.texts("args");
    let mut env = fields.pairs("env");
    for (name, _) in &env {
        if name.is_empty() || name.contains(['=', '\0']) {
            fields.problem("`env` has an invalid variable name");
        }
    }
    for name in fields.texts("inherit") {
        let is_given = env.iter().any(|(known, _)| *known == name);
        if !is_given && let Some(value) = environment.get(&name) {
            env.push((name, Secret::new(value)));
        }
    }
    let has_nul = |text: &String| text.contains('\0');
    let has_nul_in_env = env.iter().any(|(_, value)| value.expose().contains('\0'));
    if has_nul_in_env || args.iter().chain(&command).any(has_nul) {
        fields.problem("a text contains a zero byte");
    }
    let cwd = fields.text("cwd").map(PathBuf::from);
    Some(Transport::Stdio {
        command: command?,
        args,
        env,
        cwd,
    })
}

fn http(fields: &mut Fields<'_>) -> Option<Transport> {
    let headers = fields.pairs("headers");
    for (name, value) in &headers {
        let lower = name.to_ascii_lowercase();
        if RESERVED_HEADERS.contains(&lower.as_str()) {
            fields.problem(format!(
                "the header `{name}` belongs to the protocol: leave it out"
            ));
        } else if HeaderName::try_from(lower).is_err() {
            fields.problem(format!("`{name}` cannot be the name of a header"));
        } else if HeaderValue::try_from(value.expose()).is_err() {
            fields.problem(format!("the value of the header `{name}` cannot be sent"));
        }
    }
    if !fields.has("url") {
        fields.problem("`url` is missing: expected the address of the server");
    }
    let url = fields.text("url")?;
    let url = Url::parse(&url)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    if url.is_none() {
        fields.problem("`url` must be an address that begins with `https://` or `http://`");
    }
    Some(Transport::Http { url: url?, headers })
}
