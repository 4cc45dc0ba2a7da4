//! Reads the complete body of an answer, within a deadline and a size limit.

use std::fmt;
use std::time::Instant;

use bytes::{Bytes, BytesMut};
use http::HeaderMap;
use tokio::time::timeout_at;

use crate::gzip;

/// The largest answer that is read, in bytes after decompression.
const MAX_ANSWER_BYTES: usize = 10 * 1024 * 1024;

/// Why an answer could not be read completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    TooLarge {
        limit: usize,
    },
    /// The connection ended, or the bytes cannot be decoded.
    Broken,
    Timeout,
    /// It could not be written to a temporary file.
    NotStored,
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BodyError::TooLarge { limit } => {
                write!(f, "the answer is larger than the limit of {}", size(*limit))
            }
            BodyError::Broken => f.write_str("the answer broke off before its end"),
            BodyError::NotStored => f.write_str(
                "the answer could not be stored: is the folder for temporary files full?",
            ),
            BodyError::Timeout => f.write_str("the answer did not arrive in time"),
        }
    }
}

/// Reads a body to its end and undoes its compression, whatever `headers` say about it.
pub async fn read_body(
    response: reqwest::Response,
    headers: &HeaderMap,
    deadline: Instant,
) -> Result<Bytes, BodyError> {
    let body = read(response, deadline).await?;
    gzip::decoded(body, headers, MAX_ANSWER_BYTES)
}

/// Reads a body to its end, within the deadline and the size limit.
async fn read(mut response: reqwest::Response, deadline: Instant) -> Result<Bytes, BodyError> {
    let too_large = BodyError::TooLarge {
        limit: MAX_ANSWER_BYTES,
    };
    // Most answers are one chunk, which need not be copied.
    let mut first = Bytes::new();
    let mut joined = BytesMut::new();
    loop {
        match timeout_at(deadline.into(), response.chunk()).await {
            Ok(Ok(Some(chunk))) => {
                let read = first.len().max(joined.len());
                if read + chunk.len() > MAX_ANSWER_BYTES {
                    return Err(too_large);
                }
                if first.is_empty() {
                    first = chunk;
                    continue;
                }
                if joined.is_empty() {
                    joined.extend_from_slice(&first);
                }
                joined.extend_from_slice(&chunk);
            }
            Ok(Ok(None)) if joined.is_empty() => return Ok(first),
            Ok(Ok(None)) => return Ok(joined.freeze()),
            Ok(Err(_)) => return Err(BodyError::Broken),
            Err(_) => return Err(BodyError::Timeout),
        }
    }
}

fn size(bytes: usize) -> String {
    const MIB: usize = 1024 * 1024;
    if bytes >= MIB && bytes.is_multiple_of(MIB) {
        format!("{} MiB", bytes / MIB)
    } else {
        format!("{bytes} bytes")
    }
}
