//! One entry of a configuration file becomes a server.

use std::path::PathBuf;

use capstan_core::Secret;
use http::{HeaderName, HeaderValue};
use serde_json::{Map, Value};
use url::Url;

use super::fields::Fields;
use super::{Environment, Problem, ServerConfig, ServerName, Transport};

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `capstan.toml`: what means nothing is a mistake.
    Own,
    /// The JSON that many clients share, each with keys of its own.
    Shared,
}

#[derive(Debug)]
pub(super) enum Entry {
    Server(Box<ServerConfig>),
    /// It is known, but not to be used.
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

/// Headers that belong to the protocol.
const RESERVED: [&str; 7] = [
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
) -> Result<Entry, Vec<Problem>> {
    let about = |message: String| Problem {
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
    match understood(server, entry, dialect, environment, &mut fields) {
        Some(mut entry) if fields.problems.is_empty() => {
            if let Entry::Server(config) = &mut entry {
                config.hidden = fields.hidden;
            }
            Ok(entry)
        }
        _ => Err(fields.problems.into_iter().map(about).collect()),
    }
}

fn understood(
    name: ServerName,
    entry: &Map<String, Value>,
    dialect: Dialect,
    environment: &Environment,
    fields: &mut Fields<'_>,
) -> Option<Entry> {
    if dialect == Dialect::Own {
        fields.only(&OWN_KEYS);
    }
    // A server that is switched off must not complain about variables that are not set.
    if fields.flag("disabled") == Some(true) {
        return Some(Entry::Disabled(name));
    }
    let transport = match kind(entry, fields)? {
        Kind::Stdio => stdio(environment, fields),
        Kind::Http => http(fields),
    };
    let mut config = ServerConfig::new(name, transport?);
    if dialect == Dialect::Own {
        let start_timeout = fields.seconds("start_timeout");
        let call_timeout = fields.seconds("call_timeout");
        config.start_timeout = start_timeout.unwrap_or(config.start_timeout);
        config.call_timeout = call_timeout.unwrap_or(config.call_timeout);
    }
    Some(Entry::Server(Box::new(config)))
}

enum Kind {
    Stdio,
    Http,
}

fn kind(entry: &Map<String, Value>, fields: &mut Fields<'_>) -> Option<Kind> {
    let stated = ["type", "transport"]
        .iter()
        .find_map(|key| entry.get(*key).and_then(Value::as_str));
    match stated {
        None => match (fields.has("command"), fields.has("url")) {
            (true, false) => Some(Kind::Stdio),
            (false, true) => Some(Kind::Http),
            (true, true) => {
                fields.problem("it has both `command` and `url`: keep one of them");
                None
            }
            (false, false) => {
                fields.problem("it has neither `command` nor `url`: one of them is needed");
                None
            }
        },
        Some("stdio") => Some(Kind::Stdio),
        Some("http" | "streamable-http" | "streamable_http" | "streamableHttp") => Some(Kind::Http),
        Some("sse") => {
            fields.problem(
                "the transport `sse` is of the past and not supported: most servers offer \
                 streamable HTTP too, often at `/mcp` (`\"type\": \"http\"`)",
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
        fields.problem("`command` is missing: the program to start, without its arguments");
    }
    let args = fields.texts("args");
    let mut env = fields.pairs("env");
    for (name, _) in &env {
        if name.is_empty() || name.contains(['=', '\0']) {
            fields.problem("`env` has a name that no variable can have");
        }
    }
    for name in fields.texts("inherit") {
        let given = env.iter().any(|(known, _)| *known == name);
        if let Some(value) = environment.get(&name).filter(|_| !given) {
            env.push((name, Secret::new(value)));
        }
    }
    let holds_nul = |text: &String| text.contains('\0');
    let exposed = env.iter().any(|(_, value)| value.expose().contains('\0'));
    if exposed || args.iter().chain(&command).any(holds_nul) {
        fields.problem("a text has a zero byte in it");
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
        if RESERVED.contains(&lower.as_str()) {
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
        fields.problem("`url` is missing: the address of the server");
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
