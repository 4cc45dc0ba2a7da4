//! The writer for logs.

use std::io::Write as _;

use capstan_core::Redactor;

/// Writes log lines to standard error, with secrets masked. A line is buffered until it is complete.
pub(crate) struct RedactedStderr {
    redactor: Redactor,
    line: Vec<u8>,
}

impl RedactedStderr {
    pub(crate) fn new(redactor: Redactor) -> Self {
        Self {
            redactor,
            line: Vec::new(),
        }
    }
}

impl std::io::Write for RedactedStderr {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        std::io::stderr().write_all(self.redactor.text(&text).as_bytes())
    }
}

/// The logger creates one writer for each event and drops it afterwards.
impl Drop for RedactedStderr {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}
