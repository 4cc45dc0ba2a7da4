//! Turns status, headers and body into an answer or a failure.

use bytes::Bytes;
use capstan_core::expr::Scope;
use capstan_core::port::{Answer, Failure};
use capstan_core::{AnswerFormat, Outcome};
use capstan_http::BodyError;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use serde_json::{Map, Value};

use crate::classify::{self, Head};
use crate::settings::ServiceSettings;

/// An HTTP answer, as far as it could be read.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) head: Head,
    pub(crate) body: Result<Bytes, BodyError>,
}

/// Reads a REST answer. If a write has a success status, it was applied.
pub(crate) fn rest(
    settings: &ServiceSettings,
    reply: &Reply,
    format: AnswerFormat,
) -> Result<Answer, Failure> {
    let head = &reply.head;
    if format == AnswerFormat::YesOrNo && head.status == StatusCode::NOT_FOUND {
        // A web page is that of something in between.
        let is_own = reply.body.as_ref().is_ok_and(|body| !is_html(head, body));
        if is_own {
            return Ok(Answer::of(Value::Bool(false)));
        }
    }
    let body = success_body(settings, reply, Outcome::Applied)?;
    let is_empty = head.status == StatusCode::NO_CONTENT || body.trim_ascii().is_empty();
    let value = match format {
        AnswerFormat::YesOrNo => Value::Bool(true),
        AnswerFormat::Text | AnswerFormat::File | AnswerFormat::Log | AnswerFormat::Diff => {
            text(head, body)?
        }
        AnswerFormat::Auto | AnswerFormat::Json if is_empty => Value::Null,
        AnswerFormat::Auto if !is_json(head) => text(head, body)?,
        AnswerFormat::Auto | AnswerFormat::Json => parse(head, body, Outcome::Applied)?,
    };
    let none = Map::new();
    let is_error = |value: &Value| {
        let when = settings.errors.when.as_ref();
        when.is_some_and(|when| when.holds(&Scope::new(value, &none)))
    };
    if is_error(&value) {
        return Err(classify::error_in_success(settings, head, &value));
    }
    Ok(Answer {
        is_accepted: head.status == StatusCode::ACCEPTED,
        ..Answer::of(value)
    })
}

/// Reads a GraphQL answer. Its status is often 200 even for refusals, so after an unreadable answer it is unknown
/// whether a write was applied.
pub(crate) fn graphql(settings: &ServiceSettings, reply: &Reply) -> Result<Answer, Failure> {
    let head = &reply.head;
    let body = success_body(settings, reply, Outcome::Unknown)?;
    let mut value = parse(head, body, Outcome::Unknown)?;
    let invalid = |what: &str| {
        let what = format!("the answer is not valid GraphQL: {what}");
        classify::invalid_body(head, &what, Outcome::Unknown)
    };
    let errors = match value.get_mut("errors").map(Value::take) {
        Some(Value::Array(errors)) => errors,
        Some(Value::Null) | None => Vec::new(),
        Some(_) => return Err(invalid("`errors` is not a list")),
    };
    match value.get_mut("data").map(Value::take) {
        Some(Value::Object(data)) => Ok(Answer {
            errors: classify::partial_errors(head, &data, &errors),
            ..Answer::of(Value::Object(data))
        }),
        Some(Value::Null) | None if !errors.is_empty() => {
            Err(classify::failure_from_errors(head, &errors))
        }
        Some(Value::Null) | None => Err(invalid("it has neither data nor errors")),
        Some(_) => Err(invalid("`data` is not an object")),
    }
}

/// Returns the complete body of a success. Everything else is a failure.
fn success_body<'a>(
    settings: &ServiceSettings,
    reply: &'a Reply,
    if_truncated: Outcome,
) -> Result<&'a [u8], Failure> {
    let head = &reply.head;
    match &reply.body {
        _ if head.status.is_redirection() => {
            Err(classify::unfollowed_redirect(settings.name.as_str(), head))
        }
        Ok(body) if head.status.is_success() => Ok(body),
        Ok(body) => Err(classify::refusal(settings, head, body)),
        Err(error) if head.status.is_success() => {
            Err(classify::truncated_success(head, *error, if_truncated))
        }
        Err(_) => Err(classify::truncated_refusal(settings, head)),
    }
}

/// Returns whether the head says that the body is JSON, or says nothing.
fn is_json(head: &Head) -> bool {
    let Some(kind) = head.headers.get(CONTENT_TYPE) else {
        return true;
    };
    let kind = kind.to_str().unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.ends_with("/json") || kind.ends_with("+json")
}

fn text(head: &Head, body: &[u8]) -> Result<Value, Failure> {
    let text = str::from_utf8(body).map_err(|_| {
        let what = format!("the answer is not text ({} bytes)", body.len());
        classify::invalid_body(head, &what, Outcome::Applied)
    })?;
    Ok(Value::from(text))
}

fn parse(head: &Head, body: &[u8], if_not_json: Outcome) -> Result<Value, Failure> {
    serde_json::from_slice(body).map_err(|_| {
        if is_html(head, body) {
            // A proxy's page: the service may never have received the request.
            let what = "the answer is a web page, not JSON: is `base_url` the address of the API?";
            classify::invalid_body(head, what, Outcome::Unknown)
        } else {
            classify::invalid_body(head, "the answer is not JSON", if_not_json)
        }
    })
}

fn is_html(head: &Head, body: &[u8]) -> bool {
    let kind = head.headers.get(CONTENT_TYPE);
    let declared = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    declared || body.trim_ascii_start().starts_with(b"<")
}
