//! How far a chain is, on one line of a terminal that is written over and over. Without sequences
//! for the terminal, so that it works on every one.

use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::DIM;

/// How wide the line is that stands on the terminal now.
static WIDTH: AtomicUsize = AtomicUsize::new(0);

/// The line, for as long as this value lives.
pub(crate) struct ProgressLine {
    shown: bool,
    finished: AtomicUsize,
}

impl ProgressLine {
    /// Shows nothing unless it is wanted and standard error is a terminal.
    pub(crate) fn start(wanted: bool) -> Self {
        Self {
            shown: wanted && std::io::stderr().is_terminal(),
            finished: AtomicUsize::new(0),
        }
    }

    pub(crate) fn show(&self, finished: usize, total: usize) {
        let same = self.finished.swap(finished, Ordering::Relaxed) == finished;
        let stands = WIDTH.load(Ordering::Relaxed) > 0;
        if !self.shown || (same && stands) {
            return;
        }
        let text = format!("{finished} of {total} steps");
        let width = text.chars().count();
        let before = WIDTH.swap(width, Ordering::Relaxed);
        let rest = " ".repeat(before.saturating_sub(width));
        let mut stderr = anstream::stderr();
        let _ = write!(stderr, "\r{DIM}{text}{DIM:#}{rest}").and_then(|()| stderr.flush());
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        clear();
    }
}

/// Makes room for something else.
pub(super) fn clear() {
    let width = WIDTH.swap(0, Ordering::Relaxed);
    if width > 0 {
        let mut stderr = anstream::stderr();
        let _ = write!(stderr, "\r{}\r", " ".repeat(width)).and_then(|()| stderr.flush());
    }
}
