//! The text of an error: GitHub's own message without its noise, or ours where GitHub gives none.

use http::StatusCode;
use serde_json::Value;
use url::Url;

/// The longest message, in characters. Longer ones cost tokens and say no more, so they are
/// truncated.
const MAX_CHARACTERS: usize = 600;

/// The start of advice to people, which does not help a caller.
const NOISE: [&str; 4] = [
    " If you reach out to GitHub Support",
    " Please include `",
    " For more on scraping GitHub",
    " Please modify your token's scopes at",
];

/// Returns the `message` of a REST body with the details of its `errors`; `None` if the body has
/// neither.
pub(crate) fn from_body(body: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let errors: Vec<_> = value
        .get("errors")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(from_field_error)
        .collect();
    let message = value.get("message").and_then(Value::as_str);
    match (message, errors.is_empty()) {
        (Some(message), true) => Some(tidy(message)),
        (Some(message), false) => Some(tidy(&format!("{message}: {}", errors.join("; ")))),
        (None, false) => Some(tidy(&errors.join("; "))),
        (None, true) => None,
    }
}

pub(crate) fn from_graphql_error(error: &Value) -> String {
    match error.get("message").and_then(Value::as_str) {
        Some(message) if !message.trim().is_empty() => tidy(message),
        _ => "GitHub gave an error without a message".to_owned(),
    }
}

pub(crate) fn for_status(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(reason) => format!("GitHub answered HTTP {} ({reason})", status.as_u16()),
        None => format!("GitHub answered HTTP {}", status.as_u16()),
    }
}

/// Returns an address without the parts that may be secret: login, query and fragment.
pub(crate) fn without_secrets(address: &str) -> String {
    let path = |text: &str| text.split(['?', '#']).next().unwrap_or_default().to_owned();
    match Url::parse(address) {
        Ok(url) if url.has_host() => {
            format!("{}{}", url.origin().ascii_serialization(), url.path())
        }
        Ok(_) | Err(_) => path(address),
    }
}

/// Returns the message that `gh` printed, without its prefixes and without the lists that it
/// appends.
pub(crate) fn from_stderr(stderr: &str) -> String {
    let mut lines = stderr
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let Some(first) = lines.next() else {
        return "gh failed without saying why".to_owned();
    };
    let first = first.strip_prefix("gh: ").unwrap_or(first);
    match first.strip_prefix("GraphQL: ") {
        Some(message) => tidy(without_path(message)),
        None => tidy(first),
    }
}

/// Finds the HTTP status in the first line of `gh`'s output. It is at the start, as in `HTTP 404:
/// Not Found (URL)`, perhaps after `failed to get runs: `, or at the end, as in `gh: Not Found
/// (HTTP 404)`. Elsewhere it may be part of a user's text.
pub(crate) fn status_in(stderr: &str) -> Option<StatusCode> {
    let line = stderr.lines().find(|line| !line.trim().is_empty())?.trim();
    let line = line.strip_prefix("gh: ").unwrap_or(line);
    let message = match line.split_once(": ") {
        Some((doing, message)) if is_activity(doing) => message,
        _ => line,
    };
    let digits = match message.strip_prefix("HTTP ") {
        Some(rest) => rest.get(..3)?,
        None => {
            let at = line.rfind("(HTTP ")?;
            line[at..].strip_prefix("(HTTP ")?.strip_suffix(')')?
        }
    };
    digits.parse().ok()
}

/// Returns whether the text is `gh`'s description of what it failed to do, in plain words of its
/// own.
fn is_activity(doing: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b' ';
    doing.starts_with("failed to ") && doing.bytes().all(plain)
}

/// Removes the path that `gh` appends to a GraphQL error: `… (repository.issue)`.
fn without_path(message: &str) -> &str {
    let is_path = |path: &str| {
        path.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'))
    };
    match message
        .strip_suffix(')')
        .and_then(|message| message.rsplit_once(" ("))
    {
        Some((message, path)) if is_path(path) => message,
        _ => message,
    }
}

fn from_field_error(error: &Value) -> Option<String> {
    if let Some(text) = error.as_str() {
        return Some(text.to_owned());
    }
    let text = |key: &str| error.get(key).and_then(Value::as_str);
    if let Some(message) = text("message") {
        return Some(message.to_owned());
    }
    let code = text("code")?.replace('_', " ");
    Some(match text("field").or_else(|| text("resource")) {
        Some(place) => format!("{place} {code}"),
        None => code,
    })
}

fn tidy(message: &str) -> String {
    let end = NOISE
        .iter()
        .filter_map(|noise| message.find(noise))
        .min()
        .unwrap_or(message.len());
    let mut tidy = message[..end]
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if let Some((end, _)) = tidy.char_indices().nth(MAX_CHARACTERS) {
        tidy.truncate(end);
        tidy.push('…');
    }
    tidy
}
