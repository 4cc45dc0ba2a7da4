//! Finds the steps of a log, and the lines in them that tell of failures, in one pass.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::clean::{LogLine, Mark};
use super::signs::{Around, sign_in};
use crate::line::LineReader;

/// How many signs of a step are kept: the first and the last.
const FIRST_SIGNS: usize = 40;
const LAST_SIGNS: usize = 12;

/// Up to so many lines, a step is shown whole.
const SHORT: u64 = 25;

/// The lines before an error of the runner: with other signs in the step, and without.
const BEFORE_ERROR: u64 = 3;
const BEFORE_LONELY_ERROR: u64 = 15;

/// What one pass over a log found.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) steps: Vec<StepScan>,
    /// The whole log, in lines and in bytes.
    pub(super) lines: u64,
    pub(super) bytes: u64,
}

/// A step, as far as one pass shows it.
#[derive(Debug, Default)]
pub(super) struct StepScan {
    pub(super) title: String,
    pub(super) first: u64,
    pub(super) last: u64,
    /// Whether it only prepares or cleans up.
    pub(super) is_upkeep: bool,
    pub(super) exit_code: Option<i64>,
    errors: Signs,
    signs: Signs,
}

/// Whether a log has several steps, or only the step of this name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Steps<'a> {
    Several,
    Only(&'a str),
}

/// A range of lines, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) first: u64,
    pub(super) last: u64,
}

pub(super) fn scan(source: impl BufRead, steps: Steps<'_>) -> io::Result<Scan> {
    let mut lines = LineReader::new(source);
    let mut scan = Scan::default();
    let (title, is_upkeep) = match steps {
        Steps::Several => ("Set up job", true),
        Steps::Only(title) => (title, false),
    };
    let mut step = StepScan::new(title, 1, is_upkeep);
    let mut is_in_script = false;
    while let Some(line) = lines.next_line()? {
        let number = line.number;
        let line = LogLine::new(&line.text);
        if let Steps::Several = steps
            && let Some((title, is_upkeep)) = beginning_of_step(&line)
        {
            let next = StepScan::new(title, number, is_upkeep);
            scan.steps
                .extend(std::mem::replace(&mut step, next).ended());
        }
        step.last = number;
        match line.mark {
            Some(Mark::Group) => is_in_script = line.text.starts_with("Run "),
            Some(Mark::EndGroup) => is_in_script = false,
            Some(Mark::Error) => step.add_error(number, &line.text),
            // The words of a script are no failures.
            _ if is_in_script => {}
            _ => step.signs.extend(number, sign_in(&line.text)),
        }
    }
    scan.lines = lines.lines();
    scan.bytes = lines.bytes();
    scan.steps.extend(step.ended());
    Ok(scan)
}

/// Returns the title of the step that begins with a line, and whether it only cleans up.
fn beginning_of_step<'a>(line: &'a LogLine<'_>) -> Option<(&'a str, bool)> {
    match (line.mark, line.text.as_ref()) {
        (Some(Mark::Group), title) if title.starts_with("Run ") => Some((title, false)),
        (None, "Post job cleanup.") => Some(("Post job cleanup", true)),
        (None, "Cleaning up orphan processes") => Some(("Complete job", true)),
        _ => None,
    }
}

impl StepScan {
    fn new(title: &str, first: u64, is_upkeep: bool) -> Self {
        Self {
            title: title.chars().take(100).collect(),
            first,
            is_upkeep,
            ..Self::default()
        }
    }

    /// Returns the step if it has a line.
    fn ended(self) -> Option<Self> {
        (self.last >= self.first).then_some(self)
    }

    fn add_error(&mut self, number: u64, text: &str) {
        let around = Around {
            before: BEFORE_ERROR,
            after: 0,
        };
        self.errors.extend(number, Some(around));
        let code = text
            .strip_prefix("Process completed with exit code ")
            .and_then(|rest| rest.trim_end_matches('.').parse().ok());
        self.exit_code = code.or(self.exit_code);
    }

    /// Returns whether the runner reported an error.
    pub(super) fn has_failed(&self) -> bool {
        self.errors.count() > 0
    }

    /// Returns the ranges that say why the step failed, in order, without overlaps.
    pub(super) fn windows(&self) -> Vec<Window> {
        if self.last - self.first < SHORT {
            let (first, last) = (self.first, self.last);
            return vec![Window { first, last }];
        }
        let is_lonely = self.signs.count() == 0;
        let errors = self.errors.iter().map(|(line, around)| {
            let before = if is_lonely {
                BEFORE_LONELY_ERROR
            } else {
                around.before
            };
            (line, Around { before, ..around })
        });
        let mut windows: Vec<Window> = errors
            .chain(self.signs.iter())
            .map(|(line, around)| Window {
                first: line.saturating_sub(around.before).max(self.first),
                last: (line + around.after).min(self.last),
            })
            .collect();
        windows.sort_by_key(|window| window.first);
        let mut merged: Vec<Window> = Vec::new();
        for window in windows {
            match merged.last_mut() {
                // A gap of one line is not worth a heading.
                Some(before) if window.first <= before.last + 2 => {
                    before.last = before.last.max(window.last);
                }
                _ => merged.push(window),
            }
        }
        merged
    }

    /// Returns the last lines.
    pub(super) fn end(&self, count: u64) -> Window {
        let first = (self.last + 1).saturating_sub(count).max(self.first);
        let last = self.last;
        Window { first, last }
    }
}

/// The first and the last signs in a step.
#[derive(Debug, Default)]
struct Signs {
    first: Vec<(u64, Around)>,
    last: VecDeque<(u64, Around)>,
}

impl Signs {
    fn extend(&mut self, line: u64, sign: Option<Around>) {
        let Some(sign) = sign else {
            return;
        };
        if self.first.len() < FIRST_SIGNS {
            self.first.push((line, sign));
            return;
        }
        if self.last.len() == LAST_SIGNS {
            self.last.pop_front();
        }
        self.last.push_back((line, sign));
    }

    fn count(&self) -> usize {
        self.first.len() + self.last.len()
    }

    fn iter(&self) -> impl Iterator<Item = (u64, Around)> + '_ {
        self.first.iter().chain(&self.last).copied()
    }
}
