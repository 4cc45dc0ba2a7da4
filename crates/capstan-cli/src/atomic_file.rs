//! Writes files atomically: a reader never sees a part of a file.

use std::io::Write as _;
use std::path::Path;

/// Creates a file. Fails if it exists.
pub(crate) fn create(file: &Path, text: &str) -> std::io::Result<()> {
    temporary(file, text)?
        .persist_noclobber(file)
        .map_err(|failed| failed.error)?;
    Ok(())
}

/// Replaces a file, or creates it. Readers see either the old content or the new one. Permissions are kept.
pub(crate) fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    // A symbolic link stays: its target is replaced.
    let target = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let temporary = temporary(&target, text)?;
    if let Ok(existing) = std::fs::metadata(&target) {
        temporary
            .as_file()
            .set_permissions(existing.permissions())?;
    }
    temporary.persist(&target).map_err(|failed| failed.error)?;
    Ok(())
}

/// Writes a temporary file in the folder of `file`, so that renaming it is atomic.
fn temporary(file: &Path, text: &str) -> std::io::Result<tempfile::NamedTempFile> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".capstan-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The umask of the user applies, as for any new file.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut temporary = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    temporary.write_all(text.as_bytes())?;
    temporary.as_file().sync_all()?;
    Ok(temporary)
}
