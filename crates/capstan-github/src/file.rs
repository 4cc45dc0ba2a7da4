//! Reads an answer that is a file: a text, an archive, or anything else.

use bytes::Bytes;
use capstan_core::port::{Answer, Failure};
use capstan_core::{ErrorCode, Outcome, ResultError};
use http::header::CONTENT_TYPE;
use serde_json::{Map, Value, json};

use crate::archive::{self, ArchiveError};
use crate::classify::{self, Head};
use crate::reply::{self, Reply};
use crate::token_facts::token_facts;

/// Describes the file: its type, its size in bytes, its text, or the names in an archive. `entry` is the file to read
/// in an archive.
pub(crate) fn read(reply: &Reply, entry: Option<&str>) -> Result<Answer, Failure> {
    reply::refuse_unfinished(reply)?;
    let bytes = reply::success_body(reply, Outcome::NotApplied)?;
    let mut file = Map::new();
    if let Some(media_type) = media_type(&reply.head) {
        file.insert("media_type".to_owned(), media_type.into());
    }
    let content = match entry {
        Some(name) => {
            archive::read_entry(bytes, name).map_err(|error| unreadable(&reply.head, &error))?
        }
        None => Bytes::copy_from_slice(bytes),
    };
    file.insert("size".to_owned(), content.len().into());
    if entry.is_none() && archive::is_archive(&content) {
        let entries =
            archive::entries(&content).map_err(|error| unreadable(&reply.head, &error))?;
        let entries = entries.into_iter();
        let entries: Vec<_> = entries
            .map(|it| json!({"name": it.name, "size": it.size}))
            .collect();
        file.insert("entries".to_owned(), entries.into());
    } else if let Ok(text) = str::from_utf8(&content) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        file.insert("text".to_owned(), text.into());
    }
    Ok(Answer {
        token: token_facts(&reply.head.headers),
        ..Answer::of(Value::Object(file))
    })
}

/// Returns the media type without its parameters.
fn media_type(head: &Head) -> Option<&str> {
    let declared = head.headers.get(CONTENT_TYPE)?.to_str().ok()?;
    declared.split(';').next().map(str::trim)
}

fn unreadable(head: &Head, error: &ArchiveError) -> Failure {
    let code = match error {
        ArchiveError::NotThere { .. } => ErrorCode::NotFound,
        ArchiveError::TooLarge { .. } | ArchiveError::NoArchive => ErrorCode::Validation,
        ArchiveError::Damaged => {
            return classify::invalid_body(head, &error.to_string(), Outcome::NotApplied);
        }
    };
    Failure::not_sent(ResultError::new(code, error.to_string()))
}
