//! Reading, showing and writing a configuration file.

use std::fs;
use std::io::{self, Write};
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
pub(super) fn show(before: &str, after: &str, out: &mut dyn Write) -> anyhow::Result<()> {
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
    for line in &old[head.saturating_sub(AROUND)..head] {
        writeln!(out, "  {line}")?;
    }
    for line in &old[head..old.len() - tail] {
        writeln!(out, "- {line}")?;
    }
    for line in &new[head..new.len() - tail] {
        writeln!(out, "+ {line}")?;
    }
    for line in old[old.len() - tail..].iter().take(AROUND) {
        writeln!(out, "  {line}")?;
    }
    Ok(())
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
