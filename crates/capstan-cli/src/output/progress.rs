//! How far a chain is, or how long code runs, on one line of a terminal that is written over and
//! over. Without sequences for the terminal, so that it works on every one.

use std::future::Future;
use std::io::{IsTerminal as _, Write as _};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use capstan_engine::Progress;

use super::{DIM, Table};

/// How wide the line is that stands on the terminal now.
static WIDTH: AtomicUsize = AtomicUsize::new(0);

/// The line, for as long as this value lives.
pub(crate) struct ProgressLine {
    shown: bool,
    /// What stands there.
    text: Mutex<String>,
}

impl ProgressLine {
    /// Shows nothing unless it is wanted and standard error is a terminal.
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
        let text = line(now, Table::room().unwrap_or(WIDEST));
        let mut stands = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        if *stands != text || WIDTH.load(Ordering::Relaxed) == 0 {
            put(&text);
            *stands = text;
        }
    }
}

/// Where the terminal does not say how wide it is.
const WIDEST: usize = 80;

/// `2 of 6 steps: label, close`, cut where it would not fit.
fn line(now: &Progress, room: usize) -> String {
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

/// What takes less is not worth a line; then it is written so often.
const NOTICEABLE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(200);

/// Waits for something, and shows that it is under way if it takes long.
pub(crate) async fn while_running<T>(wanted: bool, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    if !wanted || !std::io::stderr().is_terminal() {
        return work.await;
    }
    let mut passed = NOTICEABLE;
    let mut pause = NOTICEABLE;
    let mut turns = ['|', '/', '-', '\\'].into_iter().cycle();
    loop {
        tokio::select! {
            biased;
            done = &mut work => {
                clear();
                return done;
            }
            () = tokio::time::sleep(pause) => {
                let turn = turns.next().unwrap_or(' ');
                put(&format!("{turn} running for {} s", passed.as_secs()));
                passed += TICK;
                pause = TICK;
            }
        }
    }
}

/// Writes over what stands there.
fn put(text: &str) {
    let width = text.chars().count();
    let before = WIDTH.swap(width, Ordering::Relaxed);
    let rest = " ".repeat(before.saturating_sub(width));
    let mut stderr = anstream::stderr();
    let _ = write!(stderr, "\r{DIM}{text}{DIM:#}{rest}").and_then(|()| stderr.flush());
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
        assert_eq!(line(&now, 80), "2 of 6 steps: fetch/label, close");
        assert_eq!(line(&now, 20), "2 of 6 steps: fetc…");
        assert_eq!(line(&Progress::default(), 80), "0 of 0 steps");
    }
}
