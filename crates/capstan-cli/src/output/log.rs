//! Where logs go.

use std::io::Write as _;

use capstan_core::Redactor;

/// Standard error for logs, a line at a time, without secrets.
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

/// The logger makes one writer for each event and drops it after.
impl Drop for RedactedStderr {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}
