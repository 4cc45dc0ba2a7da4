//! The location of the database, and how its file is created.

use std::fs::{DirBuilder, OpenOptions};
use std::path::{Path, PathBuf};

use crate::fault::{Fault, StoreResult};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    File(PathBuf),
    Memory,
}

/// Identifies the file that a path led to. A file can be removed or replaced while it is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    #[cfg(unix)]
    device_and_inode: (u64, u64),
}

impl Location {
    /// Returns the path that errors name.
    pub(crate) fn file(&self) -> &Path {
        match self {
            Location::File(file) => file,
            Location::Memory => Path::new(":memory:"),
        }
    }

    pub(crate) fn exists(&self) -> StoreResult<bool> {
        match self {
            Location::Memory => Ok(true),
            Location::File(file) => file.try_exists().map_err(|error| file_fault(file, error)),
        }
    }

    /// Identifies the present file; `None` if there is none.
    pub(crate) fn file_identity(&self) -> Option<FileIdentity> {
        match self {
            Location::Memory => None,
            Location::File(file) => std::fs::metadata(file)
                .ok()
                .map(|it| FileIdentity::from_metadata(&it)),
        }
    }
}

impl FileIdentity {
    #[cfg(unix)]
    fn from_metadata(metadata: &std::fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self {
            device_and_inode: (metadata.dev(), metadata.ino()),
        }
    }

    // An open file cannot be removed on this platform.
    #[cfg(not(unix))]
    fn from_metadata(_: &std::fs::Metadata) -> Self {
        Self {}
    }
}

/// Creates the parent folder of a file if it is missing; only its owner can read it.
pub fn create_parent_folder(file: &Path) -> std::io::Result<()> {
    match file.parent().filter(|it| !it.as_os_str().is_empty()) {
        Some(folder) => create_folder(folder),
        None => Ok(()),
    }
}

/// Creates a folder and its parents if they are missing; only their owner can read them.
pub(crate) fn create_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Creates the file and its folder if they are missing; only their owner can read them.
pub(crate) fn create_file(file: &Path) -> StoreResult<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let folder = file.parent().unwrap_or(file);
    create_parent_folder(file).map_err(|error| file_fault(folder, error))?;
    match options.open(file) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(file_fault(file, error))
        }
        _ => Ok(()),
    }
}

fn file_fault(path: &Path, error: std::io::Error) -> Fault {
    Fault::File(path.to_owned(), error)
}
