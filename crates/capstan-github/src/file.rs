//! Reads an answer that is a file or a diff, as far as a reader needs it.

use std::io::{Cursor, Read, Seek};

use capstan_core::port::{Answer, Failure};
use capstan_core::{AnswerFormat, ErrorCode, FileSelection, Outcome, ResultError};
use capstan_digest::{DigestError, FileKind, describe, reduce_diff};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use serde_json::{Map, Value};

use crate::classify::{self, Head};
use crate::client::Spool;
use crate::reply::{self, Reply};
use crate::token_facts::token_facts;

/// Describes a file: its type, its size in bytes, the part of its text that is selected, or the names in an archive.
pub(crate) async fn read(
    head: Head,
    file: Spool,
    selection: FileSelection,
    format: AnswerFormat,
) -> Result<Answer, Failure> {
    read_from(head, file.file, file.size, selection, format).await
}

/// Describes a file that arrived as an ordinary answer.
pub(crate) async fn read_reply(reply: Reply, selection: FileSelection) -> Result<Answer, Failure> {
    let body = match &reply.body {
        Ok(body) if reply.head.status == StatusCode::OK => body.clone(),
        _ => return Err(reply::refused_file(&reply)),
    };
    let size = body.len() as u64;
    read_from(
        reply.head,
        Cursor::new(body),
        size,
        selection,
        AnswerFormat::File,
    )
    .await
}

async fn read_from(
    head: Head,
    file: impl Read + Seek + Send + 'static,
    size: u64,
    selection: FileSelection,
    format: AnswerFormat,
) -> Result<Answer, Failure> {
    let kind = match format {
        AnswerFormat::Log => FileKind::Log,
        _ => FileKind::Plain,
    };
    // Unpacking and searching a large file takes longer than others should wait.
    let work = tokio::task::spawn_blocking(move || describe(file, size, &selection, kind));
    let digest = match work.await {
        Ok(digest) => digest.map_err(|error| unreadable(&head, &error))?,
        Err(_) => {
            let message = "the file could not be read";
            let error = ResultError::new(ErrorCode::Unknown, message);
            return Err(Failure::not_sent(error));
        }
    };
    let mut fields = Map::new();
    if format == AnswerFormat::File
        && let Some(media_type) = media_type(&head)
    {
        fields.insert("media_type".to_owned(), media_type.into());
    }
    fields.extend(digest.into_fields());
    Ok(Answer {
        token: token_facts(&head.headers),
        ..Answer::of(Value::Object(fields))
    })
}

/// Describes a diff: its files, and the lines of those that are selected.
pub(crate) fn read_diff(
    head: &Head,
    diff: &str,
    selection: &FileSelection,
) -> Result<Value, Failure> {
    let fields = reduce_diff(diff, selection).map_err(|error| unreadable(head, &error))?;
    Ok(Value::Object(fields))
}

/// Returns the media type without its parameters.
fn media_type(head: &Head) -> Option<&str> {
    let declared = head.headers.get(CONTENT_TYPE)?.to_str().ok()?;
    declared.split(';').next().map(str::trim)
}

fn unreadable(head: &Head, error: &DigestError) -> Failure {
    let code = match error {
        DigestError::NoEntry { .. } | DigestError::NoFile { .. } => ErrorCode::NotFound,
        DigestError::Read(_) => ErrorCode::Unknown,
        DigestError::Damaged => {
            return classify::invalid_body(head, &error.to_string(), Outcome::NotApplied);
        }
        _ => ErrorCode::Validation,
    };
    Failure::not_sent(ResultError::new(code, error.to_string()))
}
