//! Shows progress on one line of the terminal, which is overwritten with carriage returns. It uses no escape sequences,
//! so that it works on every terminal.

use std::future::Future;
use std::io::{IsTerminal as _, Write as _};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use capstan_engine::Progress;

use super::{DIM, Table};

/// The width of the line that is shown now; 0 if there is none.
static SHOWN_WIDTH: AtomicUsize = AtomicUsize::new(0);

/// Shows the progress of a chain. The line is cleared when this value is dropped.
pub(crate) struct ProgressLine {
    shown: bool,
    /// The text that is shown.
    text: Mutex<String>,
}

impl ProgressLine {
    /// Starts without a line. Nothing is ever shown unless `wanted` is set and standard error is a terminal.
    pub(crate) fn start(wanted: bool) -> Self {
        Self {
            shown: wanted && std::io::stderr().is_terminal(),
            text: Mutex::default(),
        }
    }

    pub(crate) fn show(&self, now: &Progress) {
        if !self.shown {
            return;
        }
        let text = progress_text(now, Table::terminal_width().unwrap_or(DEFAULT_WIDTH));
        let mut shown_text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        if *shown_text != text || SHOWN_WIDTH.load(Ordering::Relaxed) == 0 {
            overwrite(&text);
            *shown_text = text;
        }
    }
}

/// The width that is assumed if the width of the terminal is unknown.
const DEFAULT_WIDTH: usize = 80;

/// Formats progress such as `2 of 6 steps: label, close`, cut to fit.
fn progress_text(now: &Progress, room: usize) -> String {
    let mut text = format!("{} of {} steps", now.finished, now.total);
    if !now.doing.is_empty() {
        text.push_str(": ");
        text.push_str(&now.doing.join(", "));
    }
    let most = room.saturating_sub(1);
    if text.chars().count() > most {
        text = text.chars().take(most.saturating_sub(1)).collect();
        text.push('…');
    }
    text
}

/// The time after which work is shown as running.
const NOTICEABLE: Duration = Duration::from_secs(1);

/// The time between two updates.
const TICK: Duration = Duration::from_millis(200);

/// Runs work, and shows a spinner if it takes longer than [`NOTICEABLE`].
pub(crate) async fn with_spinner<T>(wanted: bool, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    if !wanted || !std::io::stderr().is_terminal() {
        return work.await;
    }
    let mut passed = NOTICEABLE;
    let mut pause = NOTICEABLE;
    let mut frames = ['|', '/', '-', '\\'].into_iter().cycle();
    loop {
        tokio::select! {
            biased;
            done = &mut work => {
                clear();
                return done;
            }
            () = tokio::time::sleep(pause) => {
                let frame = frames.next().unwrap_or(' ');
                overwrite(&format!("{frame} running for {} s", passed.as_secs()));
                passed += TICK;
                pause = TICK;
            }
        }
    }
}

/// Overwrites the line on the terminal.
fn overwrite(text: &str) {
    let width = text.chars().count();
    let before = SHOWN_WIDTH.swap(width, Ordering::Relaxed);
    let rest = " ".repeat(before.saturating_sub(width));
    let mut stderr = anstream::stderr();
    let _ = write!(stderr, "\r{DIM}{text}{DIM:#}{rest}").and_then(|()| stderr.flush());
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        clear();
    }
}

/// Clears the line, so that other text can be printed.
pub(super) fn clear() {
    let width = SHOWN_WIDTH.swap(0, Ordering::Relaxed);
    if width > 0 {
        let mut stderr = anstream::stderr();
        let _ = write!(stderr, "\r{}\r", " ".repeat(width)).and_then(|()| stderr.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fits_into_its_terminal() {
        let now = Progress {
            finished: 2,
            total: 6,
            doing: vec!["fetch/label".to_owned(), "close".to_owned()],
        };
        assert_eq!(progress_text(&now, 80), "2 of 6 steps: fetch/label, close");
        assert_eq!(progress_text(&now, 20), "2 of 6 steps: fetc…");
        assert_eq!(progress_text(&Progress::default(), 80), "0 of 0 steps");
    }
}
