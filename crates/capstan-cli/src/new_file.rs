//! Files that are there as a whole or not at all.

use std::io::Write as _;
use std::path::Path;

/// Fails if there is a file of this name.
pub(crate) fn create(file: &Path, text: &str) -> std::io::Result<()> {
    temporary(file, text)?
        .persist_noclobber(file)
        .map_err(|failed| failed.error)?;
    Ok(())
}

/// Whoever reads the file meanwhile sees the old one or the new one.
pub(crate) fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    // A link stays a link: what it points to is replaced.
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

/// In the same folder, so that it can take the file's place.
fn temporary(file: &Path, text: &str) -> std::io::Result<tempfile::NamedTempFile> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".capstan-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // What the user's umask leaves of it, as for any new file.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut temporary = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    temporary.write_all(text.as_bytes())?;
    temporary.as_file().sync_all()?;
    Ok(temporary)
}
