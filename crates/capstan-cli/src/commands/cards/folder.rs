//! The folder of an import: written beside its place, and then moved there as a whole.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

/// Marks a folder as that of an import, which the next import may replace.
const MARKER: &str = "import.json";

/// What is written beside the outlines.
pub(super) struct ImportNote<'a> {
    pub(super) service: &'a str,
    pub(super) source: &'a str,
    pub(super) operations: usize,
}

/// Fails if a folder has something else than an import.
pub(super) fn check_replaceable(folder: &Path, service: &str) -> anyhow::Result<()> {
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(cause) => {
            return Err(cause).with_context(|| format!("cannot read `{}`", folder.display()));
        }
    };
    if entries.next().is_none() {
        return Ok(());
    }
    let marker = fs::read(folder.join(MARKER)).ok();
    let marker: Option<Value> = marker.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let imported = marker
        .as_ref()
        .and_then(|marker| marker["service"].as_str());
    match imported {
        Some(known) if known == service => Ok(()),
        Some(other) => bail!(
            "`{}` has the cards of the service `{other}`: choose another folder with --to",
            folder.display()
        ),
        None => bail!(
            "`{}` has files that no import has written, and an import replaces the whole folder: choose another \
             folder with --to",
            folder.display()
        ),
    }
}

/// Replaces a folder. Readers see the old files or the new ones, and on failure the old ones stay.
pub(super) fn replace(
    folder: &Path,
    files: &BTreeMap<String, String>,
    note: &ImportNote<'_>,
) -> anyhow::Result<()> {
    let parent = parent_of(folder);
    fs::create_dir_all(&parent).with_context(|| format!("cannot create `{}`", parent.display()))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".capstan-import-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The umask of the user applies, as for any new folder.
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    let unwritable = || format!("cannot write to `{}`", parent.display());
    let temporary = builder.tempdir_in(&parent).with_context(unwritable)?;
    let fresh = temporary.path().join("new");
    fs::create_dir(&fresh).with_context(unwritable)?;
    for (name, text) in files {
        fs::write(fresh.join(name), text).with_context(unwritable)?;
    }
    let note = json!({
        "service": note.service,
        "source": note.source,
        "operations": note.operations,
    });
    fs::write(fresh.join(MARKER), format!("{note}\n")).with_context(unwritable)?;
    let old = temporary.path().join("old");
    let has_old = folder.exists();
    let unmovable = || format!("cannot replace `{}`", folder.display());
    if has_old {
        fs::rename(folder, &old).with_context(unmovable)?;
    }
    if let Err(cause) = fs::rename(&fresh, folder) {
        if has_old {
            fs::rename(&old, folder).with_context(unmovable)?;
        }
        return Err(cause).with_context(unmovable);
    }
    Ok(())
}

fn parent_of(folder: &Path) -> PathBuf {
    match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}
