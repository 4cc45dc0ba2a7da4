//! Turns a server's refusal into an error of the taxonomy.

use capstan_core::{ErrorCode, ResultError};
use http::StatusCode;
use serde_json::Value;

/// How many characters of a server's own message are shown.
const MAX_MESSAGE_CHARS: usize = 300;

pub(super) fn to_error(status: StatusCode, body: &[u8], host: &str) -> ResultError {
    let code = code(status);
    let hint = match code {
        ErrorCode::Auth => ": check the key",
        ErrorCode::NotFound => ": check the address and the name of the model",
        _ => "",
    };
    let said = match words(body) {
        Some(words) => format!(" and said `{words}`"),
        None => String::new(),
    };
    let status = status.as_u16();
    let message = format!("`{host}` answered the request for embeddings with {status}{said}{hint}");
    ResultError::new(code, message).with_detail("status", status)
}

fn code(status: StatusCode) -> ErrorCode {
    match status.as_u16() {
        401 | 403 => ErrorCode::Auth,
        404 => ErrorCode::NotFound,
        429 => ErrorCode::RateLimit,
        400 | 405..=407 | 409..=428 => ErrorCode::Validation,
        408 | 500..=599 => ErrorCode::Server,
        _ => ErrorCode::Unknown,
    }
}

/// Returns the server's message from the places where OpenAI and compatible servers put it.
fn words(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let places = [
        &body["error"]["message"],
        &body["error"],
        &body["message"],
        &body["detail"],
    ];
    let words = places.into_iter().find_map(Value::as_str)?;
    let words: Vec<_> = words.split_whitespace().collect();
    let words = words.join(" ");
    Some(match words.char_indices().nth(MAX_MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_servers_put_them() {
        for (body, expected) in [
            (
                r#"{"error":{"message":"no such\n model"}}"#,
                Some("no such model"),
            ),
            (r#"{"error":"no such model"}"#, Some("no such model")),
            (r#"{"message":"busy"}"#, Some("busy")),
            (r#"{"detail":"busy"}"#, Some("busy")),
            (r#"{"detail":[{"loc":1}]}"#, None),
            ("<html>", None),
        ] {
            assert_eq!(words(body.as_bytes()).as_deref(), expected, "{body}");
        }
        let long = format!(r#"{{"message":"{}"}}"#, "é".repeat(400));
        assert_eq!(
            words(long.as_bytes()).unwrap().chars().count(),
            MAX_MESSAGE_CHARS + 1
        );
    }
}
