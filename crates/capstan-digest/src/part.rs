//! Reads a part of a text: its beginning, a range of lines, its end, or the lines with a text.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, BufRead};

use aho_corasick::{AhoCorasick, BuildError};
use capstan_core::{FilePart, LineRange};

use crate::limits::{FIND_BYTES, FIND_CONTEXT, HEAD_BYTES, LINE_CHARS, PART_BYTES};
use crate::line::{Line, LineReader, cut};
use crate::log::cleaned;

/// How the lines of a text are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineStyle {
    AsIs,
    /// The lines of a log lose timestamps, colours and marks.
    Log,
}

/// A part of a text.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The size of the whole text in bytes.
    pub(crate) size: u64,
    /// How many lines the whole text has.
    pub(crate) lines: u64,
    pub(crate) shown: Option<(u64, u64)>,
    pub(crate) matches: Option<u64>,
    pub(crate) text: String,
    pub(crate) more: Option<String>,
}

/// Reads a part of a text; without `part`, its beginning.
pub(crate) fn read_part(
    source: impl BufRead,
    part: Option<&FilePart>,
    style: LineStyle,
) -> io::Result<Part> {
    let mut lines = LineReader::new(source);
    let mut found = match part {
        None => {
            let all = LineRange {
                first: 1,
                last: None,
            };
            range(&mut lines, all, HEAD_BYTES, style)
        }
        Some(FilePart::Lines(wanted)) => range(&mut lines, *wanted, PART_BYTES, style),
        Some(FilePart::Tail(count)) => tail(&mut lines, *count, style),
        Some(FilePart::Find(text)) => find(&mut lines, text, style),
    }?;
    found.size = lines.bytes();
    found.lines = lines.lines();
    found.more = match part {
        Some(FilePart::Find(_)) => found.more,
        _ => more(&found, part),
    };
    Ok(found)
}

/// Returns a line as it is shown, or `None` if it is only a mark.
fn styled(line: &Line<'_>, longest: usize, style: LineStyle) -> Option<String> {
    match style {
        LineStyle::AsIs => Some(cut(&line.text, longest, line.left_out).into_owned()),
        LineStyle::Log => {
            let text = cleaned(&line.text)?;
            Some(cut(&text, longest, line.left_out).into_owned())
        }
    }
}

fn range<R: BufRead>(
    lines: &mut LineReader<R>,
    wanted: LineRange,
    most: usize,
    style: LineStyle,
) -> io::Result<Part> {
    let mut part = Part::default();
    let mut is_full = false;
    while let Some(line) = lines.next_line()? {
        if is_full || !wanted.contains(line.number) {
            continue;
        }
        // A file that is one long line is shown as far as there is room.
        let longest = match part.shown {
            None => most,
            Some(_) => LINE_CHARS.max(most / 4),
        };
        let is_ended = line.is_ended || line.left_out > 0;
        let Some(text) = styled(&line, longest, style) else {
            continue;
        };
        if part.shown.is_some() && part.text.len() + text.len() > most {
            is_full = true;
            continue;
        }
        let first = part.shown.map_or(line.number, |(first, _)| first);
        part.shown = Some((first, line.number));
        part.text.push_str(&text);
        if is_ended {
            part.text.push('\n');
        }
    }
    Ok(part)
}

fn tail<R: BufRead>(lines: &mut LineReader<R>, count: u64, style: LineStyle) -> io::Result<Part> {
    let mut kept: VecDeque<(u64, String)> = VecDeque::new();
    let mut bytes = 0;
    while let Some(line) = lines.next_line()? {
        let Some(text) = styled(&line, LINE_CHARS.max(PART_BYTES / 4), style) else {
            continue;
        };
        bytes += text.len() + 1;
        kept.push_back((line.number, text));
        let is_one_too_many = kept.len() as u64 > count;
        let mut drops = is_one_too_many || bytes > PART_BYTES;
        while drops && kept.len() > 1 {
            bytes -= kept.pop_front().map_or(0, |(_, text)| text.len() + 1);
            drops = bytes > PART_BYTES;
        }
    }
    let first = kept.front().map(|(number, _)| *number);
    let last = kept.back().map(|(number, _)| *number);
    let mut text = String::with_capacity(bytes);
    for (_, line) in kept {
        text.push_str(&line);
        text.push('\n');
    }
    Ok(Part {
        shown: first.zip(last),
        text,
        ..Part::default()
    })
}

/// Shows matches as `grep` does: `12:` before a line with the text, `13-` before the lines around it.
fn find<R: BufRead>(lines: &mut LineReader<R>, text: &str, style: LineStyle) -> io::Result<Part> {
    let needle = needle(text).map_err(io::Error::other)?;
    let mut part = Part::default();
    let mut matches = 0;
    let mut before: VecDeque<(u64, String)> = VecDeque::new();
    let mut last_shown = 0;
    let mut after = 0;
    let mut first_left_out = None;
    while let Some(line) = lines.next_line()? {
        let number = line.number;
        let Some(text) = styled(&line, LINE_CHARS, style) else {
            continue;
        };
        let is_match = needle.is_match(line.text.as_ref());
        matches += u64::from(is_match);
        if part.text.len() > FIND_BYTES {
            if is_match {
                first_left_out.get_or_insert(number);
            }
            continue;
        }
        if is_match {
            let first = before.front().map_or(number, |(first, _)| *first);
            if last_shown > 0 && first > last_shown + 1 {
                part.text.push_str("--\n");
            }
            for (number, line) in before.drain(..) {
                show(&mut part.text, number, '-', &line);
            }
            show(&mut part.text, number, ':', &text);
            last_shown = number;
            after = FIND_CONTEXT;
        } else if after > 0 {
            after -= 1;
            show(&mut part.text, number, '-', &text);
            last_shown = number;
        } else {
            before.push_back((number, text));
            if before.len() as u64 > FIND_CONTEXT {
                before.pop_front();
            }
        }
    }
    part.matches = Some(matches);
    part.more = first_left_out.map(|number| {
        format!("more lines match, from line {number} on: `lines: {number}-` reads on there")
    });
    Ok(part)
}

/// Returns what finds a text, in upper or lower case.
pub(crate) fn needle(text: &str) -> Result<AhoCorasick, BuildError> {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build([text])
}

fn show(text: &mut String, number: u64, mark: char, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{number}{mark}{line}");
}

/// Says how to read what is left out, or what was wrong with a range.
fn more(found: &Part, part: Option<&FilePart>) -> Option<String> {
    let all = found.lines;
    let Some((first, last)) = found.shown else {
        return match part {
            Some(FilePart::Lines(wanted)) if all > 0 => Some(format!(
                "there is nothing to show in lines {wanted}: the text has {all} lines"
            )),
            _ => None,
        };
    };
    let page = last - first + 1;
    let next = last + 1;
    let next_end = (last + page).min(all);
    match part {
        None if last < all => Some(format!(
            "`lines: {next}-{next_end}`, `tail: 50` or `find: TEXT` shows other lines"
        )),
        // The caller may have asked for less than there is, but got even less than that.
        Some(FilePart::Lines(wanted)) if last < wanted.last.unwrap_or(all).min(all) => {
            let end = wanted.last.unwrap_or(all).min(all);
            Some(format!("`lines: {next}-{end}` reads on"))
        }
        Some(FilePart::Tail(count)) if first > 1 && page < (*count).min(all) => {
            let before = first.saturating_sub(page).max(1);
            Some(format!(
                "there was no room for more: `lines: {before}-{}` shows what is before",
                first - 1
            ))
        }
        _ => None,
    }
}
