//! Where the database is, and how a file for it is made.

use std::fs::{DirBuilder, OpenOptions};
use std::path::{Path, PathBuf};

use crate::fault::{Fault, Outcome};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    File(PathBuf),
    Memory,
}

/// Which file a path led to: it can be removed or replaced while it is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    #[cfg(unix)]
    device_and_inode: (u64, u64),
}

impl Place {
    /// What errors call it.
    pub(crate) fn file(&self) -> &Path {
        match self {
            Place::File(file) => file,
            Place::Memory => Path::new(":memory:"),
        }
    }

    pub(crate) fn exists(&self) -> Outcome<bool> {
        match self {
            Place::Memory => Ok(true),
            Place::File(file) => file.try_exists().map_err(|error| fault(file, error)),
        }
    }

    /// Nothing if there is no file.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        match self {
            Place::Memory => None,
            Place::File(file) => std::fs::metadata(file).ok().map(|it| Stamp::of(&it)),
        }
    }
}

impl Stamp {
    #[cfg(unix)]
    fn of(metadata: &std::fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self {
            device_and_inode: (metadata.dev(), metadata.ino()),
        }
    }

    /// An open file cannot be removed here.
    #[cfg(not(unix))]
    fn of(_: &std::fs::Metadata) -> Self {
        Self {}
    }
}

/// Makes the folder of a file where it is missing; nobody but its owner can look into it.
pub fn make_folder_of(file: &Path) -> std::io::Result<()> {
    match file.parent().filter(|it| !it.as_os_str().is_empty()) {
        Some(folder) => make_folder(folder),
        None => Ok(()),
    }
}

/// Makes a folder where it is missing; nobody but its owner can look into it.
pub(crate) fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut folders = DirBuilder::new();
    folders.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        folders.mode(0o700);
    }
    folders.create(folder)
}

/// Makes the file and its folder where they are missing; nobody but their owner can read them.
pub(crate) fn make(file: &Path) -> Outcome<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let folder = file.parent().unwrap_or(file);
    make_folder_of(file).map_err(|error| fault(folder, error))?;
    match options.open(file) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(fault(file, error)),
        _ => Ok(()),
    }
}

fn fault(path: &Path, error: std::io::Error) -> Fault {
    Fault::File(path.to_owned(), error)
}
