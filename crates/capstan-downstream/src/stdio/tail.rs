//! The last that a process wrote to standard error.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};

/// How much is kept.
const KEPT: usize = 4 * 1024;

/// Clones share what is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    /// Reads to the end; what is older than the last few kilobytes is dropped.
    pub(super) async fn read(&self, mut pipe: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; KEPT];
        while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
            self.push(&chunk[..read]);
        }
    }

    /// Whole lines as far as there are any, without what would steer a terminal.
    pub(super) fn text(&self) -> String {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = &*kept.make_contiguous();
        let whole = if bytes.len() == KEPT {
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
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_last_whole_lines_are_kept() {
        let tail = Tail::default();
        let lines: String = (0..2_000).map(|n| format!("line {n}\n")).collect();
        tail.read(lines.as_bytes()).await;
        let text = tail.text();
        assert!(text.len() <= KEPT);
        assert!(text.starts_with("line "), "{text}");
        assert!(text.ends_with("line 1999"), "{text}");
    }

    #[tokio::test]
    async fn nothing_of_it_steers_a_terminal() {
        let tail = Tail::default();
        tail.read(&b"\x1b[31mred\x07\r\n\tnext \xff\n"[..]).await;
        assert_eq!(tail.text(), "[31mred\n\tnext \u{fffd}");
    }
}
