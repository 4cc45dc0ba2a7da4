//! Why a file cannot be read as asked.

use std::io;

use zip::result::ZipError;

use crate::limits::{MAX_DIRECTORY_BYTES, MAX_ENTRY_BYTES, MAX_INFLATED_BYTES, MAX_RATIO};

/// Why a file, or the part of it that was asked for, cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DigestError {
    #[error("the answer is not a zip archive, so it has no entries: leave `entry` out")]
    NoArchive,
    #[error("the archive is damaged")]
    Damaged,
    #[error("the archive has no entry `{name}`{}", suggestion(.near))]
    NoEntry { name: String, near: Vec<String> },
    #[error("the diff has no file `{name}`{}", suggestion(.near))]
    NoFile { name: String, near: Vec<String> },
    #[error("`{input}` needs `entry`, because the archive has {count} files: {}", .names.join(", "))]
    EntryNeeded {
        input: &'static str,
        count: usize,
        names: Vec<String>,
    },
    #[error("`{input}` reads text, and {what} is not text ({size} bytes)")]
    NoText {
        input: &'static str,
        what: String,
        size: u64,
    },
    #[error("the entry `{name}` is encrypted")]
    Encrypted { name: String },
    #[error("the entry `{name}` is compressed by a method that is not supported")]
    UnknownMethod { name: String },
    #[error("the entry `{name}` is larger than {} MB, the most that is read", MAX_ENTRY_BYTES >> 20)]
    EntryTooLarge { name: String },
    #[error(
        "the entry `{name}` becomes more than {MAX_RATIO} times larger when it is unpacked, as in a zip bomb: \
         it is not read"
    )]
    Bomb { name: String },
    #[error(
        "the archive is larger than {} MB when it is unpacked: name one `entry`",
        MAX_INFLATED_BYTES >> 20
    )]
    ArchiveTooLarge,
    #[error(
        "the archive lists too many entries: their names take more than {} MB",
        MAX_DIRECTORY_BYTES >> 20
    )]
    TooManyEntries,
    #[error("the file could not be read: {0}")]
    Read(io::Error),
}

/// A limit that was reached while an entry was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Limit {
    #[error("the entry is too large")]
    Entry,
    #[error("the entry is a zip bomb")]
    Ratio,
    #[error("the archive is too large")]
    Archive,
}

impl From<Limit> for io::Error {
    fn from(limit: Limit) -> Self {
        io::Error::other(limit)
    }
}

impl DigestError {
    /// Returns what an error means that occurred while an entry was read.
    pub(crate) fn in_entry(name: &str, error: &io::Error) -> Self {
        let name = shortened(name);
        let limit = error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<Limit>());
        match limit {
            Some(Limit::Entry) => Self::EntryTooLarge { name },
            Some(Limit::Ratio) => Self::Bomb { name },
            Some(Limit::Archive) => Self::ArchiveTooLarge,
            None => Self::Damaged,
        }
    }

    /// Returns what an error means that occurred while an entry was opened.
    pub(crate) fn opening(name: &str, error: &ZipError) -> Self {
        let name = shortened(name);
        match error {
            ZipError::UnsupportedArchive(_) | ZipError::InvalidPassword => Self::Encrypted { name },
            ZipError::CompressionMethodNotSupported(_) => Self::UnknownMethod { name },
            _ => Self::Damaged,
        }
    }
}

/// Returns the beginning of a name, which may have any length.
pub(crate) fn shortened(name: &str) -> String {
    name.chars().take(200).collect()
}

fn suggestion(near: &[String]) -> String {
    match near {
        [] => "; without it, the names are listed".to_owned(),
        near => format!("; did you mean {}?", near.join(", ")),
    }
}
