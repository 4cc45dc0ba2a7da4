//! Reduces a diff: all of it if it is small, otherwise its files, and the hunks of those that are asked for.

use std::io;

use capstan_core::{FileSelection, glob, similar};
use serde_json::{Map, Value, json};

use super::parse::{DiffFile, FileStatus, files_of};
use crate::error::{DigestError, shortened};
use crate::limits::{DIFF_BYTES, DIFF_PART_BYTES, MAX_DIFF_FILES};
use crate::part::{LineStyle, read_part};

/// Returns what a reader sees of a diff: the counts, the files, and the text of the files that were asked for. A small
/// diff is shown whole. `entry` of the selection is the path of a file, or a pattern.
pub fn reduce_diff(
    diff: &str,
    selection: &FileSelection,
) -> Result<Map<String, Value>, DigestError> {
    let files = files_of(diff);
    let chosen = match &selection.entry {
        Some(wanted) => chosen(&files, wanted)?,
        None => files.iter().collect(),
    };
    let sum = |count: fn(&DiffFile<'_>) -> u64| -> u64 { chosen.iter().map(|it| count(it)).sum() };
    let mut digest = Map::new();
    digest.insert("changed_files".to_owned(), chosen.len().into());
    digest.insert("additions".to_owned(), sum(|it| it.additions).into());
    digest.insert("deletions".to_owned(), sum(|it| it.deletions).into());
    let rows: Vec<Value> = chosen
        .iter()
        .take(MAX_DIFF_FILES)
        .map(|it| row(it))
        .collect();
    digest.insert("files".to_owned(), rows.into());
    // What comes before the first file, such as the message of a patch, belongs to the whole.
    let text = match &selection.entry {
        Some(_) => chosen.iter().map(|it| it.text).collect(),
        None => diff.to_owned(),
    };
    if let Some(part) = &selection.part {
        let part = read_part(text.as_bytes(), Some(part), LineStyle::AsIs)
            .map_err(|error: io::Error| DigestError::Read(error))?;
        let shown = part.shown.map(|(first, last)| format!("{first}-{last}"));
        digest.insert("lines".to_owned(), part.lines.into());
        digest.extend(shown.map(|shown| ("shown".to_owned(), shown.into())));
        let matches = part
            .matches
            .map(|count| ("matches".to_owned(), count.into()));
        digest.extend(matches);
        digest.extend(part.more.map(|more| ("more".to_owned(), more.into())));
        digest.insert("text".to_owned(), part.text.into());
        return Ok(digest);
    }
    let room = match selection.entry {
        Some(_) => DIFF_PART_BYTES,
        None => DIFF_BYTES,
    };
    if text.len() <= room {
        digest.insert("text".to_owned(), text.into());
        return Ok(digest);
    }
    let more = match (&selection.entry, chosen.as_slice()) {
        (Some(_), [_]) => {
            let shown = beginning(&text, room);
            let next = shown.lines().count() + 1;
            let all = text.lines().count();
            digest.insert("lines".to_owned(), all.into());
            digest.insert("text".to_owned(), shown.into());
            format!("`lines: {next}-{all}` reads on in the same file")
        }
        _ => {
            let unlisted = chosen.len().saturating_sub(MAX_DIFF_FILES);
            let others = match unlisted {
                0 => String::new(),
                count => format!("{count} more files are not listed. "),
            };
            format!(
                "{others}The diff has {} bytes: `path` with a file or a pattern, such as `{}`, shows its lines",
                text.len(),
                example(&chosen)
            )
        }
    };
    digest.insert("more".to_owned(), more.into());
    Ok(digest)
}

fn chosen<'a>(
    files: &'a [DiffFile<'a>],
    wanted: &str,
) -> Result<Vec<&'a DiffFile<'a>>, DigestError> {
    let former = |file: &DiffFile<'_>| match &file.status {
        FileStatus::Renamed(former) => former == wanted,
        _ => false,
    };
    let folder = format!("{}/", wanted.trim_end_matches('/'));
    let mut chosen: Vec<_> = files
        .iter()
        .filter(|file| file.path == wanted || former(file))
        .collect();
    if chosen.is_empty() {
        let fits =
            |file: &&DiffFile<'_>| glob::fits(wanted, &file.path) || file.path.starts_with(&folder);
        chosen = files.iter().filter(fits).collect();
    }
    if chosen.is_empty() {
        let near = similar::suggestions(wanted, files.iter().map(|file| &file.path));
        return Err(DigestError::NoFile {
            name: shortened(wanted),
            near: near.into_iter().map(|path| shortened(path)).collect(),
        });
    }
    Ok(chosen)
}

fn row(file: &DiffFile<'_>) -> Value {
    let mut row = json!({
        "path": file.path,
        "status": file.status.name(),
        "additions": file.additions,
        "deletions": file.deletions,
    });
    if let FileStatus::Renamed(former) = &file.status {
        row["former_path"] = json!(former);
    }
    row
}

/// Returns the whole lines at the beginning for which there is room.
fn beginning(text: &str, room: usize) -> String {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if end + line.len() > room {
            break;
        }
        end += line.len();
    }
    if end == 0 {
        // One long line, cut where a character ends.
        end = text
            .char_indices()
            .map(|(at, _)| at)
            .take_while(|at| *at <= room)
            .last()
            .unwrap_or(0);
    }
    text[..end].to_owned()
}

/// Returns the file whose lines are most likely wanted next.
fn example<'a>(files: &[&'a DiffFile<'a>]) -> &'a str {
    let largest = files
        .iter()
        .max_by_key(|file| file.additions + file.deletions);
    largest.map_or("src/*", |file| file.path.as_str())
}
