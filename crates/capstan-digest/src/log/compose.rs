//! Fits passages into a budget, and writes the text of a digest.

use std::fmt::Write as _;

use super::gather::Passage;
use crate::digest::FailedStep;
use crate::limits::{LOG_BYTES, STEP_BYTES};

/// A step that failed, with the lines that say why.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) step: FailedStep,
    pub(super) passages: Vec<Passage>,
}

/// Returns the text about failed steps, as many as there is room for.
pub(super) fn failures_text(failures: &[Failure]) -> String {
    let room = (LOG_BYTES / failures.len().max(1)).max(STEP_BYTES);
    let has_headings = failures.len() > 1;
    let mut text = String::new();
    let mut written: Vec<(&Failure, String)> = Vec::new();
    for (at, failure) in failures.iter().enumerate() {
        if text.len() + STEP_BYTES > LOG_BYTES + STEP_BYTES && at > 0 {
            let left = failures.len() - at;
            let _ = writeln!(text, "\n… {left} more failed steps are listed in `failed`");
            break;
        }
        if has_headings {
            let separator = if at == 0 { "" } else { "\n" };
            let _ = writeln!(text, "{separator}== {}", failure.step.title());
        }
        let plain = plain(&failure.passages);
        match written.iter().find(|(_, known)| *known == plain) {
            Some((same, _)) => {
                let _ = writeln!(text, "the same as in {}", same.step.title());
            }
            None => {
                text.push_str(&fitted(&failure.passages, room));
                written.push((failure, plain));
            }
        }
    }
    text
}

/// Returns passages with their line numbers, within a budget. The last one comes first when room is given away: it has
/// what the step ended with. Then come those from the beginning on, because the first error often causes the others.
pub(super) fn fitted(passages: &[Passage], room: usize) -> String {
    let passages = halved(passages, room);
    let Some((last, earlier)) = passages.split_last() else {
        return String::new();
    };
    let for_last = if earlier.is_empty() {
        room
    } else {
        room * 2 / 5
    };
    let end = shortened(last, for_last, Keep::End);
    let mut left = room.saturating_sub(end.size());
    let mut kept: Vec<Passage> = Vec::new();
    let mut left_out: Vec<String> = Vec::new();
    for passage in earlier {
        if left_out.is_empty() && passage.size() <= left {
            left -= passage.size();
            kept.push(passage.clone());
        } else if kept.is_empty() && left_out.is_empty() {
            let short = shortened(passage, left, Keep::Beginning);
            left = 0;
            left_out.push(format!("{}-{}", short.last() + 1, passage.last()));
            kept.push(short);
        } else {
            left_out.push(format!("{}-{}", passage.first(), passage.last()));
        }
    }
    let mut text = String::new();
    for passage in &kept {
        write_passage(&mut text, passage);
    }
    if !left_out.is_empty() {
        let count = left_out.len();
        left_out.truncate(5);
        let dots = if count > 5 { ", …" } else { "" };
        let _ = writeln!(text, "… more in lines {}{dots}", left_out.join(", "));
    }
    write_passage(&mut text, &end);
    text
}

/// Cuts an only passage for which there is no room, so that its beginning is shown, too.
fn halved(passages: &[Passage], room: usize) -> Vec<Passage> {
    match passages {
        [only] if only.size() > room => {
            let (first, last) = only.lines.split_at(only.lines.len() / 2);
            [first, last]
                .into_iter()
                .filter(|lines| !lines.is_empty())
                .map(|lines| Passage {
                    lines: lines.to_vec(),
                })
                .collect()
        }
        passages => passages.to_vec(),
    }
}

#[derive(Clone, Copy)]
enum Keep {
    Beginning,
    End,
}

/// Returns the lines of a passage for which there is room, at least one.
fn shortened(passage: &Passage, room: usize, keep: Keep) -> Passage {
    let mut size = 0;
    let mut fits = |line: &&(u64, String)| {
        let is_first = size == 0;
        size += line.1.len() + 1;
        is_first || size <= room
    };
    let lines: Vec<_> = match keep {
        Keep::Beginning => passage
            .lines
            .iter()
            .take_while(&mut fits)
            .cloned()
            .collect(),
        Keep::End => {
            let lines = passage.lines.iter().rev().take_while(&mut fits);
            let mut lines: Vec<_> = lines.cloned().collect();
            lines.reverse();
            lines
        }
    };
    Passage { lines }
}

fn write_passage(text: &mut String, passage: &Passage) {
    // Writing to a string cannot fail.
    let _ = match (passage.first(), passage.last()) {
        (first, last) if first == last => writeln!(text, "line {first}:"),
        (first, last) => writeln!(text, "lines {first}-{last}:"),
    };
    for (_, line) in &passage.lines {
        text.push_str(line);
        text.push('\n');
    }
}

/// Returns the lines without their numbers, to compare them.
fn plain(passages: &[Passage]) -> String {
    let lines = passages.iter().flat_map(|passage| &passage.lines);
    lines.map(|(_, line)| format!("{line}\n")).collect()
}
