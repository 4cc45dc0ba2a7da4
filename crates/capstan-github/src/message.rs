//! The words of an error: GitHub's own, without their noise, or ours where there are none.

use http::StatusCode;
use serde_json::Value;
use url::Url;

use crate::classify::{Cut, Fault};

/// Longer messages are cut: they cost tokens and tell no more.
const LONGEST: usize = 600;

/// GitHub's advice to people, useless to a caller.
const NOISE: [&str; 4] = [
    " If you reach out to GitHub Support",
    " Please include `",
    " For more on scraping GitHub",
    " Please modify your token's scopes at",
];

/// `message` of a REST body, with what its `errors` add. `None` when it is not such a body.
pub(crate) fn of_body(body: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let errors: Vec<_> = value
        .get("errors")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(of_field_error)
        .collect();
    let said = value.get("message").and_then(Value::as_str);
    match (said, errors.is_empty()) {
        (Some(said), true) => Some(tidy(said)),
        (Some(said), false) => Some(tidy(&format!("{said}: {}", errors.join("; ")))),
        (None, false) => Some(tidy(&errors.join("; "))),
        (None, true) => None,
    }
}

pub(crate) fn of_graphql_error(error: &Value) -> String {
    match error.get("message").and_then(Value::as_str) {
        Some(said) if !said.trim().is_empty() => tidy(said),
        _ => "GitHub gave an error without a message".to_owned(),
    }
}

pub(crate) fn of_status(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(reason) => format!("GitHub answered HTTP {} ({reason})", status.as_u16()),
        None => format!("GitHub answered HTTP {}", status.as_u16()),
    }
}

/// An address without what may be secret in it: a login, a query, a fragment.
pub(crate) fn of_address(address: &str) -> String {
    let path = |text: &str| text.split(['?', '#']).next().unwrap_or_default().to_owned();
    match Url::parse(address) {
        Ok(url) if url.has_host() => {
            format!("{}{}", url.origin().ascii_serialization(), url.path())
        }
        Ok(_) | Err(_) => path(address),
    }
}

pub(crate) fn of_fault(fault: Fault, host: &str) -> String {
    match fault {
        Fault::Refused => format!("`{host}` refused the connection"),
        Fault::Dns => format!("the name `{host}` cannot be resolved"),
        Fault::Tls => format!("no trusted TLS connection to `{host}`"),
        Fault::Connect => format!("cannot connect to `{host}`"),
        Fault::Reset => format!("`{host}` reset the connection"),
        Fault::Closed => format!("`{host}` closed the connection without an answer"),
        Fault::Timeout => format!("no answer from `{host}` in time"),
        Fault::Garbled => format!("what `{host}` answered is not HTTP"),
        Fault::Other => format!("the request to `{host}` failed on its way"),
    }
}

pub(crate) fn of_cut(cut: Cut) -> String {
    match cut {
        Cut::TooLarge { limit } => {
            format!("the answer is larger than the limit of {}", size(limit))
        }
        Cut::Broken => "the answer broke off before its end".to_owned(),
        Cut::Timeout => "the answer did not arrive in time".to_owned(),
    }
}

/// What `gh` says, without its prefixes and without the lists it appends.
pub(crate) fn of_stderr(stderr: &str) -> String {
    let mut lines = stderr
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let Some(first) = lines.next() else {
        return "gh failed without saying why".to_owned();
    };
    let first = first.strip_prefix("gh: ").unwrap_or(first);
    match first.strip_prefix("GraphQL: ") {
        Some(said) => tidy(without_path(said)),
        None => tidy(first),
    }
}

/// The status in `HTTP 404: Not Found (URL)` at the start, perhaps after `failed to get runs: `,
/// or in `gh: Not Found (HTTP 404)` at the end of the first line. Elsewhere it may be somebody's
/// text.
pub(crate) fn status_in(stderr: &str) -> Option<StatusCode> {
    let line = stderr.lines().find(|line| !line.trim().is_empty())?.trim();
    let line = line.strip_prefix("gh: ").unwrap_or(line);
    let said = match line.split_once(": ") {
        Some((doing, said)) if is_activity(doing) => said,
        _ => line,
    };
    let digits = match said.strip_prefix("HTTP ") {
        Some(rest) => rest.get(..3)?,
        None => {
            let at = line.rfind("(HTTP ")?;
            line[at..].strip_prefix("(HTTP ")?.strip_suffix(')')?
        }
    };
    digits.parse().ok()
}

/// What `gh` says it failed to do: plain words of its own.
fn is_activity(doing: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b' ';
    doing.starts_with("failed to ") && doing.bytes().all(plain)
}

/// `gh` appends the path of a GraphQL error: `… (repository.issue)`.
fn without_path(said: &str) -> &str {
    let is_path = |path: &str| {
        path.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'))
    };
    match said
        .strip_suffix(')')
        .and_then(|said| said.rsplit_once(" ("))
    {
        Some((message, path)) if is_path(path) => message,
        _ => said,
    }
}

fn of_field_error(error: &Value) -> Option<String> {
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

fn tidy(said: &str) -> String {
    let end = NOISE
        .iter()
        .filter_map(|noise| said.find(noise))
        .min()
        .unwrap_or(said.len());
    let mut tidy = said[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = tidy.char_indices().nth(LONGEST) {
        tidy.truncate(end);
        tidy.push('…');
    }
    tidy
}

fn size(bytes: usize) -> String {
    const MIB: usize = 1024 * 1024;
    if bytes >= MIB && bytes.is_multiple_of(MIB) {
        format!("{} MiB", bytes / MIB)
    } else {
        format!("{bytes} bytes")
    }
}
