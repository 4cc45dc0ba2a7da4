//! Reads a text line by line: bytes of any kind, and lines of any length.

use std::borrow::Cow;
use std::io::{self, BufRead, Read as _};

use crate::limits::MAX_LINE_BYTES;

/// Reads lines that end in `\n` or `\r\n`, and counts them.
#[derive(Debug)]
pub(crate) struct LineReader<R> {
    source: R,
    line: Vec<u8>,
    /// The number of the line that was read last, from 1.
    number: u64,
    /// What was read so far, in bytes.
    bytes: u64,
}

/// A line without its end.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    pub(crate) number: u64,
    pub(crate) text: Cow<'a, str>,
    /// How many bytes of it were not kept.
    pub(crate) left_out: u64,
    /// Whether it has an end; the last line of a text may have none.
    pub(crate) is_ended: bool,
}

impl<R: BufRead> LineReader<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            source,
            line: Vec::new(),
            number: 0,
            bytes: 0,
        }
    }

    /// Reads the next line, or `None` at the end. Bytes that are not UTF-8 are replaced.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let read = (&mut self.source)
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        let mut left_out = 0;
        let is_ended = self.line.last() == Some(&b'\n');
        if is_ended {
            self.line.pop();
        } else if read as u64 == MAX_LINE_BYTES {
            left_out = self.source.skip_until(b'\n')? as u64;
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        self.bytes += read as u64 + left_out;
        self.number += 1;
        let text = match self.line.as_slice() {
            first if self.number == 1 => first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first),
            other => other,
        };
        Ok(Some(Line {
            number: self.number,
            text: String::from_utf8_lossy(text),
            left_out,
            is_ended,
        }))
    }

    /// Returns how many lines were read.
    pub(crate) fn lines(&self) -> u64 {
        self.number
    }

    /// Returns how many bytes were read.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Cuts a line after so many characters, and says how many bytes are missing.
pub(crate) fn cut(text: &str, longest: usize, left_out: u64) -> Cow<'_, str> {
    let end = match text.char_indices().nth(longest) {
        Some((end, _)) => end,
        None if left_out == 0 => return Cow::Borrowed(text),
        None => text.len(),
    };
    let missing = (text.len() - end) as u64 + left_out;
    Cow::Owned(format!("{}… [{missing} bytes more]", &text[..end]))
}

/// Returns whether the beginning of a file shows that it is not text.
pub(crate) fn is_binary(beginning: &[u8]) -> bool {
    beginning.contains(&0)
}
