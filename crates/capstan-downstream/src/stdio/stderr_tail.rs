//! The end of what a process wrote to standard error.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};

/// How many bytes are kept.
const KEPT_BYTES: usize = 4 * 1024;

/// Clones share the kept bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct StderrTail(Arc<Mutex<VecDeque<u8>>>);

impl StderrTail {
    /// Reads to the end and keeps only the last few kilobytes.
    pub(super) async fn read(&self, mut pipe: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; KEPT_BYTES];
        while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
            self.push(&chunk[..read]);
        }
    }

    /// Returns whole lines as far as possible, without control characters that would steer a
    /// terminal.
    pub(super) fn text(&self) -> String {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = &*kept.make_contiguous();
        let whole = if bytes.len() == KEPT_BYTES {
            let cut = bytes.iter().position(|byte| *byte == b'\n');
            cut.map_or(bytes, |cut| &bytes[cut + 1..])
        } else {
            bytes
        };
        let text = String::from_utf8_lossy(whole);
        let shown = |c: &char| !c.is_control() || *c == '\n' || *c == '\t';
        text.trim().chars().filter(shown).collect()
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let excess = kept.len().saturating_sub(KEPT_BYTES);
        kept.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_last_whole_lines_are_kept() {
        let tail = StderrTail::default();
        let lines: String = (0..2_000).map(|n| format!("line {n}\n")).collect();
        tail.read(lines.as_bytes()).await;
        let text = tail.text();
        assert!(text.len() <= KEPT_BYTES);
        assert!(text.starts_with("line "), "{text}");
        assert!(text.ends_with("line 1999"), "{text}");
    }

    #[tokio::test]
    async fn nothing_of_it_steers_a_terminal() {
        let tail = StderrTail::default();
        tail.read(&b"\x1b[31mred\x07\r\n\tnext \xff\n"[..]).await;
        assert_eq!(tail.text(), "[31mred\n\tnext \u{fffd}");
    }
}
