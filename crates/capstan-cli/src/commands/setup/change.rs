//! Reads, compares and writes a configuration file.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context as _;

use crate::atomic_file;

/// Returns the text of a file, or `None` if there is no file.
pub(super) fn read_if_exists(file: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", file.display())),
    }
}

/// Returns the lines that differ, marked with `-` and `+`, and a few lines around them.
pub(super) fn diff_text(before: &str, after: &str) -> String {
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
    let leading = old[head.saturating_sub(AROUND)..head]
        .iter()
        .map(|it| (' ', it));
    let removed = old[head..old.len() - tail].iter().map(|it| ('-', it));
    let added = new[head..new.len() - tail].iter().map(|it| ('+', it));
    let trailing = old[old.len() - tail..]
        .iter()
        .take(AROUND)
        .map(|it| (' ', it));
    let lines = leading.chain(removed).chain(added).chain(trailing);
    lines
        .map(|(mark, line)| format!("{mark} {line}\n"))
        .collect()
}

/// Replaces a file atomically, and creates its folder if it is missing.
pub(super) fn replace(file: &Path, text: &str) -> anyhow::Result<()> {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create `{}`", folder.display()))?;
    }
    atomic_file::replace(file, text).with_context(|| format!("cannot replace `{}`", file.display()))
}
