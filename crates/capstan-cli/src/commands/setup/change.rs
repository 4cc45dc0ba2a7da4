//! Reading, showing and writing a configuration file.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context as _;

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

/// Replaces a file as a whole: whoever reads it sees the old text or the new one.
pub(super) fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    // A link stays a link: what it points to is replaced.
    let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let folder = target
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".capstan-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // What the user's umask leaves of it, as for any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut temporary = builder
        .tempfile_in(folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    temporary.write_all(text.as_bytes())?;
    if let Ok(existing) = fs::metadata(&target) {
        temporary
            .as_file()
            .set_permissions(existing.permissions())?;
    }
    temporary.as_file().sync_all()?;
    temporary
        .persist(&target)
        .with_context(|| format!("cannot replace {}", target.display()))?;
    Ok(())
}
