//! Stores a large answer while it arrives: small ones in memory, others in a temporary file.

use std::io::{self, Seek as _, SeekFrom, Write};
use std::time::Instant;

use capstan_http::BodyError;
use flate2::write::MultiGzDecoder;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use tempfile::SpooledTempFile;
use tokio::time::timeout_at;

/// The largest file that is downloaded, in bytes. Compression is undone before they are counted.
const MAX_FILE_BYTES: usize = 100 << 20;

/// Up to this size, a file stays in memory.
const MAX_IN_MEMORY: usize = 8 << 20;

/// A downloaded file, to be read from its beginning.
#[derive(Debug)]
pub(crate) struct Spool {
    pub(crate) file: SpooledTempFile,
    /// In bytes.
    pub(crate) size: u64,
}

const TOO_LARGE: BodyError = BodyError::TooLarge {
    limit: MAX_FILE_BYTES,
};

/// Reads a file to its end, within the deadline and the size limit.
pub(super) async fn read(
    mut response: reqwest::Response,
    headers: &HeaderMap,
    deadline: Instant,
) -> Result<Spool, BodyError> {
    if declared_size(headers).is_some_and(|size| size > MAX_FILE_BYTES as u64) {
        return Err(TOO_LARGE);
    }
    let target = Limited {
        file: SpooledTempFile::new(MAX_IN_MEMORY),
        size: 0,
    };
    let mut target = match headers
        .get(CONTENT_ENCODING)
        .map(|coding| coding.as_bytes())
    {
        None | Some(b"identity") => Target::Plain(target),
        Some(b"gzip" | b"x-gzip") => Target::Gzip(Box::new(MultiGzDecoder::new(target))),
        // Nobody asked for another coding.
        Some(_) => return Err(BodyError::Broken),
    };
    loop {
        match timeout_at(deadline.into(), response.chunk()).await {
            Ok(Ok(Some(chunk))) => target.write(&chunk)?,
            Ok(Ok(None)) => break,
            Ok(Err(_)) => return Err(BodyError::Broken),
            Err(_) => return Err(BodyError::Timeout),
        }
    }
    let Limited { mut file, size } = target.finish()?;
    file.seek(SeekFrom::Start(0))
        .map_err(|_| BodyError::NotStored)?;
    Ok(Spool { file, size })
}

/// Returns the size that the server declares, in bytes as they are sent.
pub(super) fn declared_size(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

enum Target {
    Plain(Limited),
    Gzip(Box<MultiGzDecoder<Limited>>),
}

impl Target {
    fn write(&mut self, chunk: &[u8]) -> Result<(), BodyError> {
        let result = match self {
            Self::Plain(target) => target.write_all(chunk),
            Self::Gzip(decoder) => decoder.write_all(chunk),
        };
        result.map_err(|error| meaning(&error))
    }

    fn finish(self) -> Result<Limited, BodyError> {
        match self {
            Self::Plain(target) => Ok(target),
            Self::Gzip(decoder) => decoder.finish().map_err(|error| meaning(&error)),
        }
    }
}

/// Why nothing more is stored.
#[derive(Debug, thiserror::Error)]
#[error("nothing more can be stored")]
struct Stopped(BodyError);

/// A file that takes only so many bytes.
struct Limited {
    file: SpooledTempFile,
    size: u64,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.size += bytes.len() as u64;
        if self.size > MAX_FILE_BYTES as u64 {
            return Err(io::Error::other(Stopped(TOO_LARGE)));
        }
        self.file
            .write_all(bytes)
            .map_err(|_| io::Error::other(Stopped(BodyError::NotStored)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns our own error, or else that of the decoder.
fn meaning(error: &io::Error) -> BodyError {
    let own = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<Stopped>());
    own.map_or(BodyError::Broken, |stopped| stopped.0)
}
