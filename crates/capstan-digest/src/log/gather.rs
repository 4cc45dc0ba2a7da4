//! Reads the lines of windows as a reader sees them.

use std::io::{self, BufRead};

use super::clean::{LogLine, Mark};
use super::scan::Window;
use crate::limits::LINE_CHARS;
use crate::line::{LineReader, cut};

/// The lines of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) lines: Vec<(u64, String)>,
}

impl Passage {
    pub(super) fn size(&self) -> usize {
        self.lines.iter().map(|(_, line)| line.len() + 1).sum()
    }

    pub(super) fn first(&self) -> u64 {
        self.lines.first().map_or(0, |(number, _)| *number)
    }

    pub(super) fn last(&self) -> u64 {
        self.lines.last().map_or(0, |(number, _)| *number)
    }
}

/// Returns a passage for each window that has something to read. The windows are in order and do not overlap.
/// What a step runs is left out: its title says it.
pub(super) fn gather(source: impl BufRead, windows: &[Window]) -> io::Result<Vec<Passage>> {
    let mut lines = LineReader::new(source);
    let mut passages = Vec::new();
    let mut windows = windows.iter();
    let Some(mut window) = windows.next() else {
        return Ok(passages);
    };
    let mut passage = Passage { lines: Vec::new() };
    let mut is_in_script = false;
    while let Some(line) = lines.next_line()? {
        while line.number > window.last {
            push(&mut passages, &mut passage);
            match windows.next() {
                Some(next) => window = next,
                None => return Ok(passages),
            }
        }
        let (number, left_out) = (line.number, line.left_out);
        let line = LogLine::new(&line.text);
        let is_script_line = is_in_script;
        match line.mark {
            Some(Mark::Group) => is_in_script = line.text.starts_with("Run "),
            Some(Mark::EndGroup) => is_in_script = false,
            _ => {}
        }
        if number < window.first || is_script_line || is_in_script {
            continue;
        }
        let Some(text) = line.into_text() else {
            continue;
        };
        let text = cut(text.trim_end(), LINE_CHARS, left_out);
        let follows_blank = passage.lines.last().is_none_or(|(_, line)| line.is_empty());
        if text.is_empty() && follows_blank {
            continue;
        }
        passage.lines.push((number, text.into_owned()));
    }
    push(&mut passages, &mut passage);
    Ok(passages)
}

fn push(passages: &mut Vec<Passage>, passage: &mut Passage) {
    while passage
        .lines
        .last()
        .is_some_and(|(_, line)| line.is_empty())
    {
        passage.lines.pop();
    }
    let lines = std::mem::take(&mut passage.lines);
    if !lines.is_empty() {
        passages.push(Passage { lines });
    }
}
