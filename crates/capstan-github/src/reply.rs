//! Turns status, headers and body into an answer or a failure, in the same way for HTTP and `gh
//! api`.

use bytes::Bytes;
use capstan_core::port::{Answer, Fact, Failure};
use capstan_core::{AnswerFormat, ErrorCode, Outcome, ResultError};
use capstan_http::{BodyError, next_page_query};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use serde::Deserialize;
use serde_json::Value;

use crate::classify::{self, Head};
use crate::token_facts::token_facts;

/// An HTTP answer, as far as it could be read.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) head: Head,
    pub(crate) body: Result<Bytes, BodyError>,
}

/// Reads the answer to a REST read. Status 202 is a failure: GitHub is still preparing the answer,
/// and its empty body would look like an empty result.
pub(crate) fn rest_read(reply: &Reply, format: AnswerFormat) -> Result<Answer, Failure> {
    refuse_unfinished(reply)?;
    rest(reply, format)
}

/// Returns what it means that an answer is no complete file.
pub(crate) fn refused_file(reply: &Reply) -> Failure {
    let refused = refuse_unfinished(reply)
        .and_then(|()| success_body(reply, Outcome::NotApplied).map(|_| ()));
    refused.err().unwrap_or_else(|| {
        let what = format!("the answer is not a file (status {})", reply.head.status);
        classify::invalid_body(&reply.head, &what, Outcome::NotApplied)
    })
}

/// Refuses the answer to a read that GitHub is still preparing.
fn refuse_unfinished(reply: &Reply) -> Result<(), Failure> {
    if reply.head.status == StatusCode::ACCEPTED {
        let message = "GitHub is still preparing the answer (status 202): send the same call again in a moment";
        let failure = Failure {
            status: Some(reply.head.status.as_u16()),
            retry_after: classify::retry_after(ErrorCode::Server, &reply.head),
            is_pending: true,
            ..Failure::not_sent(ResultError::new(ErrorCode::Server, message))
        };
        return Err(failure.with_detail_of(Fact::Status));
    }
    Ok(())
}

/// Reads a REST answer. If a write has a success status, it was applied.
pub(crate) fn rest(reply: &Reply, format: AnswerFormat) -> Result<Answer, Failure> {
    let head = &reply.head;
    let body = if format == AnswerFormat::YesOrNo && says_no(reply) {
        Value::Bool(false)
    } else {
        let body = success_body(reply, Outcome::Applied)?;
        let is_empty = head.status == StatusCode::NO_CONTENT || body.trim_ascii().is_empty();
        match format {
            AnswerFormat::YesOrNo => Value::Bool(true),
            AnswerFormat::Text | AnswerFormat::File | AnswerFormat::Log | AnswerFormat::Diff => {
                text(head, body)?
            }
            AnswerFormat::Auto if is_empty => Value::Null,
            AnswerFormat::Auto if is_json(head) => parse(head, body, Outcome::Applied)?,
            AnswerFormat::Auto => text(head, body)?,
            AnswerFormat::Json if is_empty => Value::Null,
            AnswerFormat::Json => parse(head, body, Outcome::Applied)?,
        }
    };
    Ok(Answer {
        next_page: next_page_query(&head.headers),
        is_accepted: head.status == StatusCode::ACCEPTED,
        token: token_facts(&head.headers),
        ..Answer::of(body)
    })
}

/// Returns whether an answer has no file: it is empty, JSON or a text that is no web page or archive.
pub(crate) fn is_json_or_text(reply: &Reply) -> bool {
    let body = reply.body.as_ref();
    !reply.head.status.is_success()
        || is_json(&reply.head)
        || body.is_ok_and(|body| !capstan_digest::is_archive(body) && str::from_utf8(body).is_ok())
}

/// Returns whether the head says that the body is JSON; also without a type, because GitHub's API answers with JSON.
pub(crate) fn is_json(head: &Head) -> bool {
    let Some(kind) = head.headers.get(CONTENT_TYPE) else {
        return true;
    };
    let kind = kind.to_str().unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.ends_with("/json") || kind.ends_with("+json")
}

/// Reads a GraphQL answer. Its status is 200 even for refusals, so after an unreadable answer it is
/// unknown whether a write was applied.
pub(crate) fn graphql(reply: &Reply) -> Result<Answer, Failure> {
    let head = &reply.head;
    if head.status == StatusCode::NOT_FOUND {
        return Err(classify::graphql_missing(head));
    }
    let body = success_body(reply, Outcome::Unknown)?;
    let mut value = parse(head, body, Outcome::Unknown)?;
    let errors = match value.get_mut("errors").map(Value::take) {
        Some(Value::Array(errors)) => errors,
        Some(Value::Null) | None => Vec::new(),
        Some(_) => return Err(invalid_graphql(head, "`errors` is not a list")),
    };
    match value.get_mut("data").map(Value::take) {
        Some(Value::Object(data)) => Ok(Answer {
            errors: classify::partial_errors(head, &data, &errors),
            token: token_facts(&head.headers),
            ..Answer::of(Value::Object(data))
        }),
        Some(Value::Null) | None if !errors.is_empty() => {
            Err(classify::failure_from_errors(head, &errors))
        }
        Some(Value::Null) | None => Err(invalid_graphql(head, "it has neither data nor errors")),
        Some(_) => Err(invalid_graphql(head, "`data` is not an object")),
    }
}

/// Returns whether this is GitHub's own status 404. A web page is that of something in between.
fn says_no(reply: &Reply) -> bool {
    let is_own = |body: &Bytes| serde_json::from_slice::<GithubMessage>(body).is_ok();
    reply.head.status == StatusCode::NOT_FOUND && reply.body.as_ref().is_ok_and(is_own)
}

/// The body of GitHub's refusals, as far as it shows that they are GitHub's.
#[derive(Deserialize)]
struct GithubMessage {
    #[serde(rename = "message")]
    _message: String,
}

fn text(head: &Head, body: &[u8]) -> Result<Value, Failure> {
    let text = str::from_utf8(body).map_err(|_| {
        let what = format!("the answer is not text ({} bytes)", body.len());
        classify::invalid_body(head, &what, Outcome::Applied)
    })?;
    Ok(Value::from(text))
}

/// Returns the complete body of a success. Everything else is a failure.
pub(crate) fn success_body(reply: &Reply, if_truncated: Outcome) -> Result<&[u8], Failure> {
    let head = &reply.head;
    match &reply.body {
        _ if head.status.is_redirection() => Err(classify::unfollowed_redirect(head)),
        Ok(body) if head.status.is_success() => Ok(body),
        Ok(body) => Err(classify::refusal(head, body)),
        Err(error) if head.status.is_success() => {
            Err(classify::truncated_success(head, *error, if_truncated))
        }
        Err(_) => Err(classify::truncated_refusal(head)),
    }
}

fn parse(head: &Head, body: &[u8], if_not_json: Outcome) -> Result<Value, Failure> {
    serde_json::from_slice(body).map_err(|_| {
        if is_html(head, body) {
            // A proxy's page: GitHub may never have received the request.
            let what = "the answer is a web page, not JSON: is there a proxy in between?";
            classify::invalid_body(head, what, Outcome::Unknown)
        } else {
            classify::invalid_body(head, "the answer is not JSON", if_not_json)
        }
    })
}

fn invalid_graphql(head: &Head, what: &str) -> Failure {
    let what = format!("the answer is not valid GraphQL: {what}");
    classify::invalid_body(head, &what, Outcome::Unknown)
}

fn is_html(head: &Head, body: &[u8]) -> bool {
    let declared = head
        .headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    declared || body.trim_ascii_start().starts_with(b"<")
}
