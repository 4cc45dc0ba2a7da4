//! Reading, showing and writing a configuration file.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context as _;

use crate::new_file;

/// The text of a file, or nothing when there is none.
pub(super) fn read(file: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

/// The lines that differ, with a little of what is around them.
pub(super) fn show(before: &str, after: &str) -> String {
    const AROUND: usize = 2;
    let old: Vec<_> = before.lines().collect();
    let new: Vec<_> = after.lines().collect();
    let same = |(left, right): &(&&str, &&str)| left == right;
    let head = old.iter().zip(&new).take_while(same).count();
    let tail = old[head..]
        .iter()
        .rev()
        .zip(new[head..].iter().rev())
        .take_while(same)
        .count();
    let before = old[head.saturating_sub(AROUND)..head]
        .iter()
        .map(|it| (' ', it));
    let removed = old[head..old.len() - tail].iter().map(|it| ('-', it));
    let added = new[head..new.len() - tail].iter().map(|it| ('+', it));
    let behind = old[old.len() - tail..].iter().take(AROUND);
    let behind = behind.map(|it| (' ', it));
    let lines = before.chain(removed).chain(added).chain(behind);
    lines
        .map(|(mark, line)| format!("{mark} {line}\n"))
        .collect()
}

/// Replaces a file as a whole, and makes the folder where it is missing.
pub(super) fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    new_file::replace(file, text).with_context(|| format!("cannot replace {}", file.display()))
}
